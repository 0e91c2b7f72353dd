"""Tests: a room of `nephila/` has its tests in the folder of the same name."""

"""Nephila: a web crawler that turns any set of sites into clean text and structured records, without rules."""

__version__ = "0.1.0"

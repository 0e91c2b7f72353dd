"""A short run of the fuzz target; for a long one, run its module."""

from __future__ import annotations

from tests.fetch.fuzzing import run
from tests.sinks import fuzz_archive


def test_an_archive_of_any_bytes_is_survived() -> None:
    assert run(fuzz_archive.target, fuzz_archive.SEEDS, rounds=1500) == 1500

"""A short run of each fuzz target; for a long one, run its module."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.fetch import fuzz_decompress, fuzz_feeds, fuzz_hosts, fuzz_robots, fuzz_sitemaps
from tests.fetch.fuzzing import run


@pytest.mark.parametrize(
    "module", [fuzz_decompress, fuzz_feeds, fuzz_hosts, fuzz_robots, fuzz_sitemaps], ids=lambda module: module.__name__
)
def test_a_target_survives(module: ModuleType) -> None:
    assert run(module.target, module.SEEDS, rounds=1500) == 1500

"""Short runs of the fuzz targets; for long ones, run their modules."""

from __future__ import annotations

import pytest

from tests.fetch.fuzzing import run
from tests.wrappers import fuzz_pages, fuzz_rules


@pytest.mark.parametrize(("module", "rounds"), [(fuzz_pages, 60), (fuzz_rules, 1_500)])
def test_foreign_bytes_do_no_harm(module: object, rounds: int) -> None:
    assert run(module.target, module.SEEDS, rounds=rounds) == rounds  # type: ignore[attr-defined]

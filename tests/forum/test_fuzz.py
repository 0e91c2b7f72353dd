"""A short run of the fuzz target; for a long one, run its module."""

from tests.fetch.fuzzing import run
from tests.forum.fuzz_posts import SEEDS, target


def test_mutated_pages_never_break_the_reader() -> None:
    assert run(target, SEEDS, rounds=150) == 150

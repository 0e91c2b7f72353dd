"""A short run of the fuzz target, the same pages each time."""

from itertools import islice

from tests.document.fuzz_document import examine, inputs


def test_mutated_pages_never_break_it() -> None:
    for seed, body, header, limits in islice(inputs(1), 400):
        try:
            examine(body, header, limits)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error

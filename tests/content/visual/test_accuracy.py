"""The floors of system D's own data; nobody lowers one silently. `nephila evaluate --method visual` has all tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from nephila.content.visual.data import MIXED, read_pages, site_names
from nephila.content.visual.strangers import stranger_tables
from nephila.content.visual.tables import Mixture, mixed_tables, site_tables

DATA = Path(__file__).parents[4] / "shared" / "data" / "visual"
if not DATA.exists():
    DATA = Path(__file__).parents[5] / "shared" / "data" / "visual"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.exists(), reason="system D's data is not beside the project"),
]


def test_one_classifier_a_site() -> None:
    table = next(site_tables(DATA))
    assert [line.name for line in table.lines] == site_names(DATA)
    assert {line.name: line.score.f1 for line in table.lines if line.score.f1 < 0.995} == {}


def test_unseen_sites_and_random_mixture() -> None:
    tables = mixed_tables(DATA)
    unseen, mixture = next(tables), next(tables)
    _, unclustered, transfers, ships = unseen.lines
    assert unclustered.score.f1 >= 0.70
    assert transfers.score.f1 >= 0.94
    assert ships.text is not None
    assert ships.text.f1 >= 0.955
    assert mixture.lines[1].score.f1 >= 0.98


def test_whole_sites_that_were_not_learned_from() -> None:
    by_others, by_shipped = stranger_tables(DATA)
    for table, blocks, text in ((by_others, 0.87, 0.97), (by_shipped, 0.82, 0.94)):
        mean = table.lines[-1]
        assert mean.name == "mean"
        assert mean.score.f1 >= blocks
        assert mean.text is not None
        assert mean.text.f1 >= text
        assert min(line.text.f1 for line in table.lines if line.text) >= 0.88, "none is lost"


def test_pages_without_their_text_are_not_judged() -> None:
    mixture = Mixture(read_pages(DATA, MIXED))
    assert len(mixture.judged) == 189
    assert sum(mixture.judged) == 174

"""Samples are read as written; a page whose gold is not its own is left out."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from nephila.content.datasets import DataError, gold_is_present, read_set, set_names

ROWS = [
    {
        "id": 7,
        "site": "a.org",
        "fold": 3,
        "html": "<p>one two</p>",
        "gold": "one two",
        "type": "article",
        "comments": "",
    },
    {"id": "s", "site": "b.org", "fold": 0, "html": "<p>x</p>", "gold": "", "with": ["x"], "without": ["y"]},
    {"id": "far", "site": "c.org", "fold": 1, "html": "<p>one</p>", "gold": "quite another text"},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with lzma.open(tmp_path / "tiny.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in ROWS)
    return tmp_path


def test_reads_what_a_set_tells_and_leaves_the_rest_empty(data: Path) -> None:
    assert set_names(data) == ["tiny"]
    first, segments, _ = read_set(data, "tiny")
    assert (first.id, first.set, first.fold, first.kind, first.comments, first.title) == (
        "7",
        "tiny",
        3,
        "article",
        None,
        None,
    )
    assert not first.segments_only
    assert segments.segments_only
    assert (segments.wanted, segments.unwanted) == (["x"], ["y"])


def test_a_page_without_its_gold_is_left_out(data: Path) -> None:
    kept = [sample.id for sample in read_set(data, "tiny") if gold_is_present(sample, lambda html: html)]
    assert kept == ["7", "s"]


def test_missing_data_says_what_to_name(tmp_path: Path, data: Path) -> None:
    with pytest.raises(DataError, match="there are: tiny"):
        list(read_set(data, "other"))
    with pytest.raises(DataError, match="--data"):
        set_names(tmp_path / "empty")

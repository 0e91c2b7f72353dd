"""Samples are read as written; a page whose gold is not its own is left out."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from nephila.content.gold.datasets import DataError, gold_is_present, read_set, set_names

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


@pytest.mark.parametrize(
    ("gold", "text", "comments"),
    [
        ("The text.\n!@#$%^&*()  COMMENTS\nAnn: so it is.", "The text.\n", "Ann: so it is."),
        ("The text.\n  #$%^&*()  COMMENTS\n\nAnn: no.\n", "The text.\n", "Ann: no."),
        ("The text.\n!@ $%^&*()  COMMNENTS\nAnn.", "The text.\n", "Ann."),
        ("The text.\n!@#$%^&*()\n", "The text.\n", None),
        (
            "One.\n***\nTwo for $5 (50%).\n###\nCOMMENTS\nThree",
            "One.\n***\nTwo for $5 (50%).\n###\nCOMMENTS\nThree",
            "x",
        ),
        ("He typed !@#$%^&*() and left.", "He typed !@#$%^&*() and left.", "x"),
    ],
)
def test_what_stands_behind_the_separator_is_comments(
    tmp_path: Path, gold: str, text: str, comments: str | None
) -> None:
    row = ROWS[0] | {"gold": gold, "comments": "x" if comments == "x" else ""}
    (tmp_path / "one.jsonl.xz").write_bytes(lzma.compress(json.dumps(row).encode()))
    (sample,) = read_set(tmp_path, "one")
    assert (sample.gold, sample.comments) == (text, comments)


def test_a_page_without_its_gold_is_left_out(data: Path) -> None:
    kept = [sample.id for sample in read_set(data, "tiny") if gold_is_present(sample, lambda html: html)]
    assert kept == ["7", "s"]


def test_missing_data_says_what_to_name(tmp_path: Path, data: Path) -> None:
    with pytest.raises(DataError, match="there are: tiny"):
        list(read_set(data, "other"))
    with pytest.raises(DataError, match="--data"):
        set_names(tmp_path / "empty")

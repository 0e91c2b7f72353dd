"""Pages with gold text, for training and for measuring. Knows files of samples only, neither models nor the crawl.

A data set is one file of JSON lines, xz-compressed, `<set>.jsonl.xz`. Its `fold` is by registered site, across all
sets: a page is scored by a model that saw the other folds alone, hence never its site.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from nephila.content.score import share_present
from nephila.errors import InputError

FOLDS = 5
LEAST_PRESENT = 0.5
"""A page with less than this share of its gold in its own visible text got its gold from elsewhere: left out."""


class DataError(InputError):
    """The training data is not where it was said to be, or is not what it should be."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One page with its gold; what a set does not tell is None or empty."""

    id: str
    set: str
    site: str
    fold: int
    html: str
    gold: str
    url: str | None = None
    lang: str | None = None
    kind: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    comments: str | None = None
    posts: list[dict[str, Any]] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    """Segments that must be in the output, of sets that have no full gold."""
    unwanted: list[str] = field(default_factory=list)

    @property
    def segments_only(self) -> bool:
        return bool(self.wanted or self.unwanted)


def set_names(directory: Path) -> list[str]:
    """The data sets in a directory, by name."""
    names = sorted(path.name.removesuffix(".jsonl.xz") for path in directory.glob("*.jsonl.xz"))
    if not names:
        raise DataError(f"no data set (*.jsonl.xz) in {directory}: name the directory that holds them with --data")
    return names


def read_set(directory: Path, name: str) -> Iterator[Sample]:
    """The samples of one set, in the order of the file."""
    path = directory / f"{name}.jsonl.xz"
    if not path.exists():
        raise DataError(f"no data set {name!r} in {directory}; there are: {', '.join(set_names(directory))}")
    with lzma.open(path, "rb") as lines:
        for line in lines:
            yield _sample(orjson.loads(line), name)


_SEPARATOR = re.compile(r"^[ \t]*\S*[ ]?\$%\^&\*\S*[ \t]*[A-Z]*[ \t]*$", re.MULTILINE)
"""The line between text and comments in the gold of `dragnet`."""


def _divided(gold: str, comments: object) -> tuple[str, str | None]:
    """The gold text and the comments, None where there are none, or none are told.

    `dragnet` puts `!@#$%^&*()  COMMENTS` between the two. On twelve pages a sign is missing or doubled, or the word is
    wrong, and all comments were left in the text.
    """
    text, *rest = _SEPARATOR.split(gold, maxsplit=1)
    if rest:
        return text, rest[0].strip() or None
    return gold, comments if isinstance(comments, str) and comments.strip() else None


def _sample(row: dict[str, Any], name: str) -> Sample:
    author = row.get("author")
    gold, comments = _divided(row.get("gold") or "", row.get("comments"))
    return Sample(
        id=str(row["id"]),
        set=name,
        site=row["site"],
        fold=int(row["fold"]),
        html=row["html"],
        gold=gold,
        url=row.get("url"),
        lang=row.get("lang"),
        kind=row.get("type"),
        title=row.get("title") or None,
        author=", ".join(author) if isinstance(author, list) else author or None,
        date=row.get("date") or None,
        comments=comments,
        posts=row.get("posts") or [],
        wanted=row.get("with") or [],
        unwanted=row.get("without") or [],
    )


def gold_is_present(sample: Sample, visible_text: Callable[[str], str]) -> bool:
    """Whether the page can be judged: it has a gold, and at least half of it is in the page's visible text."""
    if sample.segments_only:
        return True
    if not sample.gold.strip():
        return False
    return share_present(visible_text(sample.html), sample.gold) >= LEAST_PRESENT

"""Template groups of a site: pages that were made by the same template, told apart as they arrive. Knows outlines.

A page is the set of its places (the last tags and classes above each text), sketched by 64 minimal hashes; it joins the
group whose first page is most like it, or founds one. Memory is bounded; a group's name is a hash of its first page's
sketch, so it is the same in every worker and every crawl. `similarity` is the exact measure between two pages: the
edit distance of their lists of tags.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from nephila.document import Document
from nephila.wrappers.outline import Outline

HASHES = 64
ALIKE = 0.4
MOST_GROUPS = 64
_LEVELS = 4
_MOST_TOKENS = 20_000

Sketch = NDArray[np.uint32]

_random = np.random.default_rng(20240229)
_FACTORS = _random.integers(1, 1 << 61, HASHES, dtype=np.uint64) | np.uint64(1)
_TERMS = _random.integers(0, 1 << 61, HASHES, dtype=np.uint64)


def sketch(outline: Outline) -> Sketch:
    """The page's places in 64 numbers; the share of equal numbers estimates the share of common places."""
    places: dict[int, int] = {}
    for element in outline.owner:
        path = outline.path[element]
        if path not in places:
            names: list[str] = []
            above = element
            while above >= 0 and len(names) < _LEVELS:
                tag = outline.tags[above]
                names.append(f"{tag.name}.{tag.mark}")
                above = outline.parent[above]
            places[path] = xxhash.xxh3_64_intdigest("/".join(names).encode())
    if not places:
        return np.zeros(HASHES, dtype=np.uint32)
    hashes = np.fromiter(set(places.values()), dtype=np.uint64)
    mixed = hashes[:, None] * _FACTORS + _TERMS
    return np.asarray((mixed.min(axis=0) >> np.uint64(32)).astype(np.uint32))


def resemblance(first: Sketch, second: Sketch) -> float:
    return float((first == second).mean())


def similarity(first: Document, second: Document) -> float:
    """1 for pages with the same tags in the same order, 0 for pages that share none: exact, for a pair of pages."""
    one, two = (_tokens(document) for document in (first, second))
    return float(Levenshtein.normalized_similarity(one, two))


def _tokens(document: Document) -> list[int]:
    """Start tags by their name, end tags as the negative of it."""
    markup = document.layout.markup
    names = markup.tag.astype(np.int64) + 2
    return np.where(markup.closing, -names, names)[:_MOST_TOKENS].tolist()  # type: ignore[no-any-return]


@dataclass(slots=True)
class Group:
    """Pages of one template."""

    name: str
    leader: Sketch
    pages: int = 0


@dataclass(slots=True)
class Groups:
    """The groups of one site."""

    groups: dict[str, Group] = field(default_factory=dict)

    def place(self, page: Sketch) -> Group:
        """The group of a page, a new one when none is alike."""
        best, share = None, 0.0
        for group in self.groups.values():
            alike = resemblance(group.leader, page)
            if alike > share:
                best, share = group, alike
        if best is None or share < ALIKE:
            best = Group(f"t-{xxhash.xxh3_64_hexdigest(page.tobytes())[:8]}", page)
            self.groups[best.name] = best
            self._bound()
        best.pages += 1
        return best

    def _bound(self) -> None:
        """Too many templates are none: the smallest groups but the newest are forgotten."""
        while len(self.groups) > MOST_GROUPS:
            newest = next(reversed(self.groups))
            smallest = min((name for name in self.groups if name != newest), key=lambda name: self.groups[name].pages)
            del self.groups[smallest]

    def merge(self, other: Groups) -> None:
        """Adds what another worker knows."""
        for name, group in other.groups.items():
            mine = self.groups.get(name)
            if mine is None:
                self.groups[name] = Group(name, group.leader, group.pages)
            else:
                mine.pages = max(mine.pages, group.pages)
        self._bound()

    def to_dict(self) -> dict[str, Any]:
        return {name: {"leader": group.leader.tolist(), "pages": group.pages} for name, group in self.groups.items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Groups:
        return cls(
            {
                name: Group(name, np.array(each["leader"], dtype=np.uint32), int(each["pages"]))
                for name, each in data.items()
                if len(each["leader"]) == HASHES
            }
        )

"""The addresses of a unit: keys of several families, each of which finds it in another way.

Families differ in what a redesign must change to break them: `path` (all classes from the top), `class`, `outer` and
`id` (the closest element that has a class or id, the second closest), `tags` (names of tags from the top), `tail` (the
last two of them), `place` (numbers of tags from the top), `label` and `after` (a text that stands before it), `before`
(a text that stands behind it), `prop` (microdata). A key ends in a number: which of the units that share the address,
from the first (1, 2, ...) or from the last (-1, -2, ...).

A group of pages has a quarter of a million keys, of which few are ever looked at: `Keys` holds them in columns of
numbers. Knows outlines.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

import numpy as np

from nephila.wrappers.outline import ROWS, Numbers, Outline, Places
from nephila.wrappers.tags import FIRST, NTH, SECOND, SHIFT

PATH, CLASS, OUTER, ID, TAGS, PLACE, TAIL = PLACED = ROWS
PROP, LABEL, AFTER, BEFORE = "prop", "label", "after", "before"
FAMILIES = (*PLACED, PROP, LABEL, AFTER, BEFORE)
ANCHORED = (LABEL, AFTER, BEFORE)
"""Found from a text of the template."""
ALL = 0
"""The number of a key that means every unit with the address."""
_LABELS_BACK = 2
FARTHEST = 12
"""Units behind a label that it can still be the label of."""
NEAR = 3
_FROM_FIRST, _FROM_LAST, _OF_TAIL = 40, 12, 2
"""The 70th link from the top says nothing that lasts; of the last two tags, only what is first or last does."""
_LABEL, _AFTER, _BEFORE = map(FAMILIES.index, ANCHORED)
_NOWHERE = 2**64 - 1
_FIRSTS = np.array([*[_FROM_FIRST] * 6, _OF_TAIL, _FROM_LAST])
_LASTS = np.array([*[_FROM_LAST] * 5, 0, _OF_TAIL, _FROM_LAST])
PAGE = 1 << 20
"""A unit of a sample is page * PAGE + its number on the page."""

Key = tuple[str, int | str, str, int]
"""Family, address, attribute or tags, number."""


class Words:
    """Words as numbers, the same for all pages of a sample."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._words: list[str] = []

    def number(self, word: str) -> int:
        found = self._numbers.get(word)
        if found is None:
            found = self._numbers[word] = len(self._words)
            self._words.append(word)
        return found

    def __getitem__(self, number: int) -> str:
        return self._words[number]


class Columns(NamedTuple):
    """Keys, a row for each."""

    family: Places
    """Its place among `FAMILIES`."""
    address: Numbers
    """The name of a place, or the number of a word."""
    kind: Places
    """The number of a word."""
    number: Places
    unit: Places
    turn: Places
    """When a walk through the pages, family by family, comes to it."""


class Keys:
    """All keys of some pages, each with the unit that it finds."""

    def __init__(self, outlines: Sequence[Outline], labels: Set[str]) -> None:
        self._words = Words()
        parts = [_by_place(outlines, self._words)]
        parts += [_by_label(page, outline, labels, self._words) for page, outline in enumerate(outlines)]
        self.columns = Columns(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def at(self, rows: Places) -> Iterator[Key]:
        """The keys of these rows."""
        words = self._words
        for family, address, kind, number in zip(*(each[rows].tolist() for each in self.columns[:4]), strict=True):
            yield FAMILIES[family], address if family < len(PLACED) else words[address], words[kind], number

    def hashes(self) -> Numbers:
        """One number a row, the same for the same key."""
        family, address, kind, number, _, _ = self.columns
        return _mixed(address, (family << 48) + (kind << 16) + number)


def page_keys(outline: Outline, labels: Set[str]) -> dict[Key, int]:
    """The keys of all units of one page, each with its unit."""
    keys = Keys([outline], labels)
    unit = keys.columns.unit
    return dict(zip(keys.at(np.arange(len(unit))), unit.tolist(), strict=True))


def _mixed(one: Numbers, other: Places) -> Numbers:
    number = (one * NTH ^ (other.astype(np.uint64) * FIRST)) * SECOND
    return np.asarray((number ^ (number >> SHIFT)) * FIRST)


def _by_place(outlines: Sequence[Outline], words: Words) -> Columns:
    """The keys that count: the n-th unit in such a place, from the first and from the last."""
    owners = [np.array(outline.owner, dtype=np.int64) for outline in outlines]
    names = [
        np.vstack([outline.names, _props(outline, words)])[:, owner]
        for outline, owner in zip(outlines, owners, strict=True)
    ]
    unit = np.concatenate([page * PAGE + np.arange(len(owner)) for page, owner in enumerate(owners)])
    kind = np.array([words.number(kind) for outline in outlines for kind in outline.attribute], dtype=np.int64)
    address = np.hstack(names)
    family = np.repeat(np.arange(len(address)), len(unit)).reshape(address.shape)
    alike = _mixed(address, (family << 56) + (unit // PAGE << 32) + kind)
    there = np.flatnonzero(address != _NOWHERE)
    order = there[np.argsort(alike.ravel()[there], kind="stable")]
    rank, back, leader = _ranks(alike.ravel()[order])
    family, address = family.ravel()[order], address.ravel()[order]
    at = order % len(unit) if len(unit) else order
    kind, unit, first = kind[at], unit[at], unit[at][leader]
    turn = (first // PAGE << 44) + (family << 40) + (first % PAGE << 7)
    front, rear = rank < _FIRSTS[family], back < _LASTS[family]
    both = np.append(np.flatnonzero(front), np.flatnonzero(rear))
    number = np.append(rank[front] + 1, -1 - back[rear])
    turn = turn[both] + np.append(rank[front], back[rear] + 64)
    return Columns(family[both], address[both], kind[both], number, unit[both], turn)


def _ranks(names: Numbers) -> tuple[Places, Places, Places]:
    """Of each of the sorted names, which of its like it is, how many of them follow, and where the first of them is."""
    begin = np.flatnonzero(np.append(True, names[1:] != names[:-1])[: len(names)])
    size = np.diff(np.append(begin, len(names)))
    leader = np.repeat(begin, size)
    rank = np.arange(len(names)) - leader
    return rank, np.repeat(size, size) - 1 - rank, leader


def _props(outline: Outline, words: Words) -> Numbers:
    """Of each element, the number of its microdata's name."""
    if not any(tag.prop for tag in outline.tags):
        return np.full(len(outline.tags), _NOWHERE, dtype=np.uint64)
    props = map(outline.prop, range(len(outline.tags)))
    return np.array([words.number(prop) if prop else _NOWHERE for prop in props], dtype=np.uint64)


def _by_label(page: int, outline: Outline, labels: Set[str], words: Words) -> Columns:
    """The keys that begin at a text of the template: the closest ones before a unit, and those just behind it."""
    views = array("q")
    attribute, number, tails = outline.attribute, words.number, _tails(outline, words)
    open_labels: list[tuple[int, int, dict[int, int]]] = []
    used: set[str] = set()
    position = 0
    for unit, text in enumerate(outline.texts):
        kind = attribute[unit]
        position += not kind
        if open_labels and position - open_labels[0][1] <= FARTHEST:
            tags = number(f"{words[tails[unit]]}@{kind}") if kind else tails[unit]
            for label, since, counts in open_labels:
                ordinal = counts[tags] = counts.get(tags, 0) + 1
                if position - since <= FARTHEST:
                    views.extend((label, tags, ordinal, unit, FARTHEST if kind else position - since))
        if not kind and text in labels and text not in used:
            used.add(text)
            open_labels = [(number(text), position, {}), *open_labels[: _LABELS_BACK - 1]]
    before = [(number(text), unit, distance) for text, unit, distance in before_labels(outline, labels)]
    return _anchored(page, np.array(views, dtype=np.int64).reshape(-1, 5), np.array(before, dtype=np.int64), number(""))


def _tails(outline: Outline, words: Words) -> list[int]:
    """Of each unit, the number of its last two tags."""
    tails: dict[int, int] = {}
    result = []
    for element, name in zip(outline.owner, outline.names[PLACED.index(TAIL), outline.owner].tolist(), strict=True):
        if name not in tails:
            tails[name] = words.number(outline.tail(element))
        result.append(tails[name])
    return result


def _anchored(page: int, views: Places, before: Places, none: int) -> Columns:
    """The rows of units behind labels, as (label, tags, ordinal, unit, distance), and of those before labels."""
    label, tags, ordinal, unit, distance = views.T
    near = np.flatnonzero(distance <= NEAR)
    ahead, ahead_unit, ahead_distance = before.reshape(-1, 3).T
    family = np.repeat([_LABEL, _AFTER, _BEFORE], [len(label), len(near), len(ahead)])
    turn = np.concatenate([2 * np.arange(len(label)), 2 * near + 1, 2 * len(label) + np.arange(len(ahead))])
    return Columns(
        family,
        np.concatenate([label, label[near], ahead]).astype(np.uint64),
        np.concatenate([tags, np.full(len(near) + len(ahead), none)]),
        np.concatenate([ordinal, distance[near], ahead_distance]),
        np.concatenate([unit, unit[near], ahead_unit]) + page * PAGE,
        turn + (page << 44) + (_LABEL << 40),
    )


def before_labels(outline: Outline, labels: Set[str]) -> Iterator[tuple[str, int, int]]:
    """The texts before the first place of each label, with their distance."""
    seen: set[str] = set()
    texts = [unit for unit, kind in enumerate(outline.attribute) if not kind]
    for place, unit in enumerate(texts):
        text = outline.texts[unit]
        if text in labels and text not in seen:
            seen.add(text)
            for distance in range(1, min(NEAR, place) + 1):
                yield text, texts[place - distance], distance

"""Cuttings: parts of training pages that stand on other pages as well as on theirs. Knows samples and trees.

Two kinds: sections of readers' comments (of sets that have these apart), and furniture, which is what holds nothing of
the gold. Kept by fold: what is put into a page must come from its own fold, so that a model which never saw a fold saw
no part of it either.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nephila.content.gold.datasets import Sample
from nephila.content.score import tokens

Shingles = set[tuple[str, ...]]

LISTS = frozenset(("listing", "collection"))
"""Kinds of page on which furniture and content look the same."""
MOST_PAGE = 1_500_000
_EACH = 3
_WHOLE, _STRANGE = 0.75, 0.02
"""Of the comments, the share that a section must hold; of furniture, the share that may be in the gold by chance."""
_LEAST_COMMENTS, _LEAST_WORDS, _MOST_WORDS = 40, 25, 500
_MOST_HTML = 60_000
_LOOKED_AT, _FURNITURE_EACH, _PAGES = 60, 2, 0.5
_FURNITURE = "div,section,ul,aside,table,td,footer,header"


class Cutting(NamedTuple):
    site: str
    html: str
    text: str


@dataclass(slots=True)
class Cuttings:
    comments: dict[int, list[Cutting]] = field(default_factory=lambda: defaultdict(list))
    """By fold."""
    furniture: dict[tuple[int, str | None], list[Cutting]] = field(default_factory=lambda: defaultdict(list))
    """By fold and language."""


def shingles(text: str) -> Shingles:
    """All runs of three tokens; of a shorter text, the text."""
    words = tokens(text)
    return {tuple(words[start : start + _EACH]) for start in range(max(1, len(words) - _EACH + 1))}


def text_of(node: LexborNode) -> str:
    return node.text(separator=" ") or ""


def smallest_around(root: LexborNode, wanted: Shingles, share: float) -> LexborNode:
    """The innermost element that holds this share of what is wanted."""
    around = root
    while True:
        inner = next((child for child in around.iter() if _holds(child, wanted, share)), None)
        if inner is None:
            return around
        around = inner


def _holds(node: LexborNode, wanted: Shingles, share: float) -> bool:
    return len(shingles(text_of(node)) & wanted) >= share * len(wanted)


def is_strange(node: LexborNode, gold: Shingles, share: float = _STRANGE) -> bool:
    """Whether next to nothing of the gold is in there."""
    inside = shingles(text_of(node))
    return len(inside & gold) <= share * len(inside)


def cut(samples: Iterable[Sample]) -> Cuttings:
    """What the pages have to give, each page the same at every run."""
    found = Cuttings()
    for sample in samples:
        body = None if len(sample.html) > MOST_PAGE else LexborHTMLParser(sample.html).body
        if body is None or sample.segments_only or sample.kind in LISTS:
            continue
        if sample.comments:
            if section := _comment_section(sample, body):
                found.comments[sample.fold].append(section)
        else:
            found.furniture[sample.fold, sample.lang] += _furniture(sample, body)
    return found


def _comment_section(sample: Sample, body: LexborNode) -> Cutting | None:
    said = sample.comments or ""
    if len(tokens(said)) < _LEAST_COMMENTS:
        return None
    section = smallest_around(body, shingles(said), _WHOLE)
    if section.tag == "body" or not is_strange(section, shingles(sample.gold), 0.05):
        return None
    return Cutting(sample.site, section.html or "", text_of(section))


def _furniture(sample: Sample, body: LexborNode) -> list[Cutting]:
    draw = random.Random(f"{sample.set}/{sample.id}")
    if draw.random() >= _PAGES:
        return []
    gold, found = shingles(sample.gold), list[Cutting]()
    nodes = body.css(_FURNITURE)
    for node in draw.sample(nodes, min(len(nodes), _LOOKED_AT)):
        text, html = text_of(node), node.html or ""
        fits = _LEAST_WORDS <= len(tokens(text)) <= _MOST_WORDS and len(html) <= _MOST_HTML
        if fits and is_strange(node, gold):
            found.append(Cutting(sample.site, html, text))
            if len(found) == _FURNITURE_EACH:
                break
    return found

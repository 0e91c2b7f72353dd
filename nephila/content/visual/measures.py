"""Plain measures of a page's blocks as columns of numbers: sizes, places, text, what the page has most of.

"Most" is always by text outside links: the majority of a page's prose, not of its menu entries, is its body text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from nephila.content.score import CJK
from nephila.content.visual.page import VisualBlock, VisualPage
from nephila.content.visual.vocabulary import Floats

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WIDE = re.compile(f"[{CJK}]")
_FONT_SIZE, _LINE = 16.0, 1.2


@dataclass(frozen=True, slots=True)
class Measures:
    """One row a block."""

    left: Floats
    top: Floats
    width: Floats
    height: Floats
    font: Floats
    line: Floats
    bold: Floats
    length: Floats
    """Characters; those of scripts without spaces count twice, as they say twice as much."""
    linked: Floats
    """The share of the text that is in links."""
    prose: Floats
    """Characters outside links."""


def measure(page: VisualPage) -> Measures:
    blocks = page.blocks
    font = _column(blocks, lambda block: _pixels(value_of(block, page, "font-size"), _FONT_SIZE))
    line = _column(blocks, lambda block: _pixels(value_of(block, page, "line-height"), 0.0))
    length = _column(blocks, lambda block: len(block.text) + len(_WIDE.findall(block.text)))
    linked = _column(blocks, lambda block: 1.0 if "a" in block.path else block.linked / max(1, len(block.text)))
    linked = np.minimum(linked, 1.0)
    return Measures(
        left=_column(blocks, lambda block: block.left),
        top=_column(blocks, lambda block: block.top),
        width=_column(blocks, lambda block: block.width),
        height=_column(blocks, lambda block: block.height),
        font=font,
        line=np.where(line > 0, line, font * _LINE),
        bold=_column(blocks, lambda block: _weight(value_of(block, page, "font-weight")) >= 600),
        length=length,
        linked=linked,
        prose=length * (1 - linked),
    )


def value_of(block: VisualBlock, page: VisualPage, name: str) -> str:
    """A property's value: the block's own, or else the body's."""
    return block.style.get(name, page.body.get(name, ""))


def luminance(color: str) -> float:
    parts = [float(part) for part in _NUMBER.findall(color)[:3]]
    return (0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]) / 255 if len(parts) == 3 else 0.0


def shares(keys: Sequence[Hashable], weights: Floats) -> Floats:
    """Of each block, the share of all weight that blocks of its key have."""
    totals: dict[Hashable, float] = defaultdict(float)
    for key, weight in zip(keys, weights.tolist(), strict=True):
        totals[key] += weight
    whole = sum(totals.values()) or 1.0
    return np.array([totals[key] / whole for key in keys])


def weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order] + 1e-6)
    return float(values[order][int(np.searchsorted(reached, reached[-1] / 2))])


def _column(blocks: Sequence[VisualBlock], number: Callable[[VisualBlock], float]) -> Floats:
    return np.array([number(block) for block in blocks], dtype=np.float64)


def _pixels(value: str, otherwise: float) -> float:
    found = _NUMBER.match(value)
    return float(found[0]) if found else otherwise


def _weight(value: str) -> float:
    return {"bold": 700.0, "bolder": 700.0}.get(value) or _pixels(value, 400.0)

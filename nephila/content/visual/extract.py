"""Rendered page -> its content blocks, their text and Markdown. Knows this room's pages and models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nephila.content.visual.model import SiteModel, shipped
from nephila.content.visual.page import VisualBlock, VisualPage
from nephila.content.visual.vocabulary import Floats
from nephila.record import Record

_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen on a page: a score for each block, content above zero."""

    page: VisualPage
    scores: Floats
    by: str
    """`site` or `general`: whose model judged."""

    @property
    def content(self) -> list[VisualBlock]:
        return [block for block, score in zip(self.page.blocks, self.scores.tolist(), strict=True) if score > 0]

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.content)

    @property
    def markdown(self) -> str:
        return "\n\n".join(_markdown(block) for block in self.content)

    @property
    def boxes(self) -> list[list[float]]:
        """Left, top, width, height and score of each block, for a picture."""
        pairs = zip(self.page.blocks, self.scores.tolist(), strict=True)
        return [[block.left, block.top, block.width, block.height, round(score, 2)] for block, score in pairs]

    @property
    def confidence(self) -> float:
        """How sure the choice is, between 0 and 1: of the text, how far its blocks are from the plane."""
        sizes = np.array([len(block.text) for block in self.page.blocks], dtype=np.float64)
        if not sizes.sum():
            return 0.0
        return round(float(np.tanh(np.abs(self.scores)) @ sizes / sizes.sum()), 4)

    def write_to(self, record: Record) -> None:
        """Into a record that has its metadata already."""
        record.text = self.text or None
        record.markdown = self.markdown or None
        record.confidence = self.confidence
        record.comments = None
        record.extractor = "visual"


def see(page: VisualPage, site: SiteModel | None = None) -> Seen:
    """By the site's own model; where there is none, or it finds nothing here (another template), by the shipped one."""
    if site is not None:
        scores = site.scores(page)
        if (scores > 0).any():
            return Seen(page, scores, "site")
    return Seen(page, shipped().scores(page), "general")


def _markdown(block: VisualBlock) -> str:
    name = block.name
    if name == "pre":
        return f"```\n{block.text}\n```"
    lines = block.text.split("\n")
    if name in _HEADINGS:
        return _HEADINGS[name] + " ".join(lines)
    if "li" in block.path:
        return "- " + " ".join(lines)
    if "blockquote" in block.path:
        return "\n".join(f"> {line}" for line in lines)
    return "  \n".join(lines)

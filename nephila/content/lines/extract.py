"""The whole of system A on one page, with each step that can be changed named in `Steps`. Knows the steps only."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from nephila.content.lines.classify import Table, classify
from nephila.content.lines.discretise import discretise
from nephila.content.lines.features import measure, normalise
from nephila.content.lines.preprocess import Line, lines_of
from nephila.content.lines.segment import LEAST_SCORE, WINDOW, blocks_of, line_scores, main_blocks
from nephila.document import Document

CLASSIFIERS = ("svm", "nb", "c45")
WEIGHTS = Path(__file__).parent.parent / "weights" / "lines.npz"


@dataclass(frozen=True, slots=True)
class Steps:
    """The paper's choices; a measurement of what a step costs changes one of them."""

    keep_links: bool = False
    window: int = WINDOW
    least_score: float | None = LEAST_SCORE
    """None keeps every block."""


@dataclass(frozen=True, slots=True)
class LineExtractor:
    """A trained line classifier with the steps around it."""

    table: Table
    steps: Steps = field(default_factory=Steps)

    def text(self, document: Document) -> str:
        """The main text, one line a line."""
        lines = lines_of(document, self.steps.keep_links)
        return "\n".join(line.text for line in self.main_lines(lines) if line.text)

    def main_lines(self, lines: list[Line]) -> list[Line]:
        if not lines:
            return []
        features = normalise(measure(lines))
        topical = classify(discretise(features), self.table)
        blocks = blocks_of(topical, self.steps.window)
        if self.steps.least_score is not None:
            blocks = main_blocks(blocks, line_scores(features), self.steps.least_score)
        return [line for start, end in blocks for line in lines[start:end]]


@cache
def shipped(classifier: str = "svm") -> LineExtractor:
    """The extractor with the trained table in the package."""
    with np.load(WEIGHTS) as weights:
        return LineExtractor(weights[classifier])


def extract_lines(document: Document, classifier: str = "svm") -> str:
    """The main text of a page by system A."""
    return shipped(classifier).text(document)

"""Steps 5 and 6: topical lines become blocks, and the blocks that score high are the text. Knows numbers only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.lines.features import DENSITY, IMAGES, LINKS, OUTPUT_LENGTH, TEXT_LENGTH, Matrix

WINDOW = 5
LEAST_SCORE = 1.5


def blocks_of(topical: NDArray[np.bool_], window: int = WINDOW) -> list[tuple[int, int]]:
    """(first, one past the last) line of each block.

    A block starts and ends with a topical line and holds no run of `window` or more lines that are not.
    """
    blocks: list[tuple[int, int]] = []
    for line in np.flatnonzero(topical).tolist():
        if blocks and line - blocks[-1][1] < window:
            blocks[-1] = (blocks[-1][0], line + 1)
        else:
            blocks.append((line, line + 1))
    return blocks


def line_scores(features: Matrix) -> Matrix:
    """T + O + D - L - I of each line, of normalised features."""
    return np.asarray(
        features[:, TEXT_LENGTH]
        + features[:, OUTPUT_LENGTH]
        + features[:, DENSITY]
        - features[:, LINKS]
        - features[:, IMAGES]
    )


def main_blocks(blocks: list[tuple[int, int]], scores: Matrix, least: float = LEAST_SCORE) -> list[tuple[int, int]]:
    """The blocks whose mean line score is above `least`; the best one where none is, since a page has a main text."""
    if not blocks:
        return []
    means = [float(scores[start:end].mean()) for start, end in blocks]
    kept = [block for block, mean in zip(blocks, means, strict=True) if mean > least]
    return kept or [blocks[int(np.argmax(means))]]

"""Step 2: six numbers of each line, normalised over the page. Knows lines only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nephila.content.lines.preprocess import Line

Matrix = NDArray[np.float64]

NAMES = ("index", "text_length", "output_text_length", "density", "link_num", "img_num")
INDEX, TEXT_LENGTH, OUTPUT_LENGTH, DENSITY, LINKS, IMAGES = range(6)


def measure(lines: Sequence[Line]) -> Matrix:
    """Index i/N, TextLength, OutputTextLength (bytes), Density, LinkNum, ImgNum: one row a line."""
    count = len(lines)
    output = np.array([len(line.text.encode()) for line in lines], dtype=float)
    text = np.array([line.html_bytes for line in lines], dtype=float)
    return np.column_stack(
        (
            np.arange(1, count + 1) / max(1, count),
            text,
            output,
            output / np.maximum(text, 1.0),
            np.array([line.links for line in lines], dtype=float),
            np.array([line.images for line in lines], dtype=float),
        )
    )


def normalise(measured: Matrix) -> Matrix:
    """Each feature over the page's largest value of it, so that all lie between 0 and 1."""
    if not len(measured):
        return measured
    largest = measured.max(axis=0)
    return measured / np.where(largest > 0, largest, 1.0)

"""The trained network over a page's blocks: features in, probabilities out. Needs numpy only; knows no HTML.

Each block starts as a vector of its own features. In each layer it then sees itself, one neighbour on either side (1,
2, 4, 8, 16 blocks away), the mean of two of the containers that it stands in, and the mean of the page. A container's
blocks are consecutive, so its mean is a difference of two running sums. The page's kind comes from the mean and the
maximum of the vectors. Boosted trees (`refine`, `forest`) then correct what the network says of the blocks that it
does not rule out. docs/extraction.md tells what else was tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features import Floats, PageFeatures
from nephila.content.forest import Forest
from nephila.content.outline import Ints
from nephila.content.refine import candidates, refinement_inputs
from nephila.content.site import combine

WEIGHTS = Path(__file__).parent / "weights" / "blocks.npz"
DISTANCES = (1, 2, 4, 8, 16)
POOLED = ((0, 1), (1, 2), (2, 3), (3, 4), (1, 3))
"""The levels of containers whose means each layer sees."""
INPUTS = 6
"""Itself, the neighbours before and after, two containers, the page."""
CLIP = 5.0

Weights = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model thinks of one page."""

    main: Floats
    """Of each block, the probability that it is main text."""
    comment: Floats
    """Of each block, the probability that it is a reader's comment."""
    kinds: Floats
    """The probability of each of `labels.KINDS`."""


class BlockModel:
    """The network with its weights, ready to judge pages. Stateless, hence shared by threads."""

    def __init__(self, weights: Weights) -> None:
        self._forest = Forest.from_weights(weights)
        self._weights = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}
        self._layers = sum(name.startswith("layer") for name in weights)
        self._scale = (1 / self._weights["deviation"]).astype(np.float32)
        # The layer's inputs are multiplied at once: side by side, not one below the other.
        self._wide = [
            np.concatenate(np.split(self._weights[f"layer{index}"], INPUTS), axis=1) for index in range(self._layers)
        ]
        self._width = self._weights["input"].shape[1]

    def judge(self, page: PageFeatures) -> Judgement:
        """The network's judgement, corrected by the trees where the weights have some."""
        judgement = self._first_look(page)
        rows = candidates(judgement.main)
        if self._forest is None or not len(rows):
            return judgement
        inputs = refinement_inputs(page, judgement.main, judgement.comment, judgement.kinds, rows)
        main = judgement.main.copy()
        main[rows] = self._forest.probabilities(inputs)
        return Judgement(main, judgement.comment, judgement.kinds)

    def _first_look(self, page: PageFeatures) -> Judgement:
        with _one_thread():
            vectors = self._vectors(page)
            weights = self._weights
            blocks = _sigmoid(vectors @ weights["output"] + weights["output_bias"])
            pooled = np.concatenate((vectors.mean(axis=0), vectors.max(axis=0)))
            kinds = _softmax(pooled @ weights["kind"] + weights["kind_bias"])
        return Judgement(blocks[:, 0], blocks[:, 1], kinds)

    def confidence(self, expected: float) -> float:
        """The F1 that pages with this expected F1 really had, of pages that the model had not seen."""
        return float(np.interp(expected, self._weights["confidence_x"], self._weights["confidence_y"]))

    def with_site(self, probabilities: Floats, signals: Floats) -> Floats:
        """The probabilities in the light of the site's other pages."""
        return combine(self._weights["site"], probabilities, signals)

    def _vectors(self, page: PageFeatures) -> Floats:
        vectors = self._input(page)
        spans = page.spans[page.ancestors]
        places = _Places(spans[:, :, 0], spans[:, :, 1], page_weights(page.weights))
        for index in range(self._layers):
            vectors = self._layer(index, vectors, places)
        return vectors

    def _input(self, page: PageFeatures) -> Floats:
        weights = self._weights
        dense = np.clip((page.dense - weights["mean"]) * self._scale, -CLIP, CLIP)
        # Bucket 0 is "none" and its row is zero, so that plain sums are right.
        named = weights["names"][page.names].sum(axis=1)[page.ancestors].reshape(len(dense), -1)
        worded = weights["words"][page.words].sum(axis=1)
        inputs = np.concatenate((dense, named, worded), axis=1)
        return np.asarray(np.maximum(inputs @ weights["input"] + weights["input_bias"], 0))

    def _layer(self, index: int, vectors: Floats, places: _Places) -> Floats:
        width, distance = self._width, DISTANCES[index]
        parts = vectors @ self._wide[index]
        # What a neighbour or a container contributes is linear: first multiplied, then moved or averaged.
        total = parts[:, :width] + self._weights[f"bias{index}"]
        total[distance:] += parts[:-distance, width : 2 * width]
        total[:-distance] += parts[distance:, 2 * width : 3 * width]
        sums = np.zeros((len(parts) + 1, 2 * width), dtype=np.float32)
        np.cumsum(parts[:, 3 * width : 5 * width], axis=0, out=sums[1:])
        for place, level in enumerate(POOLED[index]):
            columns = sums[:, place * width : (place + 1) * width]
            total += (columns[places.ends[:, level]] - columns[places.starts[:, level]]) * places.shares[:, level, None]
        of_page = parts[:, 5 * width :]
        total += places.weights @ of_page if index % 2 else of_page.mean(axis=0)
        np.maximum(total, 0, out=total)
        total += vectors
        return np.asarray(total)


class _Places:
    """Where the blocks stand: the same for all layers."""

    __slots__ = ("ends", "shares", "starts", "weights")

    def __init__(self, starts: Ints, ends: Ints, weights: Floats) -> None:
        self.starts, self.ends, self.weights = starts, ends, weights
        self.shares = (1 / np.maximum(ends - starts, 1)).astype(np.float32)


def page_weights(tokens: Floats) -> Floats:
    """The weight of each block in the page's mean of every other layer: long blocks say more of what a page is."""
    roots = np.sqrt(tokens)
    return np.asarray(roots / max(1.0, float(roots.sum())), dtype=np.float32)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), dtype=np.float32)


def _softmax(values: Floats) -> Floats:
    grown = np.exp(values - values.max())
    return np.asarray(grown / grown.sum(), dtype=np.float32)


@cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


def _one_thread() -> AbstractContextManager[Any]:
    """The matrices are small: threads of the linear algebra would only wait for each other (measured: 12x the CPU)."""
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")


@cache
def shipped() -> BlockModel:
    """The model with the weights in the package."""
    with np.load(WEIGHTS) as weights:
        return BlockModel(dict(weights))


__all__ = ["BlockModel", "Judgement", "shipped"]

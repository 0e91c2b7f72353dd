"""The trained network over a page's blocks: features in, probabilities out. Needs numpy only; knows no HTML.

Each block starts as a vector of its own features. In each layer it then sees itself, one neighbour on either side (1,
2, 4, 8 blocks away) and the mean of two of the containers that it stands in; the last layer also sees the whole page. A
container's blocks are consecutive, so its mean is a difference of two running sums. The page's kind comes from the mean
and the maximum of the vectors. docs/extraction.md tells what else was tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nephila.content.features import LEVELS, Floats, PageFeatures

WEIGHTS = Path(__file__).parent / "weights" / "blocks.npz"
DISTANCES = (1, 2, 4, 8)
POOLED = ((0, 1), (1, 2), (2, 3), (3, 4))
"""The levels of containers whose means each layer sees; in the last one the page stands for the second."""
CLIP = 5.0

Weights = Mapping[str, Floats]


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
        self._weights = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}
        self._layers = sum(name.startswith("layer") for name in weights)
        self._scale = (1 / self._weights["deviation"]).astype(np.float32)
        # The layer's five inputs are multiplied at once: side by side, not one below the other.
        width = self._weights["input"].shape[1]
        self._wide = [
            np.concatenate(np.split(self._weights[f"layer{index}"], 5), axis=1) for index in range(self._layers)
        ]
        self._width = width

    def judge(self, page: PageFeatures) -> Judgement:
        with _one_thread():
            vectors = self._vectors(page)
            weights = self._weights
            blocks = _sigmoid(vectors @ weights["output"] + weights["output_bias"])
            pooled = np.concatenate((vectors.mean(axis=0), vectors.max(axis=0)))
            kinds = _softmax(pooled @ weights["kind"] + weights["kind_bias"])
        return Judgement(blocks[:, 0], blocks[:, 1], kinds)

    def _vectors(self, page: PageFeatures) -> Floats:
        vectors = self._input(page)
        spans = page.spans[page.ancestors]
        starts, ends = spans[:, :, 0], spans[:, :, 1]
        sizes = np.maximum(ends - starts, 1).astype(np.float32)
        for index in range(self._layers):
            vectors = self._layer(index, vectors, starts, ends, sizes)
        return vectors

    def _input(self, page: PageFeatures) -> Floats:
        weights = self._weights
        dense = np.clip((page.dense - weights["mean"]) * self._scale, -CLIP, CLIP)
        # Bucket 0 is "none" and its row is zero, so that plain sums are right.
        named = weights["names"][page.names].sum(axis=1)[page.ancestors].reshape(len(dense), -1)
        worded = weights["words"][page.words].sum(axis=1)
        inputs = np.concatenate((dense, named, worded), axis=1)
        return np.asarray(np.maximum(inputs @ weights["input"] + weights["input_bias"], 0))

    def _layer(self, index: int, vectors: Floats, starts: Any, ends: Any, sizes: Floats) -> Floats:
        width, distance = self._width, DISTANCES[index]
        parts = vectors @ self._wide[index]
        # What a neighbour or a container contributes is linear: first multiplied, then moved or averaged.
        total = parts[:, :width] + self._weights[f"bias{index}"]
        total[distance:] += parts[:-distance, width : 2 * width]
        total[:-distance] += parts[distance:, 2 * width : 3 * width]
        sums = np.zeros((len(parts) + 1, 2 * width), dtype=np.float32)
        np.cumsum(parts[:, 3 * width :], axis=0, out=sums[1:])
        last = index == self._layers - 1
        for place, level in enumerate(POOLED[index]):
            columns = slice(place * width, (place + 1) * width)
            if last and place == 1:
                total += sums[-1, columns] / len(parts)
                continue
            total += (sums[ends[:, level], columns] - sums[starts[:, level], columns]) / sizes[:, level, None]
        np.maximum(total, 0, out=total)
        total += vectors
        return np.asarray(total)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), dtype=np.float32)


def _softmax(values: Floats) -> Floats:
    grown = np.exp(values - values.max())
    return np.asarray(grown / grown.sum(), dtype=np.float32)


@cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]
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


__all__ = ["LEVELS", "BlockModel", "Judgement", "shipped"]

"""The trained network over a page's blocks: features in, probabilities out. Knows no HTML.

Each block starts as a vector of its own features. In each layer it then sees itself, one neighbour on either side (1,
2, 4, 8, 16 blocks away), the mean of two of the containers that it stands in, and the mean of the page. A container's
blocks are consecutive, so its mean is a difference of two running sums. The page's kind comes from the mean and the
maximum of the vectors. Boosted trees (`refine`, `symmetric`) then correct what the network says of the blocks that it
does not rule out. docs/extraction-tried.md tells what else was tried.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats, PageFeatures
from nephila.content.judgement import Judgement
from nephila.content.native.network import NativeNetwork
from nephila.content.site.look import with_site
from nephila.content.talk.whole import TALK_TREES, talk_asked, with_talk
from nephila.content.trees.second_look import second_look
from nephila.content.trees.symmetric import SymmetricTrees
from nephila.document.outline import Ints

WEIGHTS = Path(__file__).parent / "weights" / "blocks.npz"
DISTANCES = (1, 2, 4, 8, 16)
POOLED = ((0, 1), (1, 2), (2, 3), (3, 4), (1, 3))
"""The levels of containers whose means each layer sees."""
INPUTS = 6
"""Itself, the neighbours before and after, two containers, the page."""
CLIP = 5.0
TREES, SITE_TREES = "trees", "site_trees"
"""What the weights of the second look and of the look at the site begin with."""
_FIRST_WORD = np.float32(0.1)
"""The network's say beside the trees': a little steadies them, half is worse than either (docs/extraction-tried.md)."""

Weights = Mapping[str, NDArray[np.generic]]


class BlockModel:
    """The network with its weights, ready to judge pages. Stateless, hence shared by threads."""

    def __init__(self, weights: Weights) -> None:
        self._trees = SymmetricTrees.from_weights(weights, TREES)
        self._talk = SymmetricTrees.from_weights(weights, TALK_TREES)
        self._site = SymmetricTrees.from_weights(weights, SITE_TREES)
        own = {name: value for name, value in weights.items() if "trees." not in name}
        self._weights = {name: np.asarray(value, dtype=np.float32) for name, value in own.items()}
        self._layers = sum(name.startswith("layer") for name in weights)
        self._scale = (1 / self._weights["deviation"]).astype(np.float32)
        width = self._weights["input"].shape[1]
        layers = [self._weights[f"layer{index}"] for index in range(self._layers)]
        self._around = [np.ascontiguousarray(layer[:-width]) for layer in layers]
        self._of_page = [np.ascontiguousarray(layer[-width:]) for layer in layers]
        self._width = width
        self._native = NativeNetwork.of(self._weights, CLIP, self._layers)
        self._known: list[float] = self._weights["confidence_x"].tolist()
        self._real: list[float] = self._weights["confidence_y"].tolist()

    def judge(self, page: PageFeatures) -> Judgement:
        """The network's judgement, corrected by the trees where the weights have some."""
        judgement = self._first_look(page)
        again = None if self._trees is None else second_look(page, judgement, self._trees)
        if again is None:
            return judgement
        main = judgement.main.copy()
        # The first row of the inputs is what the network said.
        main[again.rows] = _sigmoid((1 - _FIRST_WORD) * again.logits + _FIRST_WORD * again.inputs[0])
        second = Judgement(main, judgement.comment, judgement.kinds)
        if self._talk is None or not talk_asked(page, judgement):
            return second
        return with_talk(self._talk, page, second, again)

    def _first_look(self, page: PageFeatures) -> Judgement:
        told = None if self._native is None else self._native.judge(page)
        return told or self._by_numpy(page)

    def _by_numpy(self, page: PageFeatures) -> Judgement:
        with _one_thread():
            vectors = self._vectors(page)
            weights = self._weights
            blocks = _sigmoid(vectors @ weights["output"] + weights["output_bias"])
            pooled = np.concatenate((vectors.mean(axis=0), vectors.max(axis=0)))
            kinds = _softmax(pooled @ weights["kind"] + weights["kind_bias"])
        return Judgement(blocks[:, 0], blocks[:, 1], kinds)

    def confidence(self, expected: float) -> float:
        """The F1 that pages with this expected F1 really had, of pages that the model had not seen."""
        known, real = self._known, self._real
        after = bisect_right(known, expected)
        if not 0 < after < len(known):
            return real[min(after, len(known) - 1)]
        slope = (real[after] - real[after - 1]) / (known[after] - known[after - 1])
        return slope * (expected - known[after - 1]) + real[after - 1]

    def with_site(self, judgement: Judgement, weights: Floats, signals: Floats) -> Floats:
        """The probabilities in the light of the site's other pages."""
        return with_site(self._site, judgement, weights, signals)

    def _vectors(self, page: PageFeatures) -> Floats:
        vectors = self._input(page)
        places = _Places(page.spans, page.ancestors, page_weights(page.weights))
        # What each block sees, side by side: one product a layer.
        seen = np.empty((len(vectors), (INPUTS - 1) * self._width), dtype=np.float32)
        for index in range(self._layers):
            vectors = self._layer(index, vectors, seen, places)
        return vectors

    def _input(self, page: PageFeatures) -> Floats:
        weights = self._weights
        count, dense = page.dense.shape
        inputs = np.empty((count, len(weights["input"])), dtype=np.float32)
        own = inputs[:, :dense]
        np.subtract(page.dense, weights["mean"], out=own)
        own *= self._scale
        np.clip(own, -CLIP, CLIP, out=own)
        # Bucket 0 is "none" and its row is zero, so that plain sums are right.
        named = _added(weights["names"].take(page.names, axis=0))
        words = weights["words"].shape[1]
        inputs[:, dense:-words] = named.take(page.ancestors, axis=0).reshape(count, -1)
        inputs[:, -words:] = _added(weights["words"].take(page.words, axis=0))
        vectors = inputs @ weights["input"]
        vectors += weights["input_bias"]
        return np.asarray(np.maximum(vectors, 0, out=vectors))

    def _layer(self, index: int, vectors: Floats, seen: Floats, places: _Places) -> Floats:
        width, distance = self._width, DISTANCES[index]
        seen[:, :width] = vectors
        before, after = seen[:, width : 2 * width], seen[:, 2 * width : 3 * width]
        before[:distance] = 0
        before[distance:] = vectors[:-distance]
        after[-distance:] = 0
        after[:-distance] = vectors[distance:]
        sums = np.zeros((len(vectors) + 1, width), dtype=np.float32)
        np.cumsum(vectors, axis=0, out=sums[1:])
        for place, level in enumerate(POOLED[index], 3):
            inside = sums.take(places.ends[level], axis=0)
            inside -= sums.take(places.starts[level], axis=0)
            np.multiply(inside, places.shares[level], out=seen[:, place * width : (place + 1) * width])
        # The page's mean is the same for all blocks.
        of_page = places.weights @ vectors if index % 2 else sums[-1] / np.float32(len(vectors))
        total = seen @ self._around[index]
        total += of_page @ self._of_page[index] + self._weights[f"bias{index}"]
        np.maximum(total, 0, out=total)
        total += vectors
        return np.asarray(total)


class _Places:
    """Where the blocks stand: the same for all layers. By level of containers."""

    __slots__ = ("ends", "shares", "starts", "weights")

    def __init__(self, spans: Ints, ancestors: Ints, weights: Floats) -> None:
        above = ancestors.T
        starts, ends = spans[:, 0].astype(np.intp), spans[:, 1].astype(np.intp)
        shares = (1 / np.maximum(ends - starts, 1)).astype(np.float32)
        self.starts, self.ends = starts.take(above), ends.take(above)
        self.shares, self.weights = shares.take(above)[:, :, None], weights


def page_weights(tokens: Floats) -> Floats:
    """The weight of each block in the page's mean of every other layer: long blocks say more of what a page is."""
    roots = np.sqrt(tokens)
    return np.asarray(roots / max(1.0, float(roots.sum())), dtype=np.float32)


def _added(vectors: Floats) -> Floats:
    """The sums along the second axis, as one product: a few short vectors each, of which numpy sums one by one."""
    rows, each, width = vectors.shape
    return np.asarray(vectors.reshape(rows, each * width) @ _stacked(each, width))


@cache
def _stacked(times: int, width: int) -> Floats:
    return np.tile(np.eye(width, dtype=np.float32), (times, 1))


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), dtype=np.float32)


def _softmax(values: Floats) -> Floats:
    grown = np.exp(values - values.max())
    return np.asarray(grown / grown.sum(), dtype=np.float32)


@cache
def _libraries() -> list[Any]:
    """The libraries of linear algebra that run threads."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return []
    return [one for one in ThreadpoolController().lib_controllers if one.user_api == "blas"]


@contextmanager
def _one_thread() -> Iterator[None]:
    """The matrices are small: threads of the linear algebra would only wait for each other (measured: 12x the CPU)."""
    several = [(library, count) for library in _libraries() if (count := library.get_num_threads()) != 1]
    for library, _ in several:
        library.set_num_threads(1)
    try:
        yield
    finally:
        for library, count in several:
            library.set_num_threads(count)


@cache
def shipped() -> BlockModel:
    """The model with the weights in the package."""
    with np.load(WEIGHTS) as weights:
        return BlockModel(dict(weights))


__all__ = ["BlockModel", "Judgement", "shipped"]

"""Boosted symmetric trees in numpy: all nodes of one depth ask the same question. Knows numbers only.

So the leaf of a row is a number whose bits are the answers, and nobody walks down a tree: 300 trees take a tenth of the
time of 160 ordinary ones (`forest`), and were as accurate (docs/extraction-tried.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import CDLL, c_int64, c_void_p
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.native.refine import TreePlaces
from nephila.native import address, load

_AT_ONCE = 128
"""Blocks whose answers stay in the processor's cache."""
FEATURE, THRESHOLD, VALUE, BIAS = "feature", "threshold", "value", "bias"


@cache
def _library() -> CDLL | None:
    native = load()
    if native is not None:
        array, number = c_void_p, c_int64
        native.nephila_trees.argtypes = [array, number, number, array, array, array, number, number, array]
    return native


class SymmetricTrees:
    """T trees of depth D, at most eight: questions T x D, the first is the lowest bit of the leaf; leaves T x 2^D."""

    def __init__(self, features: NDArray[np.integer], thresholds: Floats, values: Floats, bias: float) -> None:
        self._count, self._depth = features.shape
        # The first questions of all trees, then the second ones, and so on.
        self._features = features.T.astype(np.intp).ravel()
        self._thresholds = thresholds.T.astype(np.float32)[:, :, None]
        self._values = values.astype(np.float32).ravel()
        self._starts = (np.arange(self._count, dtype=np.intp) << self._depth)[:, None]
        self.bias = np.float32(bias)
        self._native = _library()
        # As the library takes them: all questions of a tree side by side.
        self._asked = np.ascontiguousarray(features, dtype=np.int64)
        self._bounds = np.ascontiguousarray(thresholds, dtype=np.float32)
        self.places = TreePlaces(
            address(self._asked), address(self._bounds), address(self._values), self._count, self._depth
        )

    @classmethod
    def from_weights(cls, weights: Mapping[str, NDArray[np.generic]], prefix: str) -> SymmetricTrees | None:
        """None when the weights hold no trees of that name."""
        if f"{prefix}.{FEATURE}" not in weights:
            return None
        feature, threshold, value, bias = (weights[f"{prefix}.{name}"] for name in (FEATURE, THRESHOLD, VALUE, BIAS))
        return cls(
            np.asarray(feature, np.int64),
            np.asarray(threshold, np.float32),
            np.asarray(value, np.float32),
            float(np.asarray(bias, np.float32)[0]),
        )

    def probabilities(self, inputs: Floats) -> Floats:
        """`inputs`: a row for each number, a column for each block."""
        return np.asarray(1 / (1 + np.exp(-self.logits(inputs))), dtype=np.float32)

    def logits(self, inputs: Floats) -> Floats:
        """The sums of the leaves, before they become probabilities."""
        if self._native is not None and inputs.dtype == np.float32:
            # Columns that were picked out of others lie side by side in memory, rather than the rows.
            rows = inputs if inputs.strides[1] == inputs.itemsize else np.ascontiguousarray(inputs)
            return self._natively(self._native, rows)
        columns = inputs.shape[1]
        if columns > _AT_ONCE:
            parts = [self.logits(inputs[:, start : start + _AT_ONCE]) for start in range(0, columns, _AT_ONCE)]
            return np.concatenate(parts)
        asked = inputs.take(self._features, axis=0).reshape(self._depth, self._count, columns)
        answers = (asked > self._thresholds).view(np.uint8)
        leaves = answers[-1]
        for answer in answers[-2::-1]:
            leaves <<= 1
            leaves |= answer
        return np.asarray(self._values.take(self._starts + leaves).sum(axis=0) + self.bias, dtype=np.float32)

    def _natively(self, native: CDLL, inputs: Floats) -> Floats:
        columns, stride = inputs.shape[1], inputs.strides[0] // inputs.itemsize
        sums = np.zeros(columns, dtype=np.float32)
        native.nephila_trees(address(inputs), columns, stride, *self.places, address(sums))
        return np.asarray(sums + self.bias, dtype=np.float32)

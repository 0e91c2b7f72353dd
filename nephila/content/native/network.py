"""The network's say by the native library: the same as `BlockModel`'s, but for rounding. Knows numbers only."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats, PageFeatures
from nephila.content.judgement import Judgement
from nephila.native import address, load

_NUMBERS = ("width", "dense", "name_width", "name_buckets", "word_width", "word_buckets", "kinds")
_ARRAYS = ("mean", "scale", "names", "words", "input", "input_bias", "layers", "biases")
_SAYS = ("output", "output_bias", "kind", "kind_bias")
_PANEL = 16
"""The library's products take as many columns at once."""


_NETWORK = Struct(f"{len(_NUMBERS) + len(_ARRAYS) + len(_SAYS)}qf")
"""The library's `struct network`."""
_JUDGED = Struct("12q")
"""Its `struct judged`."""


class NativeNetwork:
    """The weights as the library takes them."""

    def __init__(self, native: ctypes.CDLL, weights: Mapping[str, Floats], clip: float, layers: int) -> None:
        self._native = native
        found = dict(weights)
        found["scale"] = (1 / weights["deviation"]).astype(np.float32)
        found["layers"] = np.stack([weights[f"layer{index}"] for index in range(layers)])
        found["biases"] = np.stack([weights[f"bias{index}"] for index in range(layers)])
        # They must live as long as the addresses below.
        self._arrays = {name: np.ascontiguousarray(found[name], dtype=np.float32) for name in (*_ARRAYS, *_SAYS)}
        self._width, self._kinds = weights["input"].shape[1], weights["kind"].shape[1]
        self._inputs, self._name_width = len(weights["input"]), weights["names"].shape[1]
        numbers = (
            *(self._width, len(weights["mean"]), self._name_width, len(weights["names"])),
            *(weights["words"].shape[1], len(weights["words"]), self._kinds),
        )
        self._network = _NETWORK.pack(*numbers, *map(address, self._arrays.values()), clip)

    @classmethod
    def of(cls, weights: Mapping[str, Floats], clip: float, layers: int) -> NativeNetwork | None:
        """None where there is no library, or the network is of another shape than it knows."""
        native = load()
        if native is None or layers != _LAYERS or weights["input"].shape[1] % _PANEL:
            return None
        return cls(native, weights, clip, layers)

    def judge(self, page: PageFeatures) -> Judgement | None:
        """None where the page's numbers are not what they should be."""
        count, containers = len(page.dense), len(page.names)
        cells = (6 * count + 1) * self._width + count * (self._inputs + 1) + containers * self._name_width
        room = np.empty(cells, dtype=np.float32)
        told = np.empty(2 * count + self._kinds, dtype=np.float32)
        given: list[NDArray[np.generic]] = [
            np.ascontiguousarray(page.dense, dtype=np.float32),
            *(np.ascontiguousarray(each, np.int32) for each in (page.words, page.names, page.ancestors, page.spans)),
            np.ascontiguousarray(page.weights, dtype=np.float32),
        ]
        out = address(told)
        judged = _JUDGED.pack(
            *(count, containers, *map(address, given), address(room)), *(out, out + 4 * count, out + 8 * count)
        )
        if self._native.nephila_judge(self._network, judged):
            return None
        return Judgement(told[:count], told[count : 2 * count], told[2 * count :])


_LAYERS = 5

"""The two models: a site's own, told by exact styles, and the shipped one, told by what transfers. Numpy only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import orjson

from nephila.content.visual.features import FEATURES, transferable
from nephila.content.visual.page import VisualPage
from nephila.content.visual.vocabulary import Floats, all_names, rows_of
from nephila.errors import InputError

WEIGHTS = Path(__file__).parent / "weights" / "general.npz"
_FORMAT = 1
_SMALLEST = 1e-4
"""Weights below it change no decision, and are not kept."""


@dataclass(frozen=True, slots=True)
class GeneralModel:
    """A plane over `transferable` features; a block's score is its height above it."""

    weights: Floats
    bias: float

    def scores(self, page: VisualPage) -> Floats:
        return np.asarray(transferable(page) @ self.weights + self.bias)

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            path,
            allow_pickle=False,
            weights=self.weights.astype(np.float32),
            bias=np.array(self.bias),
            features=np.array(FEATURES),
        )

    @classmethod
    def load(cls, path: Path) -> GeneralModel:
        with np.load(path, allow_pickle=False) as kept:
            if tuple(kept["features"].tolist()) != FEATURES:
                raise InputError(f"{path} was trained with other features: train it again")
            return cls(kept["weights"].astype(np.float64), float(kept["bias"]))


@cache
def shipped() -> GeneralModel:
    with as_file(files("nephila.content.visual") / "weights" / "general.npz") as path:
        return GeneralModel.load(path)


@dataclass(frozen=True, slots=True)
class SiteModel:
    """A plane over the exact styles and paths of one site."""

    weights: Mapping[str, float]
    bias: float
    pages: int
    """It was learned from."""
    covered: float
    """The share of these on which it found content."""

    def scores(self, page: VisualPage) -> Floats:
        rows, names = rows_of(page.blocks, all_names, self._columns())
        return np.asarray(rows.dot(np.fromiter((self.weights[name] for name in names), float, len(names))) + self.bias)

    def _columns(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.weights)}

    @classmethod
    def of(cls, names: Sequence[str], weights: Floats, bias: float, pages: int, covered: float) -> SiteModel:
        kept = {name: round(float(w), 6) for name, w in zip(names, weights, strict=True) if abs(w) >= _SMALLEST}
        return cls(kept, round(bias, 6), pages, covered)

    def to_bytes(self) -> bytes:
        return orjson.dumps(
            {
                "format": _FORMAT,
                "weights": dict(self.weights),
                "bias": self.bias,
                "pages": self.pages,
                "covered": self.covered,
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> SiteModel | None:
        """None for a model of another version: it is learned again."""
        kept = orjson.loads(data)
        if not isinstance(kept, dict) or kept.get("format") != _FORMAT:
            return None
        return cls(kept["weights"], kept["bias"], kept["pages"], kept["covered"])

"""Networks that an earlier run had trained from the same pages: a training that was stopped goes on. Knows files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from inspect import getsource
from pathlib import Path

import numpy as np
from xxhash import xxh3_128

from nephila.content.features.page import Floats
from nephila.content.training import batches, network
from nephila.content.training import fit as fitting
from nephila.content.training.examples import Example, Variants
from nephila.content.training.fit import Report, Settings, fit


def kept_fit(
    examples: Sequence[Example], variants: Variants, settings: Settings, report: Report, folder: Path | None
) -> dict[str, Floats]:
    """What `fit` gives; with a folder, from there when it was trained before."""
    if folder is None:
        return fit(examples, variants, settings, report)
    path = folder / f"network-{_digest(examples, variants, settings)}.npz"
    if path.exists():
        report("trained before")
        with np.load(path) as kept:
            return dict(kept)
    weights = fit(examples, variants, settings, report)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        np.savez(file, allow_pickle=False, **weights)
    unfinished.rename(path)
    return weights


def _digest(examples: Sequence[Example], variants: Variants, settings: Settings) -> str:
    """Of all that the weights come from: the settings, the code of the training, and the pages in their order."""
    examples = [one for example in examples for one in (example, *variants.get(example.key, ()))]
    digest = xxh3_128(repr(astuple(settings)).encode())
    for module in (batches, network, fitting):
        digest.update(getsource(module).encode())
    for example in examples:
        features, labels = example.features, example.labels
        digest.update(repr((example.key, labels.kind, labels.gold_tokens)).encode())
        for array in (features.dense, features.words, features.names, features.ancestors, features.spans):
            digest.update(np.ascontiguousarray(array).data)
        for array in (features.weights, labels.main, labels.comments):
            digest.update(np.ascontiguousarray(array).data)
    return str(digest.hexdigest())

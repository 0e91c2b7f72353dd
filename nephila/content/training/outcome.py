"""The whole training, from a data directory to the weights in the package. Knows the other files of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.gold.datasets import FOLDS, set_names
from nephila.content.model import WEIGHTS, BlockModel
from nephila.content.score import Score
from nephila.content.training.examples import Example, Variants, load_examples, load_variants
from nephila.content.training.fit import Report, Settings
from nephila.content.training.kept import kept_fit
from nephila.content.training.refinement import fit_refinement
from nephila.content.training.sites import fit_site
from nephila.content.training.talk import fit_talk
from nephila.content.training.validation import Judgements, fit_confidence, judge_folds, score_table


@dataclass(slots=True)
class Outcome:
    """What a cross-validation found."""

    table: dict[str, Score]
    judgements: Judgements
    confidence: tuple[Floats, Floats]
    site: dict[str, NDArray[np.generic]]
    """The trees that join the model's word with the site's."""
    trees: dict[str, NDArray[np.generic]]
    """The second look of the model that is shipped, and its look at comments, learned from all folds."""


def cross_validate(
    examples: Sequence[Example],
    variants: Variants,
    settings: Settings,
    report: Report,
    keep: Path | None = None,
    cache: Path | None = None,
    folds: Sequence[int] = range(FOLDS),
) -> Outcome:
    """Trains one model a fold and scores the pages that it had not seen.

    `keep`: where each fold's model is written; `cache`: where networks are kept that were trained before.
    """
    networks: dict[int, dict[str, Floats]] = {}

    def train(others: Sequence[Example], fold: int) -> BlockModel:
        report(f"fold {fold}: {len(others)} pages")
        networks[fold] = complete(kept_fit(others, variants, settings, report, cache))
        return BlockModel(networks[fold])

    first = judge_folds(examples, train, folds)
    return second_look(examples, first, networks, settings.seed, keep)


def second_look(
    examples: Sequence[Example],
    first: Judgements,
    networks: dict[int, dict[str, Floats]],
    seed: int,
    keep: Path | None = None,
) -> Outcome:
    """Trains the trees from the networks' judgements of pages that they had not seen, fold by fold, and on all."""
    judged = [example for example in examples if example.key in first]
    judgements: Judgements = {}
    for fold, network in networks.items():
        trees = _fit_looks([example for example in judged if example.sample.fold != fold], first, seed)
        if keep is not None:
            save(network | trees, keep / f"fold{fold}.npz")
        model = BlockModel(network | trees)
        judgements |= {e.key: model.judge(e.features) for e in judged if e.sample.fold == fold}
    table = score_table(judged, judgements)
    return Outcome(
        table,
        judgements,
        fit_confidence(judged, judgements),
        fit_site(judged, judgements, seed),
        _fit_looks(judged, first, seed),
    )


def _fit_looks(examples: Sequence[Example], first: Judgements, seed: int) -> dict[str, NDArray[np.generic]]:
    return fit_refinement(examples, first, seed) | fit_talk(examples, first, seed)


def complete(weights: dict[str, Floats], confidence: tuple[Floats, Floats] | None = None) -> dict[str, Floats]:
    """The network's weights with what the cross-validation learned; without one, with nothing learned."""
    line = confidence or (np.array([0, 1], np.float32), np.array([0, 1], np.float32))
    return weights | {"confidence_x": line[0], "confidence_y": line[1]}


def save(weights: Mapping[str, NDArray[np.generic]], path: Path = WEIGHTS) -> None:
    """The network's matrices in half precision: the same answers to three digits, at half the size."""
    whole = {"mean", "deviation", "confidence_x", "confidence_y"}
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {
        name: value if name in whole or "trees." in name else value.astype(np.float16)
        for name, value in weights.items()
    }
    np.savez_compressed(path, allow_pickle=False, **arrays)


@dataclass(frozen=True, slots=True)
class Places:
    """Where a training reads and writes."""

    data: Path
    weights: Path = WEIGHTS
    folds: Path | None = None
    cache: Path | None = None


def train_default(places: Places, settings: Settings, report: Report, variants_each: int = 0) -> Outcome:
    """`nephila train`: cross-validates, trains on all pages, writes the weights, and tells what was found."""
    left_out: list[str] = []
    sets = set_names(places.data)
    examples = load_examples(places.data, sets, places.cache, left_out)
    report(f"{len(examples)} pages; {len(left_out)} left out, whose gold is not in them")
    variants: Variants = {}
    if variants_each:
        variants = load_variants(places.data, sets, places.cache, variants_each)
        report(f"{sum(map(len, variants.values()))} variants of them")
    outcome = cross_validate(examples, variants, settings, report, places.folds, places.cache)
    report("all folds: training on all pages")
    network = complete(kept_fit(examples, variants, settings, report, places.cache), outcome.confidence)
    save(network | outcome.trees | outcome.site, places.weights)
    return outcome

"""The whole training, from a data directory to the weights in the package. Knows the other files of this folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nephila.content.datasets import FOLDS, set_names
from nephila.content.features import Floats
from nephila.content.model import WEIGHTS, BlockModel
from nephila.content.score import Score
from nephila.content.training.examples import Example, load_examples
from nephila.content.training.fit import Settings, fit
from nephila.content.training.validation import Judgements, fit_confidence, fit_site, judge_folds, score_table

Report = Callable[[str], None]


@dataclass(slots=True)
class Outcome:
    """What a cross-validation found."""

    table: dict[str, Score]
    judgements: Judgements
    confidence: tuple[Floats, Floats]
    site: Floats


def cross_validate(
    examples: Sequence[Example],
    settings: Settings,
    report: Report,
    keep: Path | None = None,
    folds: Sequence[int] = range(FOLDS),
) -> Outcome:
    """Trains one model a fold and scores the pages that it had not seen. `keep`: where each fold's model is written."""

    def train(others: Sequence[Example], fold: int) -> BlockModel:
        report(f"fold {fold}: {len(others)} pages")
        weights = complete(fit(others, settings, report))
        if keep is not None:
            save(weights, keep / f"fold{fold}.npz")
        return BlockModel(weights)

    judgements = judge_folds(examples, train, folds)
    judged = [example for example in examples if example.key in judgements]
    table = score_table(judged, {key: judgement.main for key, judgement in judgements.items()})
    return Outcome(table, judgements, fit_confidence(judged, judgements), fit_site(judged, judgements))


def complete(
    weights: dict[str, Floats], confidence: tuple[Floats, Floats] | None = None, site: Floats | None = None
) -> dict[str, Floats]:
    """The network's weights with what the cross-validation learned; without one, with nothing learned."""
    line = confidence or (np.array([0, 1], np.float32), np.array([0, 1], np.float32))
    untouched = np.array([0, 1, 0, 0, 0, 0, 0, 0], np.float32)
    return weights | {"confidence_x": line[0], "confidence_y": line[1], "site": untouched if site is None else site}


def save(weights: dict[str, Floats], path: Path = WEIGHTS) -> None:
    """Half precision: the same answers to three digits, at half the size."""
    whole = {"mean", "deviation", "confidence_x", "confidence_y", "site"}
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {name: value if name in whole else value.astype(np.float16) for name, value in weights.items()}
    np.savez_compressed(path, allow_pickle=False, **arrays)


@dataclass(frozen=True, slots=True)
class Places:
    """Where a training reads and writes."""

    data: Path
    weights: Path = WEIGHTS
    folds: Path | None = None
    cache: Path | None = None


def train_default(places: Places, settings: Settings, report: Report) -> Outcome:
    """`nephila train`: cross-validates, trains on all pages, writes the weights, and tells what was found."""
    left_out: list[str] = []
    examples = load_examples(places.data, set_names(places.data), places.cache, left_out)
    report(f"{len(examples)} pages; {len(left_out)} left out, whose gold is not in them")
    outcome = cross_validate(examples, settings, report, places.folds)
    report("all folds: training on all pages")
    save(complete(fit(examples, settings, report), outcome.confidence, outcome.site), places.weights)
    return outcome

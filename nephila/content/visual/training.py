"""Trains the shipped model: what transfers, from the pages of the mixed set that have gold texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nephila.content.visual.data import GoldPage
from nephila.content.visual.features import transferable
from nephila.content.visual.labelling import Bools
from nephila.content.visual.model import GeneralModel
from nephila.content.visual.svm import fit_svm
from nephila.content.visual.tables import POSITIVE_WEIGHT, TRANSFER_COST, gold_labels, is_judged
from nephila.content.visual.vocabulary import Floats, Rows


def train_general(pages: Sequence[GoldPage]) -> GeneralModel:
    judged = [one for one in pages if is_judged(one)]
    columns = np.vstack([transferable(one.page) for one in judged])
    return fit_general(columns, np.concatenate([gold_labels(one) for one in judged]))


def fit_general(columns: Floats, labels: Bools) -> GeneralModel:
    """One row of `transferable` a block."""
    mean, deviation = columns.mean(axis=0), columns.std(axis=0) + 1e-9
    nothing = np.zeros(0, np.int64)
    plane = fit_svm(Rows(nothing, nothing, 0, (columns - mean) / deviation), labels, TRANSFER_COST, POSITIVE_WEIGHT)
    weights = plane.weights / deviation
    # A feature that never varied in training says nothing, whatever it is elsewhere.
    weights[deviation < 1e-6] = 0.0
    return GeneralModel(weights, plane.bias - float(mean @ weights))

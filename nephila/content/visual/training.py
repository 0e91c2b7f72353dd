"""Trains the shipped model: what transfers, from the pages of the mixed set that have gold texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nephila.content.visual.data import GoldPage
from nephila.content.visual.features import transferable
from nephila.content.visual.model import GeneralModel
from nephila.content.visual.svm import fit_svm
from nephila.content.visual.tables import POSITIVE_WEIGHT, TRANSFER_COST, gold_labels, is_judged
from nephila.content.visual.vocabulary import rows_of


def train_general(pages: Sequence[GoldPage]) -> GeneralModel:
    judged = [one for one in pages if is_judged(one)]
    columns = np.vstack([transferable(one.page) for one in judged])
    mean, deviation = columns.mean(axis=0), columns.std(axis=0) + 1e-9
    blocks = [block for one in judged for block in one.page.blocks]
    rows, _ = rows_of(blocks, None, dense=(columns - mean) / deviation)
    labels = np.concatenate([gold_labels(one) for one in judged])
    plane = fit_svm(rows, labels, TRANSFER_COST, POSITIVE_WEIGHT)
    weights = plane.weights / deviation
    # A feature that never varied in training says nothing, whatever it is elsewhere.
    weights[deviation < 1e-6] = 0.0
    return GeneralModel(weights, plane.bias - float(mean @ weights))

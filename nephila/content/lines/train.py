"""Training of system A: labelled lines -> one table of 729 answers. Needs scikit-learn (the extra `train`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.gold.align import shares
from nephila.content.lines.classify import FEATURES, LEVELS, Table, all_cells, cell
from nephila.content.lines.discretise import discretise
from nephila.content.lines.features import measure, normalise
from nephila.content.lines.preprocess import lines_of
from nephila.content.score import tokens
from nephila.document import Document

Counts = NDArray[np.float64]
"""How many lines of each table row are (not topical, topical): all that a classifier of discrete lines needs."""

TOPICAL_SHARE = 0.5


def count_lines(document: Document, gold: str, keep_links: bool = False) -> Counts:
    """The labelled lines of one page. A line is topical when at least half of its tokens are the gold's."""
    counts = np.zeros((LEVELS**FEATURES, 2))
    lines = lines_of(document, keep_links)
    if not lines:
        return counts
    labels = np.array(shares([tokens(line.text) for line in lines], tokens(gold))) >= TOPICAL_SHARE
    np.add.at(counts, (cell(discretise(normalise(measure(lines)))), labels.astype(int)), 1)
    return counts


def fit(counts: Counts, classifier: str) -> Table:
    """Trains one of the paper's three classifiers."""
    levels, labels, weights = _examples(counts)
    if len(np.unique(labels)) < 2:
        return np.full(LEVELS**FEATURES, bool(labels.any()))
    model = _model(classifier)
    model.fit(_encoded(levels, classifier), labels, sample_weight=weights)
    return np.asarray(model.predict(_encoded(all_cells(), classifier)), dtype=bool)


def _model(classifier: str) -> Any:
    if classifier == "svm":
        from sklearn.svm import SVC

        return SVC(kernel="rbf", gamma=0.5)
    if classifier == "nb":
        from sklearn.naive_bayes import CategoricalNB

        return CategoricalNB(min_categories=LEVELS)
    from sklearn.tree import DecisionTreeClassifier

    # C4.5 splits by the gain of entropy, and prunes what rests on few lines.
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)


def _encoded(levels: NDArray[np.int64], classifier: str) -> NDArray[np.int64]:
    """Levels are names to an SVM, not amounts: three indicators a feature."""
    return np.eye(LEVELS, dtype=np.int64)[levels].reshape(len(levels), -1) if classifier == "svm" else levels


def _examples(counts: Counts) -> tuple[NDArray[np.int64], NDArray[np.int64], Counts]:
    rows, labels = np.nonzero(counts)
    return all_cells()[rows], labels, counts[rows, labels]


def folds_of(pages: int, folds: int = 10, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each page for the paper's 10-fold cross-validation."""
    return np.random.default_rng(seed).permutation(np.arange(pages) % folds)


def cross_validate(counts: Iterable[Counts], classifier: str, folds: int = 10) -> Iterator[tuple[int, Table]]:
    """(page, the table trained without the page's fold) for each page of one site."""
    pages = list(counts)
    fold_of = folds_of(len(pages), folds)
    total = np.sum(pages, axis=0)
    for fold in range(folds):
        members = np.flatnonzero(fold_of == fold).tolist()
        if not members:
            continue
        table = fit(total - np.sum([pages[page] for page in members], axis=0), classifier)
        yield from ((page, table) for page in members)

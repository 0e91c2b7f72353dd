"""System A by its letter and what each of its steps costs: 10-fold cross-validation within each site, as in the paper.

    python -m benchmarks.content_lines --data DIR [--pages N]

Prints one line a variant: the mean F1 over the sites, and the F1 of each site. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from nephila.content.gold.align import shares
from nephila.content.gold.datasets import gold_is_present, read_set
from nephila.content.lines.classify import FEATURES, LEVELS, classify
from nephila.content.lines.discretise import discretise
from nephila.content.lines.features import LINKS, OUTPUT_LENGTH, TEXT_LENGTH, measure, normalise
from nephila.content.lines.preprocess import Line, lines_of
from nephila.content.lines.segment import LEAST_SCORE, WINDOW, blocks_of, line_scores, main_blocks
from nephila.content.lines.train import TOPICAL_SHARE, cell, cross_validate, folds_of
from nephila.content.score import bag_score, tokens
from nephila.document import parse

Topical = Callable[[list["Lined"]], list[np.ndarray[Any, Any]]]


@dataclass(slots=True)
class Lined:
    """A page as lines, with the label of each."""

    lines: list[Line]
    labels: np.ndarray[Any, Any]
    gold: str


def read_sites(data: Path, name: str, most: int, keep_links: bool) -> dict[str, list[Lined]]:
    sites: dict[str, list[Lined]] = defaultdict(list)
    for sample in read_set(data, name):
        if len(sites[sample.site]) >= most:
            continue
        document = parse(sample.html, sample.url)
        text = document.text(hidden=True)
        if not gold_is_present(sample, lambda _, text=text: text):
            continue
        lines = lines_of(document, keep_links)
        if lines:
            labels = np.array(shares([tokens(line.text) for line in lines], tokens(sample.gold))) >= TOPICAL_SHARE
            sites[sample.site].append(Lined(lines, labels, sample.gold))
    return dict(sites)


def by_table(classifier: str) -> Topical:
    """The paper's way: levels, and a classifier of levels."""

    def topical(pages: list[Lined]) -> list[np.ndarray[Any, Any]]:
        levels = [discretise(normalise(measure(page.lines))) for page in pages]
        counts = []
        for page, of_page in zip(pages, levels, strict=True):
            count = np.zeros((LEVELS**FEATURES, 2))
            np.add.at(count, (cell(of_page), page.labels.astype(int)), 1)
            counts.append(count)
        found: dict[int, np.ndarray[Any, Any]] = {
            index: classify(levels[index], table) for index, table in cross_validate(counts, classifier)
        }
        return [found[index] for index in range(len(pages))]

    return topical


def by_numbers(model: Callable[[], Any], features: Callable[[list[Line]], np.ndarray[Any, Any]]) -> Topical:
    """The same classifiers on the numbers themselves."""

    def topical(pages: list[Lined]) -> list[np.ndarray[Any, Any]]:
        inputs = [features(page.lines) for page in pages]
        folds = folds_of(len(pages))
        found = [np.zeros(0, bool)] * len(pages)
        for fold in range(int(folds.max()) + 1):
            others = np.flatnonzero(folds != fold)
            trained = model().fit(
                np.concatenate([inputs[index] for index in others]),
                np.concatenate([pages[index].labels for index in others]),
            )
            for index in np.flatnonzero(folds == fold):
                found[index] = trained.predict(inputs[index])
        return found

    return topical


def normalised(lines: list[Line]) -> np.ndarray[Any, Any]:
    return normalise(measure(lines))


def absolute(lines: list[Line]) -> np.ndarray[Any, Any]:
    """Lengths by their logarithms instead of by the page's longest line, and the line's number beside its share."""
    raw, relative = measure(lines), normalise(measure(lines))
    relative[:, [TEXT_LENGTH, OUTPUT_LENGTH, LINKS]] = np.log1p(raw[:, [TEXT_LENGTH, OUTPUT_LENGTH, LINKS]]) / 10
    return np.column_stack((relative, np.minimum(np.arange(len(lines)), 60) / 60))


def f1_of(pages: list[Lined], topical: Topical, least: float | None, window: int = WINDOW) -> float:
    scores = []
    for page, flags in zip(pages, topical(pages), strict=True):
        blocks = blocks_of(flags, window)
        if least is not None:
            blocks = main_blocks(blocks, line_scores(normalised(page.lines)), least)
        text = "\n".join(line.text for start, end in blocks for line in page.lines[start:end])
        scores.append(bag_score(text, page.gold).f1)
    return float(np.mean(scores))


def tree() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0)


def svm() -> SVC:
    return SVC(C=10, gamma=8)


VARIANTS: list[tuple[str, bool, Topical, float | None]] = [
    ("by the letter, svm", False, by_table("svm"), LEAST_SCORE),
    ("by the letter, nb", False, by_table("nb"), LEAST_SCORE),
    ("by the letter, c45", False, by_table("c45"), LEAST_SCORE),
    ("without step 6 (block scores), svm", False, by_table("svm"), None),
    ("without step 6, nb", False, by_table("nb"), None),
    ("without step 6, c45", False, by_table("c45"), None),
    ("without steps 3 and 6 (levels), svm", False, by_numbers(svm, normalised), None),
    ("without steps 3 and 6, c45", False, by_numbers(tree, normalised), None),
    ("and links kept in the text, c45", True, by_numbers(tree, normalised), None),
    ("and absolute lengths, svm", True, by_numbers(svm, absolute), None),
    ("and absolute lengths, c45", True, by_numbers(tree, absolute), None),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", default="cn_wwwxmu")
    parser.add_argument("--pages", type=int, default=10_000, help="of each site")
    args = parser.parse_args()
    sites = {keep: read_sites(args.data, args.set, args.pages, keep) for keep in (False, True)}
    for name, keep_links, topical, least in VARIANTS:
        scores = {site: f1_of(pages, topical, least) for site, pages in sites[keep_links].items()}
        each = " ".join(f"{site} {score:.3f}" for site, score in scores.items())
        print(f"{name:40} {np.mean(list(scores.values())):.4f}   {each}", flush=True)


if __name__ == "__main__":
    main()

"""What a site's other pages could tell at the most: trees that learned from the *gold* of these pages.

    python -m benchmarks.content_site_bound --data DIR [--cache DIR]

A site's memory has no gold: it hears what the model thought of the site's other pages. Here trees of each site are told
the gold itself, of four fifths of its pages, by place, by first words and by whole text, beside all numbers that the
memory and the model have, and judge the last fifth. What they leave of the error is what no memory without gold can be
asked to go below. Sites with 20 pages and more of one fold, judged by the model in the gate, which never saw them; the
column in the middle has the memory as it is shipped, of all other pages (its trees learned from these sites, too).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.content_held_out import FOLD, GATE
from nephila.content.features.page import Floats
from nephila.content.gold.datasets import set_names
from nephila.content.model import BlockModel, shipped
from nephila.content.score import bag_score
from nephila.content.site.memory import SiteMemory
from nephila.content.training.examples import Example, load_examples
from nephila.content.training.sites import by_site, remember
from nephila.content.training.trees import fit_trees
from nephila.content.training.validation import Judgements, kept_text
from nephila.content.trees.symmetric import SymmetricTrees

PARTS = 5
SETTINGS = {
    "loss_function": "CrossEntropy",
    "iterations": 250,
    "learning_rate": 0.06,
    "depth": 5,
    "l2_leaf_reg": 5,
    "rsm": 0.5,
    "random_seed": 0,
    "thread_count": 1,
    "allow_writing_files": False,
    "verbose": False,
}


class Gold:
    """How much of what stood in a place, began so, or was the same text is gold, on the pages that were told."""

    def __init__(self) -> None:
        self.sums: list[dict[int, list[float]]] = [defaultdict(lambda: [0.0, 0.0]) for _ in range(5)]

    def tell(self, page: Example, sign: float = 1.0) -> None:
        roots = np.sqrt(page.features.weights).tolist()
        for sums, keys in zip(self.sums, _keys(page), strict=True):
            for key, root, share in zip(keys, roots, page.labels.main.tolist(), strict=True):
                sums[key][0] += sign * root
                sums[key][1] += sign * root * share

    def rows(self, page: Example) -> Iterator[Floats]:
        for sums, keys in zip(self.sums, _keys(page), strict=True):
            all_of, gold = np.array([sums.get(key, (0.0, 0.0)) for key in keys]).T
            yield np.where(all_of > 0.1, gold / np.maximum(all_of, 0.1), -1).astype(np.float32)
            yield np.log1p(np.maximum(all_of, 0)).astype(np.float32)


def _keys(page: Example) -> list[list[int]]:
    return [*(level.tolist() for level in page.view.places), page.view.starts, page.view.wholes]


def inputs_of(page: Example, gold: Gold, judgements: Judgements, memory: SiteMemory) -> Floats:
    """A column for each block."""
    judgement = judgements[page.key]
    own = [_logits(judgement.main), _logits(judgement.comment), np.log1p(page.features.weights), *gold.rows(page)]
    beside = [np.roll(row, step) for row in own[:5] for step in (1, -1)]
    return np.concatenate((np.stack(own + beside), memory.signals(page.view, judgement.main), page.features.dense.T))


def _logits(likely: Floats) -> Floats:
    bounded = np.clip(likely, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float32)


def scores(pages: Sequence[Example], judgements: Judgements) -> tuple[float, float, float]:
    """F1 of the model alone, with the site's memory, and of trees that know the gold of the site's other pages."""
    memory = remember(pages, judgements)
    found = list[tuple[float, float, float]]()
    for part in range(PARTS):
        known = [page for place, page in enumerate(pages) if place % PARTS != part]
        gold = Gold()
        for page in known:
            gold.tell(page)
        lessons = []
        for page in known:
            gold.tell(page, -1)  # what a page itself has must not be told of it
            roots = np.sqrt(page.features.weights)
            inputs = inputs_of(page, gold, judgements, memory)
            lessons.append((inputs, page.labels.main, roots / max(1.0, float(roots.sum()))))
            gold.tell(page)
        inputs, labels, weights = (np.concatenate(each, axis=-1) for each in zip(*lessons, strict=True))
        trees = SymmetricTrees.from_weights(fit_trees("trees", inputs.T, labels, weights, SETTINGS), "trees")
        assert trees is not None
        for page in pages[part::PARTS]:
            judgement = judgements[page.key]
            signals = memory.signals(page.view, judgement.main)
            remembered = shipped().with_site(judgement, page.features.weights, signals)
            by_gold = trees.probabilities(inputs_of(page, gold, judgements, memory))
            ways = (judgement.main, remembered, by_gold)
            alone, known_site, told = (bag_score(kept_text(page, judgement, w), page.sample.gold).f1 for w in ways)
            found.append((alone, known_site, told))
    alone, known_site, told = np.mean(found, axis=0).tolist()
    return alone, known_site, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    examples = load_examples(args.data, set_names(args.data), args.cache, [])
    examples = [e for e in examples if e.sample.fold == FOLD and not e.sample.segments_only]
    with np.load(GATE / "model.npz") as weights:
        model = BlockModel(dict(weights))
    errors = np.zeros(3)
    for site, pages in by_site(examples, 20).items():
        left = 1 - np.array(scores(pages, {page.key: model.judge(page.features) for page in pages}))
        errors += left * len(pages)
        print(f"{site:16} {len(pages):4d} F1 {1 - left[0]:.4f}, error left {_shares(left)}", flush=True)
    print(f"all pages: error left {_shares(errors)}")


def _shares(errors: NDArray[np.float64]) -> str:
    return f"{errors[1] / errors[0]:.2f} with the memory, {errors[2] / errors[0]:.2f} with the gold of other pages"


if __name__ == "__main__":
    main()

"""How much a site's memory helps, and how that grows with the pages seen: sites with 20 pages and more.

    python -m benchmarks.content_site --data DIR --folds DIR [--cache DIR] [--plot FILE]

Each page is judged by the model that never saw its site (`nephila train --folds`), and the trees that join the
model's word with the site's come from the other folds' sites. For k pages seen, every page is judged with a memory of k
other pages of its site, drawn at random.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nephila.content.gold.datasets import FOLDS, set_names
from nephila.content.model import SITE_TREES, BlockModel
from nephila.content.score import bag_score
from nephila.content.site.look import with_site
from nephila.content.training.examples import Example, load_examples
from nephila.content.training.sites import by_site, fit_site, remember
from nephila.content.training.validation import Judgements, kept_text
from nephila.content.trees.symmetric import SymmetricTrees

SEEN = (0, 1, 2, 5, 10, 20, 50, 100)


def judged(examples: Sequence[Example], folds: Path) -> Judgements:
    found: Judgements = {}
    for fold in range(FOLDS):
        with np.load(folds / f"fold{fold}.npz") as weights:
            model = BlockModel(dict(weights))
        found |= {e.key: model.judge(e.features) for e in examples if e.sample.fold == fold}
    return found


def page_f1(
    page: Example, pages: Sequence[Example], seen: int, judgements: Judgements, trees: SymmetricTrees | None
) -> float:
    """The F1 of one page with a memory of `seen` other pages of its site."""
    judgement = judgements[page.key]
    likely, weights = judgement.main, page.features.weights
    others = [other for other in pages if other is not page]
    memory = remember(random.Random(page.sample.id).sample(others, min(seen, len(others))), judgements)
    if memory.pages:
        likely = with_site(trees, judgement, weights, memory.signals(page.view))
    return bag_score(kept_text(page, judgement, likely), page.sample.gold).f1


def trees_of(examples: Sequence[Example], judgements: Judgements) -> dict[int, SymmetricTrees | None]:
    """Of each fold, trees that learned from the sites of the others."""
    return {
        fold: SymmetricTrees.from_weights(
            fit_site([e for e in examples if e.sample.fold != fold], judgements, 0), SITE_TREES
        )
        for fold in range(FOLDS)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    examples = [e for e in load_examples(args.data, set_names(args.data), args.cache, []) if not e.sample.segments_only]
    judgements = judged(examples, args.folds)
    trees = trees_of(examples, judgements)
    sites = by_site(examples, 20)
    curve = {}
    for seen in SEEN:
        scores = {
            site: float(np.mean([page_f1(p, pages, seen, judgements, trees[p.sample.fold]) for p in pages]))
            for site, pages in sites.items()
            if len(pages) > seen
        }
        without = {site: curve[0][1][site] if seen else scores[site] for site in scores}
        pages = np.array([len(sites[site]) for site in scores])
        error = float((1 - np.array(list(scores.values()))) @ pages / pages.sum())
        before = float((1 - np.array(list(without.values()))) @ pages / pages.sum())
        curve[seen] = (1 - error, scores)
        print(
            f"{seen:4d} pages seen: F1 {1 - error:.4f}, {error / before:.2f} of the error without ({len(scores)} sites)"
        )
    for site in sites:
        print(
            f"{site:28} {len(sites[site]):4d} "
            + " ".join(f"{curve[k][1][site]:.4f}" for k in SEEN if site in curve[k][1])
        )
    if args.plot is not None:
        _plot({seen: value for seen, (value, _) in curve.items()}, args.plot)


def _plot(curve: dict[int, float], path: Path) -> None:
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.use("Agg")
    figure, axes = plt.subplots(figsize=(6, 3.5))
    axes.plot([max(seen, 0.5) for seen in curve], list(curve.values()), marker="o")
    axes.set_xscale("log")
    axes.set_xlabel("pages of the site seen before")
    axes.set_ylabel("F1, page mean")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    main()

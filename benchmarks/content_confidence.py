"""Whether a page's confidence means what it says: the mean F1 of pages with about the same confidence.

    python -m benchmarks.content_confidence --data DIR --folds DIR [--cache DIR] [--plot FILE]

Each page is judged by the model that never saw its site (`nephila train --folds`), and what an expected F1 is worth is
learned from the other folds alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.content_site import judged
from nephila.content.gold.datasets import FOLDS, set_names
from nephila.content.keeping import keep
from nephila.content.score import bag_score
from nephila.content.training.examples import load_examples
from nephila.content.training.validation import fit_confidence, kept_text

BINS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    examples = [e for e in load_examples(args.data, set_names(args.data), args.cache, []) if not e.sample.segments_only]
    judgements = judged(examples, args.folds)
    said, real = [], []
    for fold in range(FOLDS):
        line = fit_confidence([e for e in examples if e.sample.fold != fold], judgements)
        for example in examples:
            if example.sample.fold == fold:
                judgement = judgements[example.key]
                expected = keep(judgement, example.features, example.texts)[1]
                said.append(float(np.interp(expected, *line)))
                real.append(bag_score(kept_text(example, judgement), example.sample.gold).f1)
    order = np.argsort(said)
    points = []
    for part in np.array_split(order, BINS):
        points.append((float(np.mean(np.take(said, part))), float(np.mean(np.take(real, part)))))
        poor = np.mean(np.take(real, part) < 0.5)
        print(f"confidence {points[-1][0]:.3f}  F1 {points[-1][1]:.3f}  under .5 {poor:.3f}  ({len(part)} pages)")
    gap = np.mean([abs(x - y) for x, y in points])
    print(f"mean gap {gap:.4f}; correlation of confidence and F1 {np.corrcoef(said, real)[0, 1]:.3f}")
    if args.plot is not None:
        _plot(points, args.plot)


def _plot(points: list[tuple[float, float]], path: Path) -> None:
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.use("Agg")
    figure, axes = plt.subplots(figsize=(4, 4))
    axes.plot([0.4, 1], [0.4, 1], color="grey", linewidth=0.8)
    axes.plot(*zip(*points, strict=True), marker="o")
    axes.set_xlabel("confidence")
    axes.set_ylabel("F1, page mean")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    main()

"""What can be had of the sets: the shipped model on the very pages that it learned from, and a choice by the gold.

    python -m benchmarks.content_limits --data DIR [--cache DIR]

A set whose gold goes by one rule is learned nearly to the letter. What stays wrong on pages that were in the training
is gold that no rule explains (a paragraph left out here, a menu put in there), so the first figure bounds what a model
that never saw the site can be asked for; the second, blocks chosen by their labels, bounds any choice of whole blocks.
The last line does the same for the sites with 20 pages and more that benchmarks/content_site.py looks at.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from nephila.content.gold.datasets import set_names
from nephila.content.model import shipped
from nephila.content.score import bag_score
from nephila.content.training.examples import Example, load_examples
from nephila.content.training.sites import by_site
from nephila.content.training.validation import groups_of, kept_text

SITE_PAGES = 20


def page_scores(example: Example) -> tuple[float, float]:
    """F1 of the shipped model, and of the blocks that are gold for the most part."""
    by_gold = "\n".join(text for text, share in zip(example.texts, example.labels.main, strict=True) if share >= 0.5)
    found = kept_text(example, shipped().judge(example.features))
    return bag_score(found, example.sample.gold).f1, bag_score(by_gold, example.sample.gold).f1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    examples = [e for e in load_examples(args.data, set_names(args.data), args.cache, []) if not e.sample.segments_only]
    scores = {example.key: page_scores(example) for example in examples}
    rows: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for example in examples:
        for group in groups_of(example):
            rows[group].append(scores[example.key])
    of_sites = [scores[page.key] for pages in by_site(examples, SITE_PAGES).values() for page in pages]
    rows[f"sites of {SITE_PAGES} pages and more"] = of_sites
    print(f"{'pages of':30} {'number':>6} {'learned':>8} {'by gold':>8}")
    for group, pairs in rows.items():
        learned, by_gold = np.mean(pairs, axis=0)
        print(f"{group:30} {len(pairs):6d} {learned:8.4f} {by_gold:8.4f}")


if __name__ == "__main__":
    main()

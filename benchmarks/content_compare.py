"""Whether one training is better than another, or only luckier: the same pages under both, resampled by site.

    python -m benchmarks.content_compare --data DIR --folds FOLDS [--cache DIR] --scores FILE
    python -m benchmarks.content_compare --before FILE --after FILE

The first form writes the F1 of every page, by the model that never saw its site (`nephila train --folds`), so that
trainings by different code can be compared. The second prints the change of each group of pages and the range that 95
of 100 draws of the same number of sites give: where it holds 0, other sites might turn the difference round. What
another seed of the same training would change comes on top of it.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.content_site import judged
from nephila.content.gold.datasets import set_names
from nephila.content.score import bag_score
from nephila.content.training.examples import load_examples
from nephila.content.training.validation import groups_of, kept_text

DRAWS, LEAST_SITES = 2000, 10

Row = tuple[str, str, list[str], float]
"""A page, its site, the groups that it counts for, its F1."""


def page_scores(data: Path, folds: Path, cache: Path | None) -> list[Row]:
    examples = [e for e in load_examples(data, set_names(data), cache, []) if not e.sample.segments_only]
    judgements = judged(examples, folds)
    return [
        (
            "/".join(example.key),
            example.sample.site,
            groups_of(example),
            bag_score(kept_text(example, judgements[example.key]), example.sample.gold).f1,
        )
        for example in examples
    ]


def changes_by_site(before: Iterable[Row], after: Iterable[Row]) -> dict[str, list[list[float]]]:
    """Of each group, the changes of the pages that both know, a list for each site."""
    known = {page: f1 for page, _, _, f1 in before}
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for page, site, groups, f1 in after:
        for group in groups if page in known else ():
            found[group][site].append(f1 - known[page])
    return {group: list(sites.values()) for group, sites in sorted(found.items())}


def change_and_range(sites: Sequence[Sequence[float]], seed: int = 0) -> tuple[float, float, float]:
    """The mean change of the pages, and where 95 of 100 draws of as many sites have it."""
    pages, total = np.array([len(site) for site in sites]), np.array([sum(site) for site in sites])
    drawn = np.random.default_rng(seed).integers(0, len(sites), (DRAWS, len(sites)))
    means = total[drawn].sum(axis=1) / pages[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(total.sum() / pages.sum()), float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for name in ("--data", "--folds", "--cache", "--scores", "--before", "--after"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    if args.data and args.folds and args.scores:
        args.scores.write_text(json.dumps(page_scores(args.data, args.folds, args.cache)))
    elif args.before and args.after:
        before, after = (json.loads(path.read_text()) for path in (args.before, args.after))
        for group, sites in changes_by_site(before, after).items():
            if len(sites) >= LEAST_SITES:
                pages, (change, low, high) = sum(map(len, sites)), change_and_range(sites)
                print(f"{group:28} {pages:5d} pages {len(sites):4d} sites {change:+.4f} ({low:+.4f} to {high:+.4f})")
    else:
        parser.error("give --data, --folds and --scores, or --before and --after")


if __name__ == "__main__":
    main()

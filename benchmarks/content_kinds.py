"""How often a record's kind is right: by the model alone, and with what pages declare themselves to be.

    python -m benchmarks.content_kinds --data DIR --folds FOLDS

Pages of `wcxb_dev`, each by the model that never saw its site (`nephila train --folds`).
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from nephila.cli.evaluating import fold_models
from nephila.content.features.page import page_features
from nephila.content.gold.datasets import read_set
from nephila.content.kinds import told_kind
from nephila.document import parse

_NAMES = {"collection": "listing", "forum": "thread"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=Path, required=True)
    args = parser.parse_args()
    model_of = fold_models(args.folds)
    pages: Counter[str] = Counter()
    right: Counter[tuple[str, bool]] = Counter()
    for sample in read_set(args.data, "wcxb_dev"):
        document = parse(sample.html, sample.url)
        if not document.blocks or sample.kind is None:
            continue
        kind = _NAMES.get(sample.kind, sample.kind)
        kinds = model_of(sample.fold).judge(page_features(document)).kinds
        for group in (kind, "all"):
            pages[group] += 1
            right[group, False] += told_kind(kinds) == kind
            right[group, True] += told_kind(kinds, document.metadata) == kind
    print("| kind | pages | model alone | with what pages declare |")
    print("|---|--:|--:|--:|")
    for kind, count in pages.most_common():
        print(f"| {kind} | {count} | {right[kind, False] / count:.3f} | {right[kind, True] / count:.3f} |")


if __name__ == "__main__":
    main()

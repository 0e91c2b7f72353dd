"""Ties the figures on sites never seen to the weights that have them, for the gate in tests/content/test_held_out.py.

    nephila evaluate --data DIR --folds FOLDS --method auto --json FILE
    python -m benchmarks.content_held_out --table FILE --folds FOLDS
    python -m benchmarks.content_held_out --before FILE --after FILE

Run it after `nephila train`, whose weights in the package are meant; the model of one fold goes beside the figures, so
that the gate can run it on pages of sites that it never saw. The last form is for a step that was added behind weights
which stay as they are: the tables with and without the step, of the same folds (trained anew, if need be), tell what it
changes; that is added to the changes of earlier steps, which are kept beside the figures of the run that the weights
came out of.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

from nephila.content.model import WEIGHTS

GATE = Path(__file__).parents[1] / "tests" / "content" / "held_out"
FOLD = 3
"""The one whose model the gate runs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--table", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--after", type=Path)
    args = parser.parse_args()
    if args.table and args.folds:
        GATE.mkdir(exist_ok=True)
        shutil.copyfile(args.folds / f"fold{FOLD}.npz", GATE / "model.npz")
        f1, change = figures_of(args.table), {}
    elif args.before and args.after:
        known = json.loads((GATE / "figures.json").read_text())
        before, after = figures_of(args.before), figures_of(args.after)
        earlier: dict[str, float] = known["change"]
        f1 = known["f1"]
        change = {name: round(earlier.get(name, 0.0) + after[name] - before[name], 4) for name in before}
    else:
        parser.error("give --table and --folds, or --before and --after")
    figures = {"weights": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(), "fold": FOLD, "f1": f1, "change": change}
    (GATE / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")


def figures_of(table: Path) -> dict[str, float]:
    rows = [row for row in json.loads(table.read_text()) if row["method"] == "auto"]
    return {row["set"]: round(row["score"]["f1"], 4) for row in rows}


if __name__ == "__main__":
    main()

"""Ties the figures on sites never seen to the weights that have them, for the gate in tests/content/test_held_out.py.

    nephila evaluate --data DIR --folds FOLDS --method auto --json FILE
    python -m benchmarks.content_held_out --table FILE --folds FOLDS

Run it after `nephila train`, whose weights in the package are meant; the model of one fold goes beside the figures, so
that the gate can run it on pages of sites that it never saw.
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
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--folds", type=Path, required=True)
    args = parser.parse_args()
    rows = [row for row in json.loads(args.table.read_text()) if row["method"] == "auto"]
    GATE.mkdir(exist_ok=True)
    shutil.copyfile(args.folds / f"fold{FOLD}.npz", GATE / "model.npz")
    figures = {
        "weights": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "fold": FOLD,
        "f1": {row["set"]: round(row["score"]["f1"], 4) for row in rows},
    }
    (GATE / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()

"""What a model reaches on pages whose sites it knows: folds by page, for the pages of one language of one set.

    python -m benchmarks.content_known_sites --data DIR --cache DIR [--set waddle_daniel] [--lang ru]

Everywhere else a page is judged by a model that never saw its site. Here it may have learned from the site's other
pages, with their gold. What stays wrong even so is not a matter of sites never seen; usually the gold goes by no rule.
It takes as long as `nephila train` without its last network, and keeps its networks in the cache.
"""

from __future__ import annotations

import argparse
import zlib
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from nephila.cli.evaluating import fold_models
from nephila.content.gold.datasets import FOLDS, Sample, read_set, set_names
from nephila.content.score import bag_score
from nephila.content.training.examples import load_examples
from nephila.content.training.fit import Settings
from nephila.content.training.outcome import cross_validate
from nephila.document import parse
from nephila.extraction import main_content


def fold_of(sample: Sample) -> int:
    return zlib.crc32(sample.id.encode()) % FOLDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--set", default="waddle_daniel")
    parser.add_argument("--lang", default="ru")
    args = parser.parse_args()
    judged = set()
    examples = load_examples(args.data, set_names(args.data), args.cache, [])
    for example in examples:
        if (example.sample.set, example.sample.lang) == (args.set, args.lang):
            example.sample = replace(example.sample, fold=fold_of(example.sample))
            judged.add(example.sample.id)
    with TemporaryDirectory() as folds:
        cross_validate(examples, {}, Settings(), lambda line: print(line, flush=True), Path(folds), args.cache)
        model_of = fold_models(Path(folds))
        scores = [
            bag_score(main_content(parse(page.html, page.url), model=model_of(fold_of(page))).text, page.gold).f1
            for page in read_set(args.data, args.set)
            if page.id in judged
        ]
    print(f"{args.set} {args.lang}: {len(scores)} pages, F1 {np.mean(scores):.4f}")


if __name__ == "__main__":
    main()

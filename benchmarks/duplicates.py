"""Near-duplicates on 100,000 documents with planted copies: precision, recall, time and memory.

    python -m benchmarks.duplicates
    python -m benchmarks.duplicates --documents 10000

A tenth of the documents are near-copies of an earlier one (words changed here and there, a short paragraph left out, a
line added), a fiftieth exact copies, a tenth share up to a half with an earlier one and are none. They come in an order
of chance, in batches of 512 as the crawl brings them. Found: the named original is the planted one, or another copy of
it. Time is CPU time of sketching and judging, without making the documents: the median of the batches.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson

from nephila.dedupe import Duplicates, FileDuplicates, Limits, sketch
from tests.dedupe.documents import Documents

RESULTS = Path(__file__).parent / "results"
BATCH = 512


def planted(count: int, rng: random.Random) -> list[tuple[str, int, str]]:
    """(text, number of the original that it copies or its own, kind); a copy comes after what it copies."""
    documents, made = Documents(rng), list[tuple[str, int, str]]()
    originals: list[int] = []
    for number in range(count):
        dice = rng.random()
        if originals and dice < 0.22:
            source = rng.choice(originals)
            text = made[source][0]
            if dice < 0.10:
                made.append((documents.near_copy(text), source, "near"))
            elif dice < 0.12:
                made.append((text, source, "exact"))
            else:
                made.append((documents.half_copy(text), number, "half"))
        else:
            originals.append(number)
            made.append((documents.text(), number, "new"))
    return made


def measure(store: Duplicates, made: list[tuple[str, int, str]]) -> dict[str, Any]:
    found: list[str | None] = []
    times: list[float] = []
    for start in range(0, len(made), BATCH):
        began = time.process_time()
        batch = [(sketch(text), str(start + n)) for n, (text, _, _) in enumerate(made[start : start + BATCH])]
        found += asyncio.run(store.judge([(each, url) for each, url in batch if each is not None]))
        times.append((time.process_time() - began) / len(batch))
    right = wrong = missed = 0
    by_kind: dict[str, list[int]] = {}
    for (_, truth, kind), first in zip(made, found, strict=True):
        copy = kind in ("near", "exact")
        counts = by_kind.setdefault(kind, [0, 0])
        counts[0] += 1
        counts[1] += first is not None
        if first is not None and copy and made[int(first)][1] == truth:
            right += 1
        elif first is not None:
            wrong += 1
        elif copy:
            missed += 1
    return {
        "documents": len(made),
        "precision": round(right / (right + wrong), 5),
        "recall": round(right / (right + missed), 5),
        "called_duplicates": {kind: f"{called} of {all_}" for kind, (all_, called) in sorted(by_kind.items())},
        "cpu_us_per_document": round(1e6 * statistics.median(times), 1),
        "cpu_us_per_document_best_batch": round(1e6 * min(times), 1),
        "mean_characters": round(sum(len(text) for text, _, _ in made) / len(made)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    made = planted(options.documents, random.Random(options.seed))
    limits = Limits(capacity=options.documents)
    with tempfile.TemporaryDirectory() as place:
        store = FileDuplicates(Path(place) / "duplicates", limits)
        row = measure(store, made)
        asyncio.run(store.close())
        row["bytes_per_document"] = round((Path(place) / "duplicates").stat().st_size / options.documents, 2)
        disk = sum(file.stat().st_size for file in Path(place).glob("*.urls*"))
        row["url_bytes_on_disk_per_document"] = round(disk / options.documents, 1)
    print(orjson.dumps(row, option=orjson.OPT_INDENT_2).decode())
    if options.documents == 100_000:
        data = orjson.dumps(row, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        (RESULTS / "duplicates.json").write_bytes(data)


if __name__ == "__main__":
    main()

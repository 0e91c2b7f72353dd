"""Title, author, date and language against gold, beside trafilatura and htmldate where they are installed.

    python -m benchmarks.content_metadata --data DIR [--sample N]

Only pages whose gold tells the fact count. *right*: of these, the share with the right answer; *wrong*: the share with
another one (the rest got none). Dates are compared by day, names by their words without case, titles by token F1,
languages by their first subtag.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nephila import extract
from nephila.content.gold.datasets import Sample, read_set, set_names
from nephila.content.score import bag_score, tokens

ALIKE = 0.8


@dataclass(slots=True)
class Told:
    """What a program said of a page."""

    title: str | None = None
    author: str | None = None
    date: str | None = None
    lang: str | None = None


def nephila_says(sample: Sample) -> Told:
    record = extract(sample.html, sample.url)
    return Told(record.title, record.author, record.published, record.language)


def contestants() -> dict[str, Callable[[Sample], Told]]:
    found: dict[str, Callable[[Sample], Told]] = {"nephila": nephila_says}
    try:
        import trafilatura
    except ImportError:
        return found

    def trafilatura_says(sample: Sample) -> Told:
        said: Any = trafilatura.extract_metadata(sample.html, default_url=sample.url)
        return Told() if said is None else Told(said.title, said.author, said.date)

    import htmldate

    found["trafilatura"] = trafilatura_says
    found["htmldate"] = lambda sample: Told(date=htmldate.find_date(sample.html, url=sample.url, original_date=True))
    return found


def facts_of(sample: Sample) -> dict[str, str | None]:
    """What the gold tells of a page."""
    known = sample.lang if sample.lang != "und" else None
    return {"title": sample.title, "author": sample.author, "date": sample.date, "lang": known}


def right(name: str, said: str, gold: str) -> bool:
    if name == "date":
        return said[:10] == gold[:10]
    if name == "lang":
        return said.lower().split("-")[0] == gold.lower().split("-")[0]
    if name == "author":
        ours, theirs = set(tokens(said)), set(tokens(gold))
        return bool(ours & theirs) and (ours <= theirs or theirs <= ours or len(ours & theirs) >= 2)
    return bag_score(said, gold).f1 >= ALIKE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int)
    args = parser.parse_args()
    programs = contestants()
    for name in set_names(args.data):
        samples = [sample for sample in read_set(args.data, name) if any(facts_of(sample).values())]
        if args.sample and args.sample < len(samples):
            samples = random.Random(0).sample(samples, args.sample)
        counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        for sample in samples:
            facts = facts_of(sample)
            for program, says in programs.items():
                if program != "nephila" and not any(facts[fact] for fact in ("title", "author", "date")):
                    continue
                try:
                    told = says(sample)
                except Exception:
                    told = Told()
                for fact, gold in facts.items():
                    said = getattr(told, fact)
                    if gold and (fact != "lang" or program == "nephila"):
                        count = counts[fact, program]
                        count[0] += 1
                        count[1 if said and right(fact, said, gold) else 2] += bool(said)
        for (fact, program), (pages, good, bad) in sorted(counts.items()):
            print(
                f"{name:18} {fact:7} {program:12} {pages:5d} pages  right {good / pages:.3f}  wrong {bad / pages:.3f}"
            )


if __name__ == "__main__":
    main()

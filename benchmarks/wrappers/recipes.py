"""Ingredients and instructions of recipe pages as lists: F1 of items, with and without the pages' structured data.

    python -m benchmarks.wrappers.recipes

An item is right when its words are those of a gold item. One page of a site at a time: there is no template to learn.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchmarks.wrappers.sites import DATA, f1
from nephila.document import parse
from nephila.wrappers.outline import Outline
from nephila.wrappers.sections import find_lists
from nephila.wrappers.structured import structured_facts

FIELDS = {"ingredients": "recipeIngredient", "instructions_list": "recipeInstructions"}


def key(item: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"<[^>]+>", " ", item).lower()))


def items_f1(found: list[str], gold: list[str]) -> float:
    mine, theirs = Counter(map(key, found)), Counter(map(key, gold))
    return f1(sum((mine & theirs).values()), sum(mine.values()), sum(theirs.values()))


def scores(line: str) -> dict[tuple[str, str], float]:
    row = json.loads(line)
    document = parse(row["html"])
    facts = structured_facts(document)[1]
    outline = Outline(document)
    lists = find_lists(outline, list(FIELDS.values()))
    result = {}
    for name, field in FIELDS.items():
        gold = row["gold"].get(name)
        if gold:
            seen = lists.get(field, [])
            result[name, "page alone"] = items_f1(seen, gold)
            result[name, "structured data first"] = items_f1(facts.get(field) or seen, gold)
    return result


def main() -> None:
    every = defaultdict(list)
    with lzma.open(DATA / "recipes.jsonl.xz", "rt") as lines, ProcessPoolExecutor(2) as pool:
        for each in pool.map(scores, lines, chunksize=16):
            for what, score in each.items():
                every[what].append(score)
    for (name, how), values in sorted(every.items()):
        print(f"{name:18} {how:22} F1 {np.mean(values):.3f}  ({len(values)} pages)")


if __name__ == "__main__":
    main()

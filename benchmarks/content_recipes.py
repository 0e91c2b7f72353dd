"""Whether the text of a recipe holds its ingredients and its steps: pages of a kind, and of sites, not trained on.

    .venv-peers/bin/python -m benchmarks.content_recipes --recipes FILE --data DIR [--peers x,y]

FILE has modern recipe pages of many hosts with their ingredients and steps as gold; pages of sites that are in the
training data `DIR` are left out. That says nothing of what else a program keeps, so the length of the texts is told
beside it: the whole page would hold everything.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nephila import extract
from nephila.content.gold.datasets import read_set, set_names
from nephila.content.gold.peers import PEERS, installed
from nephila.content.score import share_present, tokens

LEAST = 0.8
"""Below this share of its tokens, a part counts as missed."""


@dataclass(frozen=True)
class Recipe:
    site: str
    html: str
    ingredients: str
    steps: str


def recipes(path: Path, known_sites: set[str]) -> Iterator[Recipe]:
    with lzma.open(path, "rt") as lines:
        for line in lines:
            page = json.loads(line)
            gold = page["gold"]
            ingredients, steps = ("\n".join(gold.get(name) or []) for name in ("ingredients", "instructions_list"))
            if ingredients and steps and page["site"] not in known_sites:
                yield Recipe(page["site"], page["html"], ingredients, steps)


def _nephila(html: str, _: str | None) -> str:
    return extract(html).text or ""


def judge(program: Callable[[str, str | None], str], pages: list[Recipe]) -> list[tuple[float, float, int]]:
    """Of each page, the shares of the ingredients and of the steps that are in the text, and its tokens."""
    found = []
    for page in pages:
        text = ""
        # A page on which a program fails is a page without text.
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            text = program(page.html, None)
        found.append((share_present(text, page.ingredients), share_present(text, page.steps), len(tokens(text))))
    return found


def main() -> None:
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--recipes", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--peers", default=",".join(installed()))
    args = parser.parse_args()
    known = {sample.site for name in set_names(args.data) for sample in read_set(args.data, name)}
    pages = list(recipes(args.recipes, known))
    print(f"{len(pages)} pages of {len({page.site for page in pages})} sites")
    print("| program | ingredients | pages that miss some | steps | pages that miss some | tokens |")
    print("|---|--:|--:|--:|--:|--:|")
    names = [name for name in args.peers.split(",") if name]
    for name, program in {"**Nephila**": _nephila, **{name: PEERS[name]() for name in names}}.items():
        rows = np.array(judge(program, pages))
        ingredients, steps, length = rows.mean(axis=0)
        less = (rows[:, :2] < LEAST).mean(axis=0)
        print(
            f"| {name} | {ingredients:.3f} | {less[0]:.3f} | {steps:.3f} | {less[1]:.3f} | {length:.0f} |", flush=True
        )


if __name__ == "__main__":
    main()

"""Pages as the block script would see them, made by hand."""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from nephila.content.visual import VisualBlock, VisualPage

BODY = {"font-size": "16px", "color": "rgb(0, 0, 0)", "font-family": "serif", "line-height": "20px"}
WORDS = [
    "the",
    "ferry",
    "left",
    "at",
    "dawn",
    "and",
    "the",
    "harbour",
    "board",
    "was",
    "told",
    "of",
    "it",
    "on",
    "tuesday",
]


def block(
    text: str, top: float = 0, *, name: str = "p", width: float = 600, linked: int = 0, **style: str
) -> VisualBlock:
    path = ("div", "nav", "ul", "li") if name == "li" else ("div", "article", name)
    steps = ("div#page", *(f"{step}.{name}" for step in path[1:]))
    looks = {key.replace("_", "-"): value for key, value in style.items()}
    return VisualBlock(100, top, width, 40, looks, path, steps, text, linked)


def sentence(number: int, words: int = 40) -> str:
    return " ".join(WORDS[(number * 3 + index) % len(WORDS)] for index in range(words)) + f" {number}."


def article(number: int, paragraphs: int = 4, host: str = "site.example") -> VisualPage:
    """A menu, a heading, paragraphs and a footer."""
    texts = [sentence(number * 10 + index) for index in range(paragraphs)]
    blocks = [block(f"Menu {index}", index, name="li", width=90, linked=6, font_size="12px") for index in range(8)]
    blocks.append(block(f"Heading {number}", 100, name="h1", font_size="28px"))
    blocks += [block(text, 150 + 50 * index, color="rgb(20, 20, 20)") for index, text in enumerate(texts)]
    blocks += [block("About us", 900, name="li", width=90, linked=8, font_size="11px") for _ in range(3)]
    return VisualPage(f"https://{host}/{number}", [f"Heading {number}"], [texts[0]], 1000, 1000, BODY, blocks)


def write_data(directory: Path, name: str, pages: Iterable[VisualPage], gold_of: str | None = None) -> None:
    """A data set as system D keeps them; with `gold_of`, the blocks of that name are the gold text."""
    with lzma.open(directory / f"{name}.jsonl.xz", "wb") as out:
        for page in pages:
            row = _row(page)
            if gold_of is not None:
                row["gold"] = "\n".join(one.text for one in page.blocks if one.name == gold_of)
            out.write(orjson.dumps(row) + b"\n")


def _row(page: VisualPage) -> dict[str, Any]:
    bound = {"left": 0, "top": 0, "width": page.width, "height": page.height}
    texts = [
        {
            "bound": {"left": one.left, "top": one.top, "width": one.width, "height": one.height},
            "computed": dict(one.style),
            "path": list(one.path),
            "selector": [_element(step) for step in one.selector],
            "text": [one.text],
            "html": f"<a href=x>{one.text}</a>" if one.linked else one.text,
        }
        for one in page.blocks
    ]
    body = {"bound": bound, "computed": dict(page.body)}
    return {"url": page.url, "titles": page.titles, "descriptions": page.descriptions, "body": body, "texts": texts}


def _element(step: str) -> dict[str, Any]:
    names, *classes = step.split(".")
    name, _, ident = names.partition("#")
    return {"name": name, "id": ident, "classes": classes}

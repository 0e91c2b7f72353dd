"""What the injected script saw of a page: its text blocks with place, size, style and text. Knows plain data only.

The value comes from a page that may be hostile: everything is bounded and checked here, once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from nephila.errors import InputError

MOST_BLOCKS = 20_000
MOST_TEXT = 200_000
_MOST_STYLES = 5_000
_MOST_PROPERTIES = 700
_MOST_STEPS = 300
_MOST_WORDS = 20
_LONGEST_VALUE = 300
_LONGEST_NAME = 80
_FARTHEST = 1e7

Style = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class VisualBlock:
    """The closest ancestor of some text that is displayed as a block, with the text that it is closest to."""

    left: float
    top: float
    width: float
    height: float
    style: Style
    """The computed properties whose value is not the body's, without sizes and places."""
    path: tuple[str, ...]
    """Names of the elements from below the body to the block."""
    selector: tuple[str, ...]
    """The same with ids and classes: `div#main.wide`."""
    text: str
    """Lines as the page breaks them, white space folded."""
    linked: int
    """Characters of the text that are in links."""
    tags: int = 0
    link_tags: int = 0
    """Elements inside the block, and the links among them."""

    @property
    def name(self) -> str:
        return self.path[-1] if self.path else "body"


@dataclass(frozen=True, slots=True)
class VisualPage:
    url: str
    titles: list[str]
    descriptions: list[str]
    """Of the meta tags, Open Graph and Twitter's as well."""
    width: float
    height: float
    body: Style
    blocks: list[VisualBlock] = field(default_factory=list)
    milliseconds: float = 0.0
    """What the script took."""


@cache
def blocks_script() -> str:
    """A JavaScript function, `() => ...`, to be called in a page; its value is for `read_visual`."""
    return files("nephila.content.visual").joinpath("blocks.js").read_text("utf-8")


@cache
def overlay_script() -> str:
    """A JavaScript function that draws `Seen.boxes` onto a page."""
    return files("nephila.content.visual").joinpath("overlay.js").read_text("utf-8")


def read_visual(value: Any) -> VisualPage:
    """Checks what the script gave; raises InputError where it is something else."""
    try:
        styles = [_style(style) for style in value["styles"][:_MOST_STYLES]]
        chains = [_chain(chain) for chain in value["chains"][:MOST_BLOCKS]]
        blocks = [_block(row, styles, chains) for row in value["blocks"][:MOST_BLOCKS]]
        return VisualPage(
            url=str(value["url"])[:4096],
            titles=_texts(value["titles"]),
            descriptions=_texts(value["descriptions"]),
            width=_number(value["width"]),
            height=_number(value["height"]),
            body=_style(value["body"]),
            blocks=[block for block in blocks if block.text],
            milliseconds=_number(value.get("milliseconds", 0)),
        )
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"not what the block script gives: {type(error).__name__}: {error}"[:300]) from error


def folded(text: str) -> str:
    """White space folded, line by line; empty lines dropped."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _block(row: list[Any], styles: list[Style], chains: list[tuple[str, ...]]) -> VisualBlock:
    left, top, width, height, style, chain, text, linked, tags, link_tags = row
    if not (0 <= style < len(styles) and 0 <= chain < len(chains)):
        raise ValueError("a block names a style or path that is not there")
    selector = chains[chain]
    text = folded(str(text)[:MOST_TEXT])
    return VisualBlock(
        _number(left),
        _number(top),
        max(0.0, _number(width)),
        max(0.0, _number(height)),
        styles[style],
        tuple(step.partition("#")[0].partition(".")[0] for step in selector),
        selector,
        text,
        min(len(text), max(0, int(_number(linked)))),
        max(0, int(_number(tags))),
        max(0, int(_number(link_tags))),
    )


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a size that is no number")
    return max(-_FARTHEST, min(_FARTHEST, number))


def _style(style: dict[str, Any]) -> Style:
    kept = list(style.items())[:_MOST_PROPERTIES]
    return {str(name)[:_LONGEST_NAME]: str(value)[:_LONGEST_VALUE] for name, value in kept}


def _chain(steps: list[Any]) -> tuple[str, ...]:
    return tuple(str(step)[:_LONGEST_VALUE] for step in steps[:_MOST_STEPS])


def _texts(texts: list[Any]) -> list[str]:
    return [str(text)[:MOST_TEXT] for text in texts[:_MOST_WORDS] if text]

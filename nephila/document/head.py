"""What stands in the head of a page: <meta>, <link>, <base>, <title>. Reads tags; what they mean is told elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nephila.document.native import BASE, FRAME
from nephila.document.repair import SWALLOWED_LENGTH


@dataclass(slots=True)
class Head:
    metas: list[dict[str, str]] = field(default_factory=list)
    relations: list[dict[str, str]] = field(default_factory=list)
    base: str | None = None
    title: str | None = None
    """<title> as it is; the name of the site may be in it."""
    swallowed: bool = False
    """An element holds what should be the rest of the page."""


def read_head(tree: LexborHTMLParser, seen: int) -> Head:
    """Such elements count wherever they stand, as browsers take them. `seen`: those that there may be."""
    titles = tree.tags("title")
    frames = tree.tags("iframe") if seen & FRAME else ()
    bases = [base for node in tree.tags("base") if (base := node.attributes.get("href"))] if seen & BASE else ()
    shown = [(title.text() or "", title) for title in titles]
    texts = (" ".join(text.split()) for text, title in shown if not _in_drawing(title))
    return Head(
        metas=[_attributes(node) for node in tree.tags("meta")],
        relations=[_attributes(node) for node in tree.tags("link")],
        base=bases[0] if bases else None,
        title=next((text for text in texts if text), None),
        swallowed=any(map(_swallowed, (*(text for text, _ in shown), *(frame.text() or "" for frame in frames)))),
    )


def _attributes(node: LexborNode) -> dict[str, str]:
    attributes = node.attributes
    if None in attributes.values():
        return {name: value or "" for name, value in attributes.items()}
    return cast("dict[str, str]", attributes)


def _swallowed(text: str) -> bool:
    """<title> and <iframe> hold a line at most."""
    return len(text) > SWALLOWED_LENGTH and "</" in text


def _in_drawing(title: LexborNode) -> bool:
    return title.parent is not None and title.parent.tag == "svg"

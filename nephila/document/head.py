"""What stands in the head of a page: <meta>, <link>, <base>, <title>. Reads tags; what they mean is told elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nephila.document.markup import NAMED, Markup, attributes_of, table_of, unescape
from nephila.document.repair import SWALLOWED_LENGTH
from nephila.document.tags import Kind

_HEAD = table_of(Kind.HEAD, Kind.TITLE)
_FRAMES = np.array([tag.name == "iframe" for tag in NAMED])
_DRAWINGS = np.array([tag.name == "svg" for tag in NAMED])


@dataclass(slots=True)
class Head:
    metas: list[dict[str, str]] = field(default_factory=list)
    relations: list[dict[str, str]] = field(default_factory=list)
    base: str | None = None
    title: str | None = None
    """<title> as it is; the name of the site may be in it."""
    swallowed: bool = False
    """An element holds what should be the rest of the page."""


def read_head(markup: Markup) -> Head:
    """Such elements count wherever they stand, as browsers take them."""
    head = Head()
    for index in np.flatnonzero((_HEAD | _FRAMES)[markup.tag] & ~markup.closing).tolist():
        name = NAMED[markup.tag[index]].name
        if name == "meta":
            head.metas.append(attributes_of(markup.source(index)))
        elif name == "link":
            head.relations.append(attributes_of(markup.source(index)))
        elif name == "base":
            head.base = head.base or attributes_of(markup.source(index)).get("href")
        else:
            _read_text(markup, index, name, head)
    return head


def _read_text(markup: Markup, index: int, name: str, head: Head) -> None:
    """<title>, and <iframe>, which should be empty."""
    end = int(markup.start[index + 1]) if index + 1 < len(markup.start) else len(markup.html)
    text = markup.html[int(markup.stop[index]) : end]
    head.swallowed |= len(text) > SWALLOWED_LENGTH and (b"</" in text or b"&lt;/" in text)
    if name == "title" and head.title is None and not _in_drawing(markup, index):
        head.title = " ".join(unescape(text.decode("utf-8", "replace")).split()) or None


def _in_drawing(markup: Markup, index: int) -> bool:
    before = markup.closing[:index][_DRAWINGS[markup.tag[:index]]]
    return bool(len(before) > 2 * int(before.sum()))

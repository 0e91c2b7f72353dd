"""Blocks -> Markdown: headings, paragraphs, lists, quotes, code and tables, in the order of the page.

Knows blocks and containers; which blocks are content is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from nephila.content.markdown.inline import Join, escape, render_inline
from nephila.document import Block, Container, Flag
from nephila.document.tags import HEADING_BITS

_CODE, _TABLE, _QUOTE, _LIST = int(Flag.CODE), int(Flag.TABLE), int(Flag.QUOTE), int(Flag.LIST)
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_DEEPEST_LIST = 6
_LONGEST_CELL = 200
_LANGUAGES = ("language-", "lang-", "highlight-source-", "brush-")
_NO_LANGUAGES = ("default", "none", "text")
_LANGUAGE = re.compile(r"[a-z0-9][a-z0-9+#.-]{0,19}", re.IGNORECASE)
_ALL_BOLD = re.compile(r"^\*\*([^*]+)\*\*$")
"""A heading stands out as it is."""
_LINE_BREAK = re.compile(r"\n(?!\n|$)")
_CODE_CLASSES = re.compile(rb'<code\b[^>]*? class="([^"]*)"')
_HEAD = 500
"""Bytes of a listing in which the element that names its language begins."""


def render_markdown(blocks: Sequence[Block], join: Join = lambda _: None) -> str:
    """The blocks as one Markdown text. `join` makes a reference absolute, or gives None to leave the link out."""
    parts: list[_Part] = []
    numbers: dict[int, int] = {}
    if not any(block.container.flags & _TABLE for block in blocks):
        return _joined([_render_block(block, join, numbers) for block in blocks])
    for table, of_table in groupby(blocks, key=_table_of):
        group = list(of_table)
        rows = _rows(group) if table is not None else None
        if rows is not None:
            parts.append((_render_table(rows, join), False))
        else:
            parts.extend([_render_block(block, join, numbers) for block in group])
    return _joined(parts)


_Part = tuple[str, bool]
"""A text, and whether it is an item of a list."""


def _joined(parts: list[_Part]) -> str:
    """Items of a list follow each other line by line, all else with a blank line between."""
    out: list[str] = []
    after_item = False
    for text, item in parts:
        out.append("\n" if item and after_item else "\n\n")
        out.append(text)
        after_item = item
    return "".join(out[1:])


def _render_block(block: Block, join: Join, numbers: dict[int, int]) -> _Part:
    container = block.container
    flags = container.flags
    text = _fenced(block) if flags & _CODE else render_inline(block, join)
    if flags & HEADING_BITS and not flags & _CODE:
        line = _ALL_BOLD.sub(r"\1", " ".join(text.split()))
        return f"{'#' * container.heading} {line}", False
    if flags & _LIST:
        marker, indent, first = _list_place(block, numbers)
        if marker:
            inner = _LINE_BREAK.sub("\n" + " " * (indent + len(marker)), text) if "\n" in text else text
            lead = marker if first else " " * len(marker)
            return _quoted(" " * indent + lead + inner, container), first
    return _quoted(text, container) if flags & _QUOTE else text, False


def _quoted(text: str, container: Container) -> str:
    if not container.flags & _QUOTE:
        return text
    depth = sum(ancestor.tag == "blockquote" for ancestor in container.ancestors())
    prefix = "> " * min(depth or 1, _DEEPEST_LIST)
    return "\n".join(prefix + line for line in text.split("\n"))


def _fenced(block: Block) -> str:
    fence = "```"
    while fence in block.text:
        fence += "`"
    return f"{fence}{_language(block)}\n{block.text}\n{fence}"


def _language(block: Block) -> str:
    inner = _CODE_CLASSES.search(block.markup[:_HEAD])
    if inner is not None and (told := _told_language(inner[1].decode("utf-8", "replace").split())):
        return told
    inside: Sequence[str] = ()
    for ancestor in block.container.ancestors():
        if told := _told_language(ancestor.classes) or (
            _told_around(ancestor.classes) if "highlight" in inside else ""
        ):
            return told
        if ancestor.tag != "pre" and ancestor.tag != "div":
            break
        inside = ancestor.classes
    return ""


def _told_language(classes: Sequence[str]) -> str:
    for name in classes:
        for prefix in _LANGUAGES:
            if name.startswith(prefix) and _LANGUAGE.fullmatch(name[len(prefix) :]):
                return name[len(prefix) :]
    return ""


def _told_around(classes: Sequence[str]) -> str:
    """The language in <div class="highlight-python3"><div class="highlight">, as Sphinx writes it."""
    told = _told_language([name.replace("highlight-", "language-", 1) for name in classes])
    return told if told not in _NO_LANGUAGES else ""


def _list_place(block: Block, numbers: dict[int, int]) -> tuple[str, int, bool]:
    """The marker of the closest list item, its indentation, and whether the block is the item's first."""
    item: Container | None = None
    depth = 0
    ordered = False
    for ancestor in block.container.ancestors():
        if item is None and ancestor.tag == "li":
            item = ancestor
        elif item is not None and ancestor.tag in _LISTS:
            if depth == 0:
                ordered = ancestor.tag == "ol"
            depth += 1
    if item is None:
        return "", 0, False
    first = item.start == block.index
    marker = "- "
    if ordered:
        place = item.parent.index if item.parent is not None else -1
        marker = f"{_number(item, numbers) if first else numbers.get(place, 1)}. "
    return marker, 2 * (min(depth or 1, _DEEPEST_LIST) - 1), first


def _number(item: Container, numbers: dict[int, int]) -> int:
    """The item's own number, or one more than that of the item before it in its list (of those that are content)."""
    parent = item.parent
    place = parent.index if parent is not None else -1
    value = item.attributes.get("value") or ""
    if value.isdecimal() and len(value) < 9:
        number = int(value)
    elif place in numbers:
        number = numbers[place] + 1
    else:
        start = (parent.attributes.get("start") if parent is not None else None) or "1"
        number = int(start) if start.isdecimal() and len(start) < 9 else 1
    numbers[place] = number
    return number


def _table_of(block: Block) -> Container | None:
    """The table that the block stands in, when nothing but cells lies between."""
    if not block.container.flags & _TABLE or block.container.flags & _CODE:
        return None
    return _ancestor(block, _TABLES)


def _ancestor(block: Block, tags: frozenset[str]) -> Container | None:
    """The closest container with one of the tags."""
    container: Container | None = block.container
    while container is not None and container.tag not in tags:
        container = container.parent
    return container


def _rows(blocks: list[Block]) -> list[list[list[Block]]] | None:
    """The table as rows of cells of blocks; None when it only lays out the page."""
    rows: list[list[list[Block]]] = []
    for row, of_row in groupby(blocks, key=lambda block: _ancestor(block, _ROWS)):
        if row is None:
            return None
        cells = [list(of_cell) for _, of_cell in groupby(of_row, key=lambda block: _ancestor(block, _CELLS))]
        rows.append(cells)
    lengths = [sum(len(block.text) for block in cell) for row in rows for cell in row]
    if len(rows) < 2 or max(map(len, rows)) < 2 or sum(lengths) > _LONGEST_CELL * len(lengths):
        return None
    if any(block.heading or len(cell) > 4 for row in rows for cell in row for block in cell):
        return None
    return rows


_TABLES, _ROWS, _CELLS = frozenset({"table"}), frozenset({"tr"}), frozenset({"td", "th"})


def _render_table(rows: list[list[list[Block]]], join: Join) -> str:
    width = max(map(len, rows))
    lines = list(_table_lines(rows, width, join))
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _table_lines(rows: list[list[list[Block]]], width: int, join: Join) -> Iterator[str]:
    for row in rows:
        cells = [" ".join(render_inline(block, join) for block in cell) for cell in row]
        cells = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
        yield "| " + " | ".join(cells + [""] * (width - len(cells))) + " |"


__all__ = ["escape", "render_markdown"]

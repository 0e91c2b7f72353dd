"""What the native library reads of a page, as arrays. Knows its structures; nothing of what the arrays are for.

Every function gives None where the library is absent or the page is too odd for it; then markup.py, layout.py and
text.py do the same in Python, several times slower.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.document.markup import FLAGS, KINDS, NAMED, Markup, Places
from nephila.document.tags import FURNITURE, ROLE_FLAGS
from nephila.native import address, at, count, load

_SPARE = 16
"""Entries beyond one for each tag."""

_OF_TAGS, _OF_CONTAINERS, _OF_BLOCKS, _OF_LINKS = slice(1), slice(3, 9), slice(9, 20), slice(20, 23)
"""Which of the _ROWS arrays of the library's `struct layout` are of use to others."""
_ROWS = 24
_PAGE = Struct("19q")
"""The library's `struct page`."""
_FOUND = ("containers", "blocks", "links", "text_length", "truncated", "listings")
"""What it ends with."""

_GIVEN = ("html", "length", "tags", "start", "stop", "tag", "closing", "told")
_RUNS = ("flags", "region", "linked", "around", "above", "above_region", "above_ends")
_TYPES: dict[str, type] = {"html": ctypes.c_char_p, "length": ctypes.c_int64, "tags": ctypes.c_int64}


class _Plain(ctypes.Structure):
    _fields_ = (
        *((name, _TYPES.get(name, ctypes.c_void_p)) for name in _GIVEN),
        ("max_blocks", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in (*_RUNS, "text")),
        *((name, ctypes.c_int64) for name in ("runs", "regions", "text_length")),
    )


@cache
def library() -> ctypes.CDLL | None:
    """The library, told the names of elements; None where there is none."""
    found = load()
    if found is None or not _agree(found):
        return None
    found.nephila_tags.restype = found.nephila_hrefs.restype = ctypes.c_int64
    found.nephila_tags.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 5]
    found.nephila_lay_out.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    found.nephila_without_scripts.restype = ctypes.c_int64
    found.nephila_without_scripts.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    return found


def _agree(native: ctypes.CDLL) -> bool:
    """Tells the library the names and roles of elements; whether it has room for them."""
    kinds, flags = KINDS.astype(np.int64), FLAGS.astype(np.int64)
    names = "".join([tag.name + " " for tag in NAMED]).encode()
    roles = "".join([role + " " for role in ROLE_FLAGS]).encode()
    role_flags = np.array(list(ROLE_FLAGS.values()), dtype=np.int64)
    furniture = ctypes.c_int64(int(FURNITURE))
    return not (
        native.nephila_names(names, at(kinds), at(flags), ctypes.c_int64(len(NAMED)))
        or native.nephila_roles(roles, at(role_flags), ctypes.c_int64(len(ROLE_FLAGS)), furniture)
    )


class Tags(NamedTuple):
    """The markup of a page, and what the attributes say of each tag's element."""

    markup: Markup
    told: Places
    places: tuple[int, int, int, int, int]
    """Where the library finds start, stop, tag, closing and `told`."""


def read_tags(html: bytes, most: int) -> Tags | None:
    """The tags of what lexbor wrote; `most`: larger pages are left to others."""
    native = library()
    room = count(html, b"<")
    if native is None or room > most:
        return None
    numbers = np.empty((3, room), dtype=np.int64)
    tag, closing = np.empty(room, dtype=np.int16), np.empty(room, dtype=np.bool_)
    first = address(numbers)
    places = first, first + 8 * room, address(tag), address(closing), first + 16 * room
    found = native.nephila_tags(html, len(html), room, *places)
    if found < 0:
        return None
    start, stop, told = numbers[:, :found]
    return Tags(Markup(html, start, stop, tag[:found], closing[:found]), told, places)


def _room(tags: Tags, rows: int) -> tuple[Places, NDArray[np.uint8]]:
    """So many arrays, and one for text; both must live as long as the library knows their addresses."""
    room = len(tags.markup.tag) + _SPARE
    # White space and marks are at most one a tag more than the page has.
    return np.empty((rows, room), dtype=np.int64), np.empty(len(tags.markup.html) + 2 * room, dtype=np.uint8)


class LaidOut(NamedTuple):
    """As `Layout` has it: arrays side by side of tags, containers, blocks and links, in the library's order."""

    tags: Places
    containers: Places
    blocks: Places
    links: Places
    texts: list[str]
    truncated: bool
    listings: bool
    """Some blocks are code: their texts are not written yet."""


def lay_out(tags: Tags, max_depth: int, max_blocks: int, max_links: int) -> LaidOut | None:
    native = library()
    if native is None:
        return None
    html, count = tags.markup.html, len(tags.markup.tag)
    arrays, text = _room(tags, _ROWS)
    given = (len(html), count, *tags.places, max_depth, max_blocks, max_links, arrays.shape[1])
    page = bytearray(_PAGE.pack(*given, address(arrays), address(text), *[0] * len(_FOUND)))
    if native.nephila_lay_out(html, address(page)) < 0:
        return None
    containers, blocks, links, length, truncated, listings = _PAGE.unpack(page)[-len(_FOUND) :]
    return LaidOut(
        arrays[_OF_TAGS, :count],
        arrays[_OF_CONTAINERS, :containers],
        arrays[_OF_BLOCKS, :blocks],
        arrays[_OF_LINKS, :links],
        _texts(text, length, blocks),
        bool(truncated),
        bool(listings),
    )


def _texts(text: NDArray[np.uint8], length: int, count: int) -> list[str]:
    return str(text.data[:length], "utf-8", "replace").split("\0") if count else []


class Runs(NamedTuple):
    """Plain text: of each run its text, flags, region and linked characters; of each region the one around it."""

    texts: list[str]
    flags: list[int]
    regions: list[int]
    linked: list[int]
    around: list[int]


def plain_runs(tags: Tags, max_blocks: int) -> Runs | None:
    native = library()
    if native is None:
        return None
    markup = tags.markup
    arrays, text = _room(tags, len(_RUNS))
    first, row = address(arrays), arrays.strides[0]
    given = (markup.html, len(markup.html), len(markup.tag), *tags.places)
    rows = range(first, first + len(_RUNS) * row, row)
    plain = _Plain(*given, max_blocks, *rows, address(text))
    if native.nephila_plain(ctypes.byref(plain)) < 0:
        return None
    runs = plain.runs
    flags, regions, linked = arrays[:3, :runs].tolist()
    return Runs(
        _texts(text, plain.text_length - 1, runs), flags, regions, linked, arrays[3, : plain.regions + 1].tolist()
    )


def hrefs(tags: Tags, limit: int) -> list[tuple[bytes, bytes | None]]:
    """The values of href, and of rel where there is one, of the links, as they are written."""
    native, markup = library(), tags.markup
    if native is None:
        return []
    found = np.empty((len(markup.tag), 4), dtype=np.int64)
    count = native.nephila_hrefs(
        *(markup.html, ctypes.c_int64(len(markup.tag)), at(markup.start), at(markup.stop)),
        *(at(markup.tag), at(markup.closing), ctypes.c_int64(limit), at(found)),
    )
    html = markup.html
    return [
        (html[begin:end], html[rel:rel_end] if rel >= 0 else None)
        for begin, end, rel, rel_end in found[:count].tolist()
    ]


def has_signs(html: bytes, signs: Sequence[bytes]) -> bool | None:
    """Whether the whole text of some link is one of the signs."""
    native = library()
    if native is None:
        return None
    return bool(native.nephila_signed(html, ctypes.c_int64(len(html)), b"\0".join(signs) + b"\0\0"))


class Glance(NamedTuple):
    """What a page as it came may cost the parser."""

    tags: int
    unclosed: int
    """The most formatting elements that may be open at any place."""


_Two = ctypes.c_int64 * 2


def glance(html: bytes, formatting: NDArray[np.bool_]) -> Glance | None:
    """`formatting`: whether two bytes, as one number, begin the name of such an element."""
    native = library()
    if native is None:
        return None
    found = _Two()
    native.nephila_glance(html, ctypes.c_int64(len(html)), at(formatting), found)
    return Glance(*found)


DATA, SCRIPT, STYLE, DRAWING, BASE, FRAME = (1 << bit for bit in range(6))
"""Elements that a page may have: scripts that may hold JSON, scripts, style sheets, <svg>, <base>, <iframe>."""
_ANY = (1 << 6) - 1


class WithoutScripts(NamedTuple):
    """A page without the insides of scripts and style sheets, but for JSON."""

    html: bytes
    understood: bool
    """All of its tags were read; so these are known:"""
    attributes: int
    """The most of one tag."""
    roots: int
    """Tags of <html> and <body>."""
    seen: int
    """Which of the elements above the tree may hold; all of them where not all tags were read."""


_Told = ctypes.c_int64 * 4


def without_scripts(html: bytes) -> WithoutScripts:
    """All of the page where there is no library."""
    native = library()
    if native is None or not html:
        return WithoutScripts(html, understood=False, attributes=0, roots=0, seen=_ANY)
    left, told = np.empty(len(html), dtype=np.uint8), _Told()
    size = native.nephila_without_scripts(html, len(html), address(left), told)
    understood, attributes, roots, seen = told
    return WithoutScripts(left.data[:size].tobytes(), bool(understood), attributes, roots, seen if understood else _ANY)

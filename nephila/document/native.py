"""What the native library reads of a page, as arrays. Knows its structures; nothing of what the arrays are for.

Every function gives None where the library is absent or the page is too odd for it; then markup.py, layout.py and
text.py do the same in Python, several times slower.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.document.markup import FLAGS, KINDS, NAMED, Markup, Places
from nephila.document.tags import FURNITURE, ROLE_FLAGS
from nephila.native import address, at, count, load

_SPARE = 16
"""Entries beyond one for each tag."""

_GIVEN = ("html", "length", "tags", "start", "stop", "tag", "closing", "told")
_LAYOUT = ("max_depth", "max_blocks", "max_links")
_OF_TAGS = ("at_tag", "structural", "filled")
_OF_CONTAINERS = ("tag_of", "end_tag", "parent", "depth", "own", "flags")
_OF_BLOCKS = (
    *("container", "first", "last", "pieces", "begin", "end", "images", "link_length", "link_count", "in_code"),
    "characters",
)
_OF_LINKS = ("link_tag", "link_end", "link_block")
_ARRAYS = (*_OF_TAGS, *_OF_CONTAINERS, *_OF_BLOCKS, *_OF_LINKS, "scratch")
_ROWS = {
    name: (_ARRAYS.index(name), kind)
    for kind, names in enumerate((_OF_TAGS, _OF_CONTAINERS, _OF_BLOCKS, _OF_LINKS))
    for name in names
}
"""The row of each array, and whose it is."""
_FOUND = ("containers", "blocks", "links", "text_length", "truncated")
_RUNS = ("flags", "region", "linked", "around", "above", "above_region", "above_ends")
_RUNS_FOUND = ("runs", "regions", "text_length")


_TYPES: dict[str, type] = {"html": ctypes.c_char_p, "length": ctypes.c_int64, "tags": ctypes.c_int64}


def _fields(
    given: Sequence[str], numbers: Sequence[str], arrays: Sequence[str], found: Sequence[str]
) -> list[tuple[str, type]]:
    return [
        *((name, _TYPES.get(name, ctypes.c_void_p)) for name in given),
        *((name, ctypes.c_int64) for name in numbers),
        *((name, ctypes.c_void_p) for name in (*arrays, "text")),
        *((name, ctypes.c_int64) for name in found),
    ]


class _Layout(ctypes.Structure):
    _fields_ = _fields(_GIVEN, _LAYOUT, _ARRAYS, _FOUND)


class _Plain(ctypes.Structure):
    _fields_ = _fields(_GIVEN, ("max_blocks",), _RUNS, _RUNS_FOUND)


@cache
def library() -> ctypes.CDLL | None:
    """The library, told the names of elements; None where there is none."""
    found = load()
    if found is None or not _agree(found):
        return None
    found.nephila_tags.restype = found.nephila_hrefs.restype = ctypes.c_int64
    found.nephila_tags.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 5]
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


def read_tags(html: bytes, most: int) -> Tags | None:
    """The tags of what lexbor wrote; `most`: larger pages are left to others."""
    native = library()
    room = count(html, b"<")
    if native is None or room > most:
        return None
    numbers = np.empty((3, room), dtype=np.int64)
    tag, closing = np.empty(room, dtype=np.int16), np.empty(room, dtype=np.bool_)
    place, row = address(numbers), 8 * room
    found = native.nephila_tags(
        html, len(html), room, place, place + row, address(tag), address(closing), place + 2 * row
    )
    if found < 0:
        return None
    start, stop, told = numbers[:, :found]
    return Tags(Markup(html, start, stop, tag[:found], closing[:found]), told)


def _given(tags: Tags) -> tuple[bytes, int, int, int, int, int, int, int]:
    """What both structures begin with."""
    markup = tags.markup
    start, stop, tag, closing = (
        address(markup.start),
        address(markup.stop),
        address(markup.tag),
        address(markup.closing),
    )
    return markup.html, len(markup.html), len(markup.tag), start, stop, tag, closing, address(tags.told)


def _room(tags: Tags, count: int) -> tuple[Places, NDArray[np.uint8], list[int]]:
    """So many arrays, one for text, and where they all are; both must live as long as these addresses."""
    room = len(tags.markup.tag) + _SPARE
    arrays = np.empty((count, room), dtype=np.int64)
    # White space and marks are at most one a tag more than the page has.
    text = np.empty(len(tags.markup.html) + 2 * room, dtype=np.uint8)
    first = address(arrays)
    return arrays, text, [*range(first, first + 8 * room * count, 8 * room), address(text)]


class LaidOut:
    """As `Layout` has it: arrays of tags, containers, blocks and links."""

    __slots__ = ("_arrays", "_lengths", "texts", "truncated")

    def __init__(self, tags: Tags, arrays: Places, layout: _Layout, texts: list[str]) -> None:
        self._arrays, self.texts, self.truncated = arrays, texts, bool(layout.truncated)
        self._lengths = (len(tags.markup.tag), layout.containers, layout.blocks, layout.links)

    def __getitem__(self, name: str) -> Places:
        """The array of that name, cut to its number."""
        row, kind = _ROWS[name]
        return self._arrays[row, : self._lengths[kind]]


def lay_out(tags: Tags, max_depth: int, max_blocks: int, max_links: int) -> LaidOut | None:
    native = library()
    if native is None:
        return None
    arrays, text, places = _room(tags, len(_ARRAYS))
    layout = _Layout(*_given(tags), max_depth, max_blocks, max_links, *places)
    if native.nephila_lay_out(ctypes.byref(layout)) < 0:
        return None
    return LaidOut(tags, arrays, layout, _texts(text, layout.text_length, layout.blocks))


def _texts(text: NDArray[np.uint8], length: int, count: int) -> list[str]:
    return text[:length].tobytes().decode("utf-8", "replace").split("\0") if count else []


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
    arrays, text, places = _room(tags, len(_RUNS))
    plain = _Plain(*_given(tags), max_blocks, *places)
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
    roots: int
    """Tags that may be <html> or <body>."""
    unclosed: int
    """The most formatting elements that may be open at any place."""
    long: bool
    """A tag is long enough to have too many attributes."""


_Four = ctypes.c_int64 * 4


def glance(html: bytes, formatting: NDArray[np.bool_]) -> Glance | None:
    """`formatting`: whether two bytes, as one number, begin the name of such an element."""
    native = library()
    if native is None:
        return None
    found = _Four()
    native.nephila_glance(html, ctypes.c_int64(len(html)), at(formatting), found)
    tags, roots, unclosed, long = found
    return Glance(tags, roots, unclosed, bool(long))

"""The parsed page written out again, cut into tags: arrays of their places and names, without a loop over nodes.

Lexbor writes a tree out in a third of a millisecond, and what it writes is regular: names in lower case, every
attribute as ` name="value"` with `<`, `>`, `"` escaped, an end tag for every element that is not void, no bare `<` or
`>` in the text. So the places of `<` and `>` are the tags, and numpy finds all of them at once: a Python loop over the
nodes of a 100-KB page takes 4 ms, this 0.3. The exceptions, raw text (scripts, styles) and comments, are few and are
passed over one by one. Knows HTML's syntax only.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.document.tags import TAGS, Kind, Tag, tag_named

Places = NDArray[np.int64]

_PADDING = b">" * 17
_TAG = re.compile(rb"<(?:!--(?s:.*?)-->|[^>]*>)")  # `>` ends a tag: values have it escaped, names cannot have it
_NAME_END = re.compile(rb"[ >]")
_ATTRIBUTE = re.compile(rb' ([^\s=>]+)="([^"]*)"')

# Elements whose content is written out as it is; `xmp` and `plaintext` show it.
_RAW = ("script", "style", "iframe", "noembed", "noframes", "xmp", "plaintext")
_COMMENT = b"!--"

NAMED: list[Tag] = [tag_named(""), tag_named("x-custom"), Tag("!", Kind.VOID, 0), *TAGS.values()]
"""Unknown inline elements, custom elements (laid out as blocks), comments and declarations, then those of HTML."""
_UNKNOWN, _CUSTOM, _DECLARATION = 0, 1, 2


class Markup(NamedTuple):
    """The tags of a page, in order; element i of each array is about tag i."""

    html: bytes
    start: Places
    """Of its `<`."""
    stop: Places
    """Behind its `>`; the text between it and the next tag is `html[stop[i]:start[i + 1]]`."""
    tag: NDArray[np.int16]
    """Its place in `NAMED`."""
    closing: NDArray[np.bool_]

    def first(self, count: int) -> Markup:
        """The page up to its `count`-th tag."""
        stop = self.stop[:count]
        return Markup(self.html[: int(stop[-1])], self.start[:count], stop, self.tag[:count], self.closing[:count])

    def source(self, index: int) -> bytes:
        """The tag itself, from `<` to `>`."""
        return self.html[self.start[index] : self.stop[index]]

    def name(self, index: int) -> str:
        """As written: custom elements share an entry of `NAMED`."""
        tag = int(self.tag[index])
        if tag > _CUSTOM:
            return NAMED[tag].name
        return _NAME_END.split(self.source(index)[1:], maxsplit=1)[0].decode("utf-8", "replace")


def read_markup(html: bytes) -> Markup:
    """`html` is what lexbor wrote."""
    padded = html + _PADDING
    octets = np.frombuffer(html, dtype=np.uint8)
    start = np.flatnonzero(octets == ord("<"))
    stop = np.flatnonzero(octets == ord(">")) + 1
    closing = np.frombuffer(padded, dtype=np.uint8)[start + 1] == ord("/")
    tag = _named(padded, start + 1 + closing)
    if bool(_SHOWN_RAW[tag].any()) and (escaped := _escape_shown(html)) != html:
        return read_markup(escaped)
    inner, outer = _raw_spans(html, start, tag, closing)
    if inner:
        keep = ~_within(start, inner, outer)
        start, tag, closing = start[keep], tag[keep], closing[keep]
        stop = stop[~_within(stop - 1, inner, outer)]
    if len(start) != len(stop) or bool((start >= stop).any()) or bool((stop[:-1] > start[1:]).any()):
        return _read_one_by_one(html)  # an attribute with `<` in its name: nobody writes that but to annoy
    _name_the_rest(padded, start, tag, closing)
    return Markup(html, start, stop, tag, closing)


def _within(places: Places, inner: list[int], outer: list[int]) -> NDArray[np.bool_]:
    """Which of the places are inside a span; spans do not overlap and come in order."""
    return np.searchsorted(inner, places, "right") > np.searchsorted(outer, places, "right")


# -- names -------------------------------------------------------------------------------------------------------------
# A name's key is its first eight bytes, cut at the space or `>` that ends it, found for all tags at once by arithmetic
# on whole words: a byte of `word ^ pattern` is zero where the word has the byte of the pattern.

_ONES, _HIGHS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_HYPHEN, _LAST_BYTE = np.uint64(0x2D2D2D2D2D2D2D2D), np.uint64(56)
_SPACE, _GREATER = np.uint64(0x2020202020202020), np.uint64(0x3E3E3E3E3E3E3E3E)
_ONE, _SEVEN = np.uint64(1), np.uint64(7)
_TABLE_BITS = 12


def _key(name: bytes) -> int:
    return int.from_bytes(name[:8], "little")


def _hash_table(keys: dict[int, int]) -> tuple[np.uint64, NDArray[np.uint64], NDArray[np.int16]]:
    """A multiplier under which no two keys share a place, and the table: key and value at each place."""
    candidate = 0x9E3779B97F4A7C15
    while True:
        places = {key * candidate % (1 << 64) >> (64 - _TABLE_BITS) for key in keys}
        if len(places) == len(keys):
            break
        candidate = (candidate * 6364136223846793005 + 1442695040888963407) % (1 << 64) | 1
    table_keys = np.zeros(1 << _TABLE_BITS, dtype=np.uint64)
    table_values = np.zeros(1 << _TABLE_BITS, dtype=np.int16)
    for key, value in keys.items():
        place = key * candidate % (1 << 64) >> (64 - _TABLE_BITS)
        table_keys[place], table_values[place] = key, value
    return np.uint64(candidate), table_keys, table_values


_MULTIPLIER, _KEYS, _VALUES = _hash_table(
    {_key(tag.name.encode()): place for place, tag in enumerate(NAMED) if place > _DECLARATION}
)
_SHIFT = np.uint64(64 - _TABLE_BITS)
_LONG = np.array([len(tag.name) >= 8 for tag in NAMED] + [False])
_SECOND = np.array([_key(tag.name.encode()[8:]) for tag in NAMED], dtype=np.uint64)
_TO_CHECK = np.int16(-1)


def _named(padded: bytes, begin: Places) -> NDArray[np.int16]:
    """Places in `NAMED` of the names that begin there; -1 where eight bytes do not tell, or tell nothing."""
    every_word = np.ndarray((len(padded) - 7,), dtype="<u8", buffer=padded, strides=(1,))
    keys = _cut(every_word[begin])
    places = (keys * _MULTIPLIER) >> _SHIFT
    # A short name without a hyphen that is not known is of an inline element, most often a drawing's.
    hyphens = keys ^ _HYPHEN
    rare = np.where(((hyphens - _ONES) & ~hyphens & _HIGHS) | (keys >> _LAST_BYTE) != 0, _TO_CHECK, _UNKNOWN)
    tags = np.where(_KEYS[places] == keys, _VALUES[places], rare).astype(np.int16, copy=False)
    long = np.flatnonzero(_LONG[tags])
    if len(long):
        second = _cut(every_word[begin[long] + 8])
        tags[long[second != _SECOND[tags[long]]]] = _TO_CHECK
    return tags


def _cut(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The words with nothing from the first space or `>` on."""
    spaces, greaters = words ^ _SPACE, words ^ _GREATER
    ends = ((spaces - _ONES) & ~spaces | (greaters - _ONES) & ~greaters) & _HIGHS
    return words & (((ends & (~ends + _ONE)) >> _SEVEN) - _ONE)


_LONG_OR_RARE: dict[bytes, int] = {tag.name.encode(): place for place, tag in enumerate(NAMED) if place > _DECLARATION}


def _name_the_rest(padded: bytes, start: Places, tag: NDArray[np.int16], closing: NDArray[np.bool_]) -> None:
    for index in np.flatnonzero(tag == _TO_CHECK).tolist():
        begin = int(start[index]) + 1 + int(closing[index])
        end = _NAME_END.search(padded, begin)
        name = padded[begin : end.start() if end is not None else begin]
        known = _LONG_OR_RARE.get(name)
        if known is None:
            known = _DECLARATION if name[:1] == b"!" else _CUSTOM if b"-" in name else _UNKNOWN
        tag[index] = known


# -- raw text ----------------------------------------------------------------------------------------------------------

_SHOWN_RAW = np.array([tag.name in ("xmp", "plaintext") for tag in NAMED] + [False])
_RAW_PLACES = np.zeros(len(NAMED) + 1, dtype=np.bool_)  # one more: -1 is the last
for _place, _tag in enumerate(NAMED):
    _RAW_PLACES[_place] = _tag.name in _RAW or _tag.name == "svg"
_RAW_PLACES[-1] = True


def _raw_spans(
    html: bytes, start: Places, tag: NDArray[np.int16], closing: NDArray[np.bool_]
) -> tuple[list[int], list[int]]:
    """Where raw text begins and ends, and the inside of comments: places whose `<` and `>` are no tags."""
    inner: list[int] = []
    outer: list[int] = []
    done = 0
    for index in np.flatnonzero(_RAW_PLACES[tag] & ~closing).tolist():
        place = int(start[index])
        if place < done:
            continue
        if html.startswith(_COMMENT, place + 1):
            end = html.find(b"-->", place + 4)
            begin, done = place + 1, len(html) if end < 0 else end + 2
        else:
            name = (
                NAMED[tag[index]].name
                if tag[index] >= 0
                else _NAME_END.split(html[place + 1 : place + 11])[0].decode("latin-1")
            )
            if name == "svg":
                done = _end_of_drawing(html, place)  # within it, <style> and the like are ordinary elements
            if name not in _RAW:
                continue
            begin = html.find(b">", place) + 1
            end = html.find(f"</{name}>".encode(), begin)
            done = len(html) if end < 0 else end
        if done > begin:
            inner.append(begin)
            outer.append(done)
    return inner, outer


def _end_of_drawing(html: bytes, place: int) -> int:
    """Behind the end tag of the <svg> at `place`; they may nest."""
    end = html.find(b"</svg>", place)
    inner = html.find(b"<svg", place + 4, end)
    while end >= 0 and inner >= 0:
        end = html.find(b"</svg>", end + 6)
        inner = html.find(b"<svg", inner + 4, end)
    return len(html) if end < 0 else end


def _escape_shown(html: bytes) -> bytes:
    """<xmp> and <plaintext> show their raw text: written as other elements write theirs."""
    return re.sub(
        rb"(?s)(<(xmp|plaintext)\b[^>]*>)(.*?)(</\2>|\Z)",
        lambda m: m[1] + m[3].replace(b"<", b"&lt;").replace(b">", b"&gt;") + m[4],
        html,
    )


def _read_one_by_one(html: bytes) -> Markup:
    spans: list[tuple[int, int]] = []
    place = 0
    while (match := _TAG.search(html, place)) is not None:
        spans.append(match.span())
        name = _NAME_END.split(match[0][1:], maxsplit=1)[0].decode("latin-1")
        place = match.end()
        if name in _RAW:
            end = html.find(f"</{name}>".encode(), place)
            place = len(html) if end < 0 else end
    both = np.array(spans, dtype=np.int64).reshape(-1, 2)
    start, stop = both[:, 0].copy(), both[:, 1].copy()
    padded = html + _PADDING
    closing = np.frombuffer(padded, dtype=np.uint8)[start + 1] == ord("/")
    tag = _named(padded, start + 1 + closing)
    _name_the_rest(padded, start, tag, closing)
    return Markup(html, start, stop, tag, closing)


# -- what is written in tags and text ----------------------------------------------------------------------------------


def unescape(text: str) -> str:
    """Undoes the escapes that the parser writes into text."""
    return text.replace("&nbsp;", "\xa0").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def unescape_value(value: bytes) -> str:
    """The value of an attribute."""
    text = value.decode("utf-8", "replace")
    return unescape(text.replace("&quot;", '"')) if "&" in text else text


def attributes_of(tag: bytes) -> dict[str, str]:
    """The attributes of a start tag."""
    return {name.decode("utf-8", "replace"): unescape_value(value) for name, value in _ATTRIBUTE.findall(tag)}


KINDS = np.array([tag.kind for tag in NAMED], dtype=np.int8)
FLAGS = np.array([tag.flags for tag in NAMED], dtype=np.int64)


def table_of(*kinds: Kind) -> NDArray[np.bool_]:
    """Which entries of `NAMED` are of these kinds."""
    return np.isin(KINDS, [int(kind) for kind in kinds])

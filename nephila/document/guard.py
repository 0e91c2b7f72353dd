"""What must not reach the parser: it cannot be interrupted, and some markup costs it quadratic time or space.

Measured on lexbor: 20,000 nested <div> 0.7 s and 100,000 17 s; 20,000 attributes of one tag 1.3 s; 2,000 times
`<p><font color=N>x</p>` two million nodes and 900 MB, out of 46 KB. Ordinary pages pay for two quick scans here
(some 60 us); only a page that fails one is read tag by tag.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.document.limits import Limits

_HARMLESS_TAGS = 1_000
"""So few tags cannot cost much, however they nest."""
_SCANNED_TAGS = 10_000
"""More tags than these are always read one by one for their nesting."""
_SCANNED_BYTES = 512 * 1024
"""Larger pages are always read tag by tag for their attributes."""
_LONG_TAG = 4_000
"""A tag with more bytes than these is looked at."""

# Elements that a parser opens again in each next block until they are closed. <a> and <nobr> close the one before.
_FORMATTING = frozenset(b"b big code em font i s small strike strong tt u".split())
# Elements that do not nest for long: void ones, and those that the next of their kind closes.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li td th tr dt dd option optgroup thead tbody tfoot colgroup rt rp html head body".split()
)
_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# A quote begins a value only after an equals sign: an apostrophe elsewhere must not reach into the text.
_WHOLE_TAG = re.compile(rb"<(?:!--|([a-zA-Z][^\s/>]*+)((?:=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|[^>=]++|=)*+)>?)")
_RAW_TEXT = frozenset(b"script style iframe noembed noframes textarea title xmp".split())
_ATTRIBUTE = re.compile(rb"[^\s=\"'/>]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>]++))?+")


def _formatting_starts() -> NDArray[np.bool_]:
    """Whether two bytes, as one number, begin the name of a formatting element (or of few others: no harm)."""
    table = np.zeros(1 << 16, dtype=np.bool_)
    for name in _FORMATTING:
        for first, second in {(n[:1], n[1:2]) for n in (name, name.upper(), name.title())}:
            for byte in second or b" \t\n\r\f/>":
                table[first[0] << 8 | byte] = True
    return table


_FORMATTING_STARTS = _formatting_starts()


class Guarded(NamedTuple):
    utf8: bytes
    truncated: bool


def guard(utf8: bytes, limits: Limits) -> Guarded:
    """The page with what would cost the parser too much cut off, and whether anything was cut."""
    whole = len(utf8)
    utf8 = utf8[: limits.max_bytes]
    octets = np.frombuffer(utf8, dtype=np.uint8)
    if len(utf8) > _SCANNED_BYTES or _has_long_tag(utf8, octets):
        utf8 = _drop_attributes(utf8, limits.max_attributes)
        octets = np.frombuffer(utf8, dtype=np.uint8)
    opening = np.flatnonzero(octets == ord("<"))
    tags = len(opening)
    if tags > _HARMLESS_TAGS:
        unclosed = _most_unclosed_formatting(octets, opening)
        if tags > _SCANNED_TAGS or unclosed * tags > limits.max_formatting_work:
            utf8 = utf8[: _affordable(utf8, limits)]
    return Guarded(utf8, len(utf8) < whole)


def _has_long_tag(utf8: bytes, octets: NDArray[np.uint8]) -> bool:
    closing = np.flatnonzero(octets == ord(">"))
    starts = np.concatenate(([-1], closing))
    lengths = np.diff(np.append(starts, len(utf8)))
    for place in np.flatnonzero(lengths > _LONG_TAG):
        start = int(starts[place]) + 1
        end = start + int(lengths[place])
        tag = utf8.rfind(b"<", start, end)
        if tag >= 0 and end - tag > _LONG_TAG and utf8[tag + 1 : tag + 2].isalpha():
            return True
    return False


def _most_unclosed_formatting(octets: NDArray[np.uint8], opening: NDArray[np.intp]) -> int:
    """The most formatting elements that are open at any place, if each end tag closes one."""
    opening = opening[:-4] if len(opening) > 4 else opening[:0]
    first, second, third = octets[opening + 1], octets[opening + 2], octets[opening + 3]
    opens = _FORMATTING_STARTS[first.astype(np.uint16) << 8 | second]
    closes = (first == ord("/")) & _FORMATTING_STARTS[second.astype(np.uint16) << 8 | third]
    balance = np.cumsum(opens.astype(np.int32) - closes.astype(np.int32))
    return int((balance - np.minimum(np.minimum.accumulate(balance), 0)).max(initial=0))


def _affordable(utf8: bytes, limits: Limits) -> int:
    """Where to cut so that the sums over the tags of the open elements stay within the limits."""
    depth = formatting = work = formatting_work = 0
    max_work, max_formatting_work = limits.max_parse_work, limits.max_formatting_work
    for match in _TAG.finditer(utf8):
        slash, name = match.groups()
        if name not in _FLAT and (name := name.lower()) not in _FLAT:
            if slash:
                depth = max(0, depth - 1)
                if name in _FORMATTING:
                    formatting = max(0, formatting - 1)
            else:
                depth += 1
                formatting += name in _FORMATTING
        work += depth
        formatting_work += formatting
        if work > max_work or formatting_work > max_formatting_work:
            return match.start()
    return len(utf8)


def _drop_attributes(utf8: bytes, most: int) -> bytes:
    """Takes the attributes away from each tag that has more of them than `most`."""
    pieces: list[bytes] = []
    end = position = 0
    while (match := _WHOLE_TAG.search(utf8, position)) is not None:
        position = match.end()
        name = match.group(1)
        if name is None:
            position = _end_of(utf8, b"-->", position)
            continue
        start, stop = match.span(2)
        # Two bytes are the shortest attribute with its space: no need to count those of ordinary tags.
        if stop - start > 2 * most and sum(1 for _ in _ATTRIBUTE.finditer(utf8, start, stop)) > most:
            pieces.append(utf8[end:start])
            end = stop
        if name.lower() in _RAW_TEXT:
            position = _end_of(utf8, b"</" + name, position)
    pieces.append(utf8[end:])
    return b"".join(pieces) if len(pieces) > 1 else utf8


def _end_of(utf8: bytes, mark: bytes, position: int) -> int:
    """Where raw text ends; if it never does, all the rest is raw text."""
    found = utf8.find(mark, position)
    return found + len(mark) if found >= 0 else len(utf8)

"""What must not reach the parser: it cannot be interrupted, and some markup costs it quadratic time or space.

Measured on lexbor: 20,000 nested <div> 0.7 s and 100,000 17 s; 2,000 times `<p><font color=N>x</p>` two million nodes
and 900 MB, out of 46 KB. Ordinary pages pay for one quick scan (some 60 us); only others are read tag by tag.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.document.attributes import with_few_attributes, with_few_names
from nephila.document.limits import Limits
from nephila.document.native import WithoutScripts, glance, without_scripts

_HARMLESS_TAGS = 1_000
"""So few tags cannot cost much, however they nest."""
_SCANNED_TAGS = 10_000
"""More tags than these are always read one by one for their nesting."""

# Elements that a parser opens again in each next block until they are closed. <a> and <nobr> close the one before.
_FORMATTING = frozenset(b"b big code em font i s small strike strong tt u".split())
# Elements that do not nest for long: void ones, and those that the next of their kind closes.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li td th tr dt dd option optgroup thead tbody tfoot colgroup rt rp html head body".split()
)
# Parts of drawings, which may close themselves with `/>`; no element of HTML may.
_SHAPES = frozenset(b"path circle ellipse g image line polygon polyline rect stop text use animate".split())
_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)")


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
    bare: WithoutScripts
    """The same without the insides of scripts."""
    truncated: bool


def guard(utf8: bytes, limits: Limits) -> Guarded:
    """The page with what would cost the parser too much cut off, and whether anything was cut."""
    whole = len(utf8)
    few = with_few_attributes(utf8[: limits.max_bytes], limits)
    utf8 = _with_few_tags(with_few_names(few.utf8, limits), limits)
    bare = few.bare if len(utf8) == len(few.utf8) else without_scripts(utf8)
    return Guarded(utf8, bare, len(utf8) < whole)


def _with_few_tags(utf8: bytes, limits: Limits) -> bytes:
    if _is_harmless(utf8, limits):
        return utf8
    octets = np.frombuffer(utf8, dtype=np.uint8)
    opening = (octets[:-3] == ord("<")).nonzero()[0]
    tags = len(opening)
    if tags > _HARMLESS_TAGS:
        unclosed = _most_unclosed_formatting(octets, opening, limits.max_formatting_work / tags)
        if tags > _SCANNED_TAGS or unclosed * tags > limits.max_formatting_work:
            return utf8[: _affordable(utf8, limits)]
    return utf8


def _is_harmless(utf8: bytes, limits: Limits) -> bool:
    """Whether the native library sees that nothing is to be cut."""
    seen = glance(utf8, _FORMATTING_STARTS)
    if seen is None:
        return False
    few = seen.tags <= _SCANNED_TAGS and seen.unclosed * seen.tags <= limits.max_formatting_work
    return seen.tags <= _HARMLESS_TAGS or few


def _most_unclosed_formatting(octets: NDArray[np.uint8], opening: NDArray[np.intp], enough: float) -> int:
    """The most formatting elements that are open at any place, if each end tag closes one; exact above `enough`."""
    first, second = octets[opening + 1], octets[opening + 2]
    opens = _FORMATTING_STARTS[first.astype(np.uint16) << 8 | second]
    begun = int(np.count_nonzero(opens))
    if begun <= enough:  # even if none of them was closed
        return begun
    ends = (first == ord("/")).nonzero()[0]
    closes = ends[_FORMATTING_STARTS[second[ends].astype(np.uint16) << 8 | octets[opening[ends] + 3]]]
    steps = opens.astype(np.int32)
    steps[closes] -= 1
    balance = np.cumsum(steps)
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
            elif name not in _SHAPES or utf8[utf8.find(b">", match.end()) - 1] != ord("/"):
                depth += 1
                formatting += name in _FORMATTING
        work += depth
        formatting_work += formatting
        if work > max_work or formatting_work > max_formatting_work:
            return match.start()
    return len(utf8)

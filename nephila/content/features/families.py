"""What the names of elements say they are for. Knows the words in classes and ids; no page.

Authors of pages name parts alike all over the web, in English as a rule: a `#comments` ten levels above a block tells
more than the block itself. A container belongs to the families of all containers above it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Beginnings of words; a full stop ends a word that is only meant whole.
_STARTS: tuple[tuple[str, str], ...] = (
    ("comment", "comment disqus respond repl kommentar feedback discuss"),
    ("post", "post. posts. postbody postcontent postmessage message thread topic forum bbs"),
    ("body", "article story entry content body text inhalt artikel main"),
    ("side", "side aside rail column col. right widget module"),
    ("menu", "nav menu breadcrumb crumb tab. tabs. pager pagination toolbar topbar"),
    ("footer", "foot bottom copyright legal colophon imprint"),
    ("header", "head. header masthead banner hero logo brand"),
    ("related", "relat recommend similar more. also trending popular latest recent promo next readmore"),
    ("share", "share sharing social follow tweet facebook twitter sns bookmark like"),
    ("advert", "ad. ads. advert sponsor outbrain taboola partner affiliate guanggao"),
    ("author", "author byline bio. contributor autor writer profile"),
    ("meta", "meta date time info. posted tag. tags. categor label"),
    ("caption", "caption credit legend gallery photo image img figure slide carousel video player"),
    ("form", "form. login signup signin register subscri newsletter search input cart checkout"),
    ("overlay", "cookie consent modal popup overlay dialog notice alert gdpr tooltip dropdown hidden"),
    ("list", "list grid item. items. card. cards. feed result archive index"),
    ("product", "product price sku spec feature review rating offer shop store catalog"),
    ("title", "title headline heading subject"),
    ("lead", "lead. intro summary excerpt abstract desc standfirst teaser"),
    ("answer", "answer question faq accordion qa. quote signature avatar user"),
)
COUNT = len(_STARTS)


def place_of(family: str) -> int:
    """Its column among those of `columns`."""
    return [name for name, _ in _STARTS].index(family)


def _bits(*, whole: bool) -> dict[str, int]:
    """The families of words that are meant whole, or of beginnings."""
    found: dict[str, int] = {}
    for index, (_, starts) in enumerate(_STARTS):
        for start in starts.split():
            if start.endswith(".") is whole:
                word = start.rstrip(".")
                found[word] = found.get(word, 0) | 1 << index
    return found


_WHOLE, _BEGINNINGS = _bits(whole=True), _bits(whole=False)
_LENGTHS = range(min(map(len, _BEGINNINGS)), max(map(len, _BEGINNINGS)) + 1)


def families_of(word: str) -> int:
    """The families that a lower-case word in the name of an element belongs to, a bit each."""
    bits = _WHOLE.get(word, 0)
    for length in _LENGTHS:
        bits |= _BEGINNINGS.get(word[:length], 0)
    return bits


def inherited(own: Sequence[int], parents: Sequence[int]) -> NDArray[np.int64]:
    """The bits of each container and of all above it; a parent stands before its children."""
    bits: list[int] = []
    for mine, parent in zip(own, parents, strict=True):
        bits.append(mine | bits[parent] if bits else mine)
    return np.array(bits, dtype=np.int64)


def columns(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """One column a family."""
    return (bits[:, None] >> np.arange(COUNT)) & 1

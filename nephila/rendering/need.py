"""What a page says with and without a browser, compared. Pure functions over documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass
from urllib.parse import urlsplit

from nephila.document import Document, plain_text
from nephila.urls import fingerprint, resolve

# A word, or one character of the scripts that are written without spaces.
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]|[^\W_]+")
_SCRIPT = re.compile(rb"<script\b([^>]*)>", re.IGNORECASE)
_TYPE = re.compile(rb"""\btype\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
_SOURCE = re.compile(rb"""\bsrc\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_NO_SCRIPT = re.compile(rb"<noscript[^>]*>(.{0,2000}?)</noscript", re.IGNORECASE | re.DOTALL)
_RUN = re.compile(rb"(?:(?:text|application)/(?:x-)?(?:java|ecma)script|module|)(?:;.*)?", re.IGNORECASE).fullmatch
_SCANNED = 2 * 2**20

_SCANT_WORDS = 40
_FEW_WORDS = 8
_SHARE = 0.1
"""Of a drawn page's words, how many the plain page may lack: dates that count, and the cookie notice."""
_FEW_LINKS = 2
_LINK_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Look:
    """What a page shows: the words of its text, and where it leads (fingerprints)."""

    words: Counter[str]
    links: frozenset[int]

    @classmethod
    def at(cls, document: Document) -> Look:
        urls = resolve(document.base_url or document.url or "", [href for href, _ in document.hrefs])
        return cls(
            Counter(_WORD.findall(plain_text(document).lower())),
            frozenset(fingerprint(url) for url in urls if url is not None),
        )


@dataclass(frozen=True, slots=True)
class Missing:
    """What the drawn page has and the plain one has not."""

    words: int
    share: float
    """Of the drawn page's words."""
    links: int
    link_share: float

    @property
    def much(self) -> bool:
        """Whether a reader of the plain page would miss something."""
        by_text = self.words >= _FEW_WORDS and self.share > _SHARE
        return by_text or (self.links >= _FEW_LINKS and self.link_share > _LINK_SHARE)

    @property
    def little(self) -> bool:
        """Whether one look is enough to say that nothing is missing."""
        return self.share < 0.02 and self.links == 0

    @property
    def most(self) -> bool:
        """Whether one look is enough to say that the browser is needed."""
        return self.words >= _FEW_WORDS and self.share > 0.5


def missing(plain: Look, drawn: Look, known_links: Set[int] = frozenset()) -> Missing:
    """`known_links`: those that other pages of the site have shown already; nothing is lost where they lack here."""
    total = drawn.words.total()
    words = (drawn.words - plain.words).total()
    links = len(drawn.links - plain.links - known_links)
    return Missing(words, words / max(1, total), links, links / max(1, len(drawn.links)))


def runs_scripts(body: bytes, ignored_host: Callable[[str], bool]) -> bool:
    """Whether the page has a script of its own to run; without one, a browser shows what the server sent."""
    for found in _SCRIPT.finditer(body[:_SCANNED]):
        attributes = found[1]
        kind = _TYPE.search(attributes)
        if kind is not None and not _RUN(kind[1].strip()):
            continue
        source = _SOURCE.search(attributes)
        if source is None or not ignored_host(_host(source[1])):
            return True
    return False


def _host(source: bytes) -> str:
    try:
        return urlsplit(source.decode("ascii", "replace")).hostname or ""
    except ValueError:
        return ""


def is_suspicious(body: bytes, look: Look) -> bool:
    """Whether the page looks as if it were waiting for its scripts: hardly a word, or it says so itself."""
    if look.words.total() < _SCANT_WORDS:
        return True
    return any(b"javascript" in found[1].lower() for found in _NO_SCRIPT.finditer(body[:_SCANNED]))

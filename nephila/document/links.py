"""Where a page points to, and what it says about being indexed and followed. Gives absolute URLs, not canonical ones.

Knows the rules of HTML for links; nothing of scope, of the frontier, or of what a crawl wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from nephila.document.layout import Layout
from nephila.document.markup import attributes_of, table_of, unescape, unescape_value
from nephila.document.native import Tags, hrefs
from nephila.document.tags import Kind

Attributes = Mapping[str, str]

_REFERENCES = table_of(Kind.REFERENCE)
_ALT = re.compile(rb'<img\b[^>]* alt="([^"]*)"')
_MARKUP = re.compile(rb"<(?:(svg|script|style|template)\b[^>]*>.*?</\1|!--.*?--|[^>]*)>", re.DOTALL)
_NOT_VOUCHED = frozenset(("nofollow", "ugc", "sponsored"))

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*:")
_PLAIN_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?=/)")
"""Of most addresses: what `urlsplit` finds in them, in a tenth of its time."""
_PLAIN_FOLDER = re.compile(r"https?://[a-z0-9.:-]+((?:/[\w%~!$&'()*+,=@-][\w.%~!$&'()*+,=@-]*)*/)", re.ASCII)
"""The folder of an address whose path has nothing for `urljoin` to mend."""
_PLAIN_PATH = re.compile(
    r"(?:\.\.?/)*+[\w%~-][\w.%~!$&'()*+,=@-]*+(?:/[\w%~-][\w.%~!$&'()*+,=@-]*+)*+/?(?:\?[^#]+)?(?:#.+)?", re.ASCII
)
"""A reference from the folder or one above it, likewise."""
_HTTP = re.compile(r"https?://[^\s/?#]", re.IGNORECASE)
_REFRESH = re.compile(r"\s*+[\d.]++\s*+[;,]?\s*+(?:url\s*+=\s*+)?[\"']?([^\"']++)", re.IGNORECASE)
_LONGEST_URL = 8192
_EMPTY: frozenset[str] = frozenset()
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})
_HEADER_AGENT = re.compile(r"\s*([\w.\-]+)\s*:")
_HEADER_KEYS = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class Link:
    """An <a>, <area> or <frame> that leads to another page over HTTP."""

    __slots__ = ("_layout", "_number", "_tag", "attributes", "url")

    def __init__(self, layout: Layout, number: int | None, tag: int, attributes: Attributes, url: str) -> None:
        """`number`: among the layout's links; None for a link without text."""
        self._layout = layout
        self._number = number
        self._tag = tag
        self.attributes = attributes
        self.url = url
        """Absolute, as joined to the base of the page."""

    @property
    def href(self) -> str:
        """As it is written in the page."""
        return self.attributes.get("href") or self.attributes.get("src") or ""

    @property
    def block(self) -> int | None:
        """The index of the block where its text begins (which knows its container); None when it has no text."""
        return None if self._number is None else self._layout.link_blocks.get(self._number)

    @property
    def text(self) -> str:
        """What a reader sees: the text, or else the alternative text of its image, or its label."""
        source = self._layout.link_source(self._number) if self._number is not None else b""
        text = unescape(_MARKUP.sub(b"", source).decode("utf-8", "replace"))
        if not text or text.isspace():
            text = self._label(source)
        return " ".join(text.split())

    def _label(self, source: bytes) -> str:
        attributes = self.attributes
        image = _ALT.search(source)
        alt = unescape_value(image[1]) if image is not None else attributes.get("alt")
        return alt or attributes.get("aria-label") or attributes.get("title") or ""

    @property
    def rel(self) -> frozenset[str]:
        rel = self.attributes.get("rel")
        return frozenset(rel.lower().split()) if rel else _EMPTY

    @property
    def nofollow(self) -> bool:
        """The author asks not to follow it, or does not vouch for it (ugc, sponsored)."""
        rel = self.attributes.get("rel")
        return rel is not None and not self.rel.isdisjoint(_NOT_VOUCHED)

    def __repr__(self) -> str:
        return f"<Link {self.url} {self.text[:40]!r}>"


def find_hrefs(tree: LexborHTMLParser, limit: int) -> list[tuple[str, bool]]:
    """The references of the links as they are written, and whether each is not to be followed; cheap."""
    found = []
    for link in tree.tags("a")[:limit]:
        attributes = link.attributes
        href = attributes.get("href")
        if href:
            rel = attributes.get("rel")
            found.append((href, rel is not None and not _NOT_VOUCHED.isdisjoint(rel.lower().split())))
    return found


def hrefs_of(tags: Tags, limit: int) -> list[tuple[str, bool]]:
    """The same from tags that were read natively."""
    return [
        (unescape_value(href), rel is not None and not _NOT_VOUCHED.isdisjoint(unescape_value(rel).lower().split()))
        for href, rel in hrefs(tags, limit)
        if href
    ]


def find_hrefs_within(tree: LexborHTMLParser, selectors: Iterable[str]) -> set[str]:
    """The references of the links that match one of the CSS selectors, or stand inside what does."""
    found = set()
    for selector in selectors:
        for node in tree.css(selector):
            for link in [node] if node.tag == "a" else node.css("a[href]"):
                href = link.attributes.get("href")
                if href:
                    found.add(href)
    return found


def find_links(layout: Layout, joiner: Joiner, limit: int) -> list[Link]:
    """The links that lead to a page, in document order."""
    markup = layout.markup
    tags: list[tuple[int, int | None]] = [(tag, number) for number, tag in enumerate(layout.link_tags.tolist())]
    tags += [(tag, None) for tag in np.flatnonzero(_REFERENCES[markup.tag]).tolist()]
    found = []
    for tag, number in sorted(tags, key=lambda pair: pair[0])[:limit]:
        attributes = attributes_of(markup.source(tag))
        url = joiner.join(attributes.get("href") or attributes.get("src") or "")
        if url is not None:
            found.append(Link(layout, number, tag, attributes, url))
    return found


@dataclass(frozen=True, slots=True)
class Relations:
    """What the <link> elements of a page point to."""

    canonical: str | None = None
    next: str | None = None
    prev: str | None = None
    amp: str | None = None
    feeds: list[str] = field(default_factory=list)
    languages: dict[str, str] = field(default_factory=dict)
    """hreflang -> URL."""
    refresh: str | None = None
    """Where <meta http-equiv=refresh> leads to."""


class Joiner:
    """Joins references to the base of a page. Most are of two shapes that need no parsing: 0.2 us instead of 3."""

    def __init__(self, url: str | None, base: str | None) -> None:
        plain = _PLAIN_ORIGIN.match(url) if base is None and url is not None else None
        if plain is not None:
            self.base, self._origin = url, plain[0]
        else:
            self.base = _absolute(url, base)
            parts = urlsplit(self.base or "")
            self._origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        self._joined: dict[str, str | None] = {}
        self._folder: str | None = None

    def join(self, href: str) -> str | None:
        """The absolute URL, or None when the reference is not to a page: mailto:, javascript:, #part, nonsense."""
        if href in self._joined:
            return self._joined[href]
        plain = href.isprintable() and " " not in href and len(href) <= _LONGEST_URL
        if plain and href.startswith(("https://", "http://")) and href[8:9].isalnum():
            url: str | None = href
        elif plain and self._origin and href[:1] == "/" and href[1:2].isalnum() and "/." not in href:
            url = self._origin + href
        else:
            url = self._join(href)
        self._joined[href] = url
        return url

    def _join(self, href: str) -> str | None:
        if len(href) > _LONGEST_URL:
            return None
        href = href.strip().replace("\n", "").replace("\t", "").replace("\r", "")
        if not href or href[0] == "#":
            return None
        if _SCHEME.match(href):
            return href if _is_http(href) else None
        if self.base is None:
            return None
        if self._folder is None:
            self._folder = _folder_of(self.base)
        if self._folder and _PLAIN_PATH.fullmatch(href) is not None:
            return self._from_folder(self._folder, href)
        joined = _urljoin(self.base, href.replace("\\", "/")) or ""
        return joined if _HTTP.match(joined) else None

    def _from_folder(self, folder: str, href: str) -> str:
        """A reference of which only the steps upwards at its beginning need a thought."""
        while href[0] == ".":
            up = href[1] == "."
            href = href[3 if up else 2 :]
            if up and len(folder) > len(self._origin) + 1:
                folder = folder[: folder.rindex("/", 0, -1) + 1]
        return folder + href


def _folder_of(base: str) -> str:
    """What references from the folder are put behind; empty where that takes more than that."""
    plain = _PLAIN_FOLDER.match(base)
    rest = base[plain.end() :] if plain is not None else ""
    return plain[0] if plain is not None and "/" not in rest.partition("?")[0].partition("#")[0] else ""


def _urljoin(base: str, href: str) -> str | None:
    try:
        return urljoin(base, href)
    except ValueError:  # a broken IPv6 address
        return None


def _absolute(url: str | None, base: str | None) -> str | None:
    """The base that references are joined to: <base href> joined to the page's own address, if it is usable."""
    if base is not None:
        joined = _urljoin(url or "", base.strip()[:_LONGEST_URL])
        if joined is not None and _is_http(joined):
            return joined
    return url if url is not None and _is_http(url) else None


def _is_http(url: str) -> bool:
    try:
        return _HTTP.match(url) is not None and bool(urlsplit(url).netloc)
    except ValueError:
        return False


def relations(elements: Iterable[Attributes], metas: Iterable[Attributes], joiner: Joiner) -> Relations:
    single: dict[str, str] = {}
    feeds: dict[str, None] = {}
    languages: dict[str, str] = {}
    for attributes in elements:
        href, rel = attributes.get("href"), attributes.get("rel")
        if not href or not rel or rel in _SILENT:
            continue
        rels = rel.lower().split()
        if _TELLING.isdisjoint(rels):
            continue
        wanted = [name for name in rels if name in _SINGLE]
        url = joiner.join(href)
        if url is None:
            continue
        for name in wanted:
            single.setdefault(_SINGLE[name], url)
        if "alternate" in rels:
            if (attributes.get("type") or "").partition(";")[0].strip().lower() in _FEEDS:
                feeds[url] = None
            elif language := attributes.get("hreflang"):
                languages.setdefault(language, url)
    return Relations(**single, feeds=list(feeds), languages=languages, refresh=_refresh(metas, joiner))


_SINGLE = {"canonical": "canonical", "next": "next", "prev": "prev", "previous": "prev", "amphtml": "amp"}
_TELLING = frozenset((*_SINGLE, "alternate"))
_SILENT = frozenset(
    ("stylesheet", "icon", "shortcut icon", "apple-touch-icon", "preload", "dns-prefetch", "preconnect")
)
"""What most of them say."""


def _refresh(metas: Iterable[Attributes], joiner: Joiner) -> str | None:
    for attributes in metas:
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            match = _REFRESH.match(attributes.get("content") or "")
            if match:
                return joiner.join(match.group(1))
    return None


def robots_directives(metas: Iterable[Attributes], header: str | None, agent: str = "nephila") -> frozenset[str]:
    """The directives of <meta name=robots> and of X-Robots-Tag that are meant for all or for `agent`, lower-case.

    `none` is given as `noindex` and `nofollow`.
    """
    found: set[str] = set()
    for attributes in metas:
        if (attributes.get("name") or "").lower() in ("robots", agent):
            found.update(_words(attributes.get("content")))
    for part in _header_parts(header, agent):
        found.update(_words(part))
    if "none" in found:
        found.update(("noindex", "nofollow"))
    return frozenset(found)


def _words(content: str | None) -> Iterable[str]:
    return (word for piece in (content or "").lower().split(",") if (word := piece.strip()))


def _header_parts(header: str | None, agent: str) -> Iterable[str]:
    """An agent's name before a colon holds for the directives after it, until the next name."""
    for_us = True
    for part in (header or "").lower().split(","):
        match = _HEADER_AGENT.match(part)
        if match and match.group(1) not in _HEADER_KEYS:
            for_us = match.group(1) in (agent, "*")
            part = part[match.end() :]
        if for_us:
            yield part

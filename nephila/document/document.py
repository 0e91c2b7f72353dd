"""The Document: what one parse of a page gives, and `parse`, the door of the room. Knows nothing of how pages come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from nephila.document.anchors import without_signs
from nephila.document.blocks import Blocks, Container
from nephila.document.encoding import Decoded, decode
from nephila.document.guard import guard
from nephila.document.head import Head, read_head
from nephila.document.layout import Layout
from nephila.document.lazy import lazy
from nephila.document.limits import DEFAULT_LIMITS, Limits
from nephila.document.links import (
    Joiner,
    Link,
    Relations,
    find_hrefs,
    find_hrefs_within,
    find_links,
    hrefs_of,
    relations,
    robots_directives,
)
from nephila.document.metadata import Metadata, read_metadata
from nephila.document.mojibake import mend
from nephila.document.native import DATA, DRAWING, SCRIPT, STYLE, Tags, WithoutScripts, read_tags, without_scripts
from nephila.document.native_layout import layout_of
from nephila.document.outline import Outline, outline_of
from nephila.document.repair import close_swallowing
from nephila.document.tags import Flag
from nephila.errors import InputError

# Without events: mirroring <option> into <selectedcontent> copies subtrees, for which a crawler has no use.
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)
_HIDDEN = int(Flag.HIDDEN)
_STRIPPED = (("script", SCRIPT), ("style", STYLE), ("svg", DRAWING))


class Document:
    """A parsed page: text, blocks, links, and what it says of itself, each read when asked for."""

    def __init__(
        self,
        tree: LexborHTMLParser,
        data: list[tuple[str, str]],
        head: Head,
        source: bytes,
        url: str | None,
        encoding: str,
        truncated: bool,
        headers: Mapping[str, str],
        limits: Limits,
    ) -> None:
        self.tree = tree
        """The parsed page, without scripts, styles and drawings."""
        self.data = data
        """Scripts that hold JSON: the type of each (lower-case) and its text."""
        self.source = source
        """The page as it was parsed, in UTF-8."""
        self.url = url
        self.encoding = encoding
        self.limits = limits
        self._truncated = truncated
        self.title = head.title
        """<title> as it is; the name of the site may be in it."""
        self._head = head
        self._headers = headers
        self._joiner = Joiner(url, head.base)

    @lazy
    def _written(self) -> bytes:
        """The page as lexbor writes it out again."""
        return without_signs((self.tree.html or "").encode("utf-8", "replace"))

    @lazy
    def tags(self) -> Tags | None:
        """The tags of the page; None where there is no native library, or the page is too odd for it."""
        return read_tags(self._written, self.limits.max_nodes)

    @lazy
    def layout(self) -> Layout:
        """The page as arrays: for those who look at all blocks at once."""
        return layout_of(self._written, self.tags, self.limits)

    @property
    def truncated(self) -> bool:
        """Something was beyond the limits and is left out."""
        return self._truncated or self.layout.truncated

    @lazy
    def outline(self) -> Outline:
        """The containers of the blocks, as arrays."""
        return outline_of(self.layout)

    @lazy
    def blocks(self) -> Blocks:
        return Blocks(self.layout, self.outline)

    @property
    def containers(self) -> Sequence[Container]:
        """The block-level elements that hold blocks, in document order."""
        return self.blocks.containers

    @lazy
    def links(self) -> list[Link]:
        """The links that lead to a page, with their absolute URLs."""
        return find_links(self.layout, self._joiner, self.limits.max_links)

    @lazy
    def hrefs(self) -> list[tuple[str, bool]]:
        """The references of <a> as they are written, and whether each is not to be followed: `links` for a crawl."""
        if self.tags is not None:
            return hrefs_of(self.tags, self.limits.max_links)
        return find_hrefs(self.tree, self.limits.max_links)

    def hrefs_within(self, selectors: Iterable[str]) -> set[str]:
        """The references of the links that match one of the CSS selectors, or stand inside what does."""
        return find_hrefs_within(self.tree, selectors)

    @property
    def base_url(self) -> str | None:
        """What references are joined to: <base href>, or else the page's own address."""
        return self._joiner.base

    def join(self, href: str) -> str | None:
        """The absolute URL of a reference; None when it leads to no page."""
        return self._joiner.join(href)

    @lazy
    def relations(self) -> Relations:
        return relations(self._head.relations, self._head.metas, self._joiner)

    @lazy
    def robots(self) -> frozenset[str]:
        """Directives of <meta name=robots> and X-Robots-Tag, lower-case."""
        return robots_directives(self._head.metas, self._headers.get("x-robots-tag"))

    @property
    def noindex(self) -> bool:
        return "noindex" in self.robots

    @property
    def nofollow(self) -> bool:
        return "nofollow" in self.robots

    @lazy
    def metadata(self) -> Metadata:
        return read_metadata(
            self.tree,
            self._written,
            self.data,
            self._head.metas,
            self.title,
            self._joiner.join,
            self._headers.get("content-language"),
            self.limits,
        )

    def text(self, *, hidden: bool = False) -> str:
        """All visible text, a line a block (and a line break of a block is one here)."""
        layout = self.layout
        if hidden:
            return "\n".join(layout.texts)
        flags = layout.flags
        return "\n".join([t for t, c in zip(layout.texts, layout.container, strict=True) if not flags[c] & _HIDDEN])

    def __repr__(self) -> str:
        return f"<Document {self.url} {len(self.layout.texts)} blocks, {len(self.layout.link_tags)} links>"


def parse(
    body: bytes | str,
    url: str | None = None,
    *,
    content_type: str | None = None,
    headers: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Parses a page, once. Whatever the body, it gives a Document or raises InputError, within the limits.

    `url`: the address that answered, which relative links are joined to. `content_type`: the value of that header;
    `headers` (lower-case names) may give it too, and X-Robots-Tag and Content-Language.
    """
    headers = headers or {}
    decoded = _decoded(body, url, content_type or headers.get("content-type"), limits)
    utf8, bare, truncated = guard(mend(decoded.utf8), limits)
    tree, data = _read(bare)
    head = read_head(tree, bare.seen)
    if head.swallowed:
        utf8 = close_swallowing(utf8)
        bare = without_scripts(utf8)
        tree, data = _read(bare)
        head = read_head(tree, bare.seen)
    truncated = truncated or len(body) > limits.max_bytes
    return Document(tree, data, head, utf8, url, decoded.encoding, truncated, headers, limits)


def _read(bare: WithoutScripts) -> tuple[LexborHTMLParser, list[tuple[str, str]]]:
    try:
        tree = LexborHTMLParser(bare.html, options=_OPTIONS)
    except (SelectolaxError, MemoryError, RuntimeError) as error:
        raise InputError(f"the page cannot be parsed ({error}): check that it is HTML") from error
    # Each question walks the whole tree: only what the page may have is asked for.
    scripts = tree.tags("script") if bare.seen & DATA else ()
    types = [((script.attributes.get("type") or "").lower(), script) for script in scripts]
    data = [(kind, script.text()) for kind, script in types if "json" in kind]
    # Half of the bytes of today's pages are scripts, styles and drawings: none of them is looked at again.
    tree.strip_tags([name for name, kind in _STRIPPED if bare.seen & kind], recursive=True)
    return tree, data


def _decoded(body: bytes | str, url: str | None, content_type: str | None, limits: Limits) -> Decoded:
    if isinstance(body, str):
        return Decoded(body[: limits.max_bytes].encode("utf-8", "replace"), "utf-8")
    return decode(body[: limits.max_bytes], content_type, url=url)

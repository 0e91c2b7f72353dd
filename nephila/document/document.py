"""The Document: what one parse of a page gives, and `parse`, the door of the room. Knows nothing of how pages come."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from urllib.parse import urlsplit

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from nephila.document.blocks import Block, Container
from nephila.document.encoding import Decoded, decode
from nephila.document.guard import guard
from nephila.document.limits import DEFAULT_LIMITS, Limits
from nephila.document.links import Joiner, Link, Relations, relations, resolve, robots_directives
from nephila.document.metadata import Metadata, read_metadata
from nephila.document.repair import close_swallowing
from nephila.document.walk import Walk
from nephila.errors import InputError

# Without events: mirroring <option> into <selectedcontent> copies subtrees, for which a crawler has no use.
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)


class Document:
    """A parsed page: blocks of text, links, and metadata that is read when asked for.

    It keeps the tree (`tree`) alive, to which blocks, containers and links point.
    """

    def __init__(
        self,
        tree: LexborHTMLParser,
        walk: Walk,
        url: str | None,
        encoding: str,
        truncated: bool,
        headers: Mapping[str, str],
    ) -> None:
        self.tree = tree
        self.url = url
        self.encoding = encoding
        self.truncated = truncated or walk.truncated
        """Something was beyond the limits and is left out."""
        self.blocks: list[Block] = walk.blocks
        self.containers: list[Container] = walk.containers
        self.title = walk.title
        """<title> as it is; the name of the site may be in it."""
        self._walk = walk
        self._headers = headers
        self._joiner = Joiner(url, walk.base)
        self.links: list[Link] = resolve(walk.links, self._joiner)

    @property
    def base_url(self) -> str | None:
        """What references are joined to: <base href>, or else the page's own address."""
        return self._joiner.base

    @cached_property
    def relations(self) -> Relations:
        return relations(self._walk.relations, self._walk.metas, self._joiner)

    @cached_property
    def robots(self) -> frozenset[str]:
        """Directives of <meta name=robots> and X-Robots-Tag, lower-case."""
        return robots_directives(self._walk.metas, self._headers.get("x-robots-tag"))

    @property
    def noindex(self) -> bool:
        return "noindex" in self.robots

    @property
    def nofollow(self) -> bool:
        return "nofollow" in self.robots

    @cached_property
    def metadata(self) -> Metadata:
        return read_metadata(
            self.tree,
            self._walk.metas,
            self.title,
            self._joiner.join,
            self._headers.get("content-language"),
            self._walk.limits,
        )

    def text(self, *, hidden: bool = False) -> str:
        """All visible text, a line a block (and a line break of a block is one here)."""
        return "\n".join(block.text for block in self.blocks if hidden or not block.hidden)

    def __repr__(self) -> str:
        return f"<Document {self.url} {len(self.blocks)} blocks, {len(self.links)} links>"


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
    utf8, truncated = guard(decoded.utf8, limits)
    tree, walk = _read(utf8, limits)
    if walk.swallowed:
        tree, walk = _read(close_swallowing(utf8), limits)
    return Document(tree, walk, url, decoded.encoding, truncated or len(body) > limits.max_bytes, headers)


def _read(utf8: bytes, limits: Limits) -> tuple[LexborHTMLParser, Walk]:
    try:
        tree = LexborHTMLParser(utf8, options=_OPTIONS)
    except (SelectolaxError, MemoryError, RuntimeError) as error:
        raise InputError(f"the page cannot be parsed ({error}): check that it is HTML") from error
    return tree, Walk(tree, limits)


def _decoded(body: bytes | str, url: str | None, content_type: str | None, limits: Limits) -> Decoded:
    if isinstance(body, str):
        return Decoded(body[: limits.max_bytes].encode("utf-8", "replace"), "utf-8")
    return decode(body[: limits.max_bytes], content_type, tld=_top_level_domain(url))


def _top_level_domain(url: str | None) -> str | None:
    try:
        host = urlsplit(url or "").hostname
    except ValueError:
        return None
    return host.rpartition(".")[2] if host and "." in host else None

"""One walk over the tree: blocks, containers, links and what the head says. The hot loop of the room.

Every node is passed once; work is done at text alone. A run of text ends where a block-level element opened since the
text before, or where the closest block-level element is another one, so what is open need not be tracked and elements
without text cost next to nothing. White space between elements is told apart without being read; links, the head and
attributes that hide an element are found by one CSS query; what only some readers need is computed when asked for.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nephila.document.blocks import Block, Container
from nephila.document.limits import Limits
from nephila.document.links import Link
from nephila.document.places import Attributes, Places
from nephila.document.repair import SWALLOWED_LENGTH
from nephila.document.tags import COMMENT_ID, TAGS_BY_ID, TEXT_ID, Flag, Kind, tag_named

_BREAK: Final = "\x00"
"""Stands for <br> in a run of text: the parser lets no NUL through."""

_CODE = int(Flag.CODE)
_NOSCRIPT = int(Flag.NOSCRIPT)
_BLOCK, _INLINE, _IMAGE, _RULE, _LINE_BREAK = Kind.BLOCK, Kind.INLINE, Kind.IMAGE, Kind.RULE, Kind.BREAK
_LINK, _REFERENCE = Kind.LINK, Kind.REFERENCE
_HEAD_TAGS = frozenset({"meta", "link", "base", "title", "iframe"})
_UNKNOWN = tag_named("")
# What the loop need not look at counts as inline there.
_KINDS: dict[int, Kind] = {COMMENT_ID: _INLINE} | {
    number: tag.kind if tag.kind in (_BLOCK, _IMAGE, _RULE, _LINE_BREAK, Kind.OPTION) else _INLINE
    for number, tag in TAGS_BY_ID.items()
}
_TELLING = (
    'a[href],area[href],frame[src],iframe,meta,link,base,title,[role],[hidden],[aria-hidden="true"],'
    '[style*="none" i],[style*="hidden" i]'
)

_Run = tuple[Container, list[str], list[LexborNode], list[tuple[Link, str]], int]
"""Container, pieces of text, their nodes, those in links, number of images."""


def fold(text: str) -> str:
    """White space folded to one space, and to a line break where the page has <br>."""
    if _BREAK not in text:
        return " ".join(text.split())
    return "\n".join([line for piece in text.split(_BREAK) if (line := " ".join(piece.split()))])


def _keep_lines(text: str) -> str:
    lines = text.replace(_BREAK, "\n").replace("\r\n", "\n").split("\n")
    return "\n".join([line.rstrip() for line in lines]).strip("\n")


def _without_noscript(runs: list[_Run]) -> list[_Run]:
    """What is shown when scripts do not run counts when it is more than all the rest, else it doubles or pleads."""
    inside = [run for run in runs if run[0].flags & _NOSCRIPT]
    if not inside:
        return runs
    outside = [run for run in runs if not run[0].flags & _NOSCRIPT]
    return runs if _length(inside) > _length(outside) else outside


def _length(runs: list[_Run]) -> int:
    return sum(len(part) for run in runs for part in run[1])


class Walk:
    """The walk over one tree, done when it is made."""

    def __init__(self, tree: LexborHTMLParser, limits: Limits) -> None:
        self.limits = limits
        self.truncated = False
        self.swallowed = False
        """An element holds what should be the rest of the page."""
        self.blocks: list[Block] = []
        self.containers: list[Container] = []
        self.links: list[Link] = []
        self.metas: list[Attributes] = []
        self.relations: list[Attributes] = []
        self.base: str | None = None
        self.title: str | None = None
        root = tree.root
        if root is not None:
            telling: dict[int, Attributes] = {}
            links: dict[int, Link] = {}
            self._read_telling(root, telling, links)
            places = Places(root, telling, links, limits)
            self._add_blocks(_without_noscript(self._runs(root, places)))
            self.containers = places.finish()

    def _read_telling(self, root: LexborNode, telling: dict[int, Attributes], links: dict[int, Link]) -> None:
        max_links = self.limits.max_links
        for node in root.css(_TELLING):
            name, kind, _ = TAGS_BY_ID.get(node.tag_id, _UNKNOWN)
            attributes = node.attributes
            if kind is _LINK or kind is _REFERENCE:
                if len(self.links) >= max_links:
                    self.truncated = True
                elif "href" in attributes or "src" in attributes:
                    link = links[node.mem_id] = Link(node, attributes)
                    self.links.append(link)
            elif name in _HEAD_TAGS:
                self._read_head(name, node, attributes)
            else:
                telling[node.mem_id] = attributes

    def _read_head(self, name: str, node: LexborNode, attributes: Attributes) -> None:
        if name == "meta":
            self.metas.append(attributes)
        elif name == "link":
            self.relations.append(attributes)
        elif name == "base":
            self.base = self.base or attributes.get("href")
        else:
            text = node.text()
            parent = node.parent
            self.swallowed |= len(text) > SWALLOWED_LENGTH and "</" in text
            if self.title is None and name == "title" and parent is not None and parent.tag != "svg":
                self.title = fold(text) or None

    def _runs(self, root: LexborNode, places: Places) -> list[_Run]:  # noqa: C901  # one loop: calls would double its cost
        """The runs of text, in document order."""
        known, find, kinds = places.known, places.find, _KINDS.copy()
        runs: list[_Run] = []
        container, boundary = places.root, False
        parts: list[str] = []
        nodes: list[LexborNode] = []
        link_parts: list[tuple[Link, str]] = []
        images = images_after = 0
        max_runs = self.limits.max_blocks
        tree = root.traverse(include_text=True)
        for node in islice(tree, self.limits.max_nodes):
            tag_id = node.tag_id
            if tag_id == TEXT_ID:
                if node.is_empty_text_node:
                    if parts and not boundary and parts[-1] is not _BREAK:
                        parts.append((node.text_content or " ") if container.flags & _CODE else " ")
                    continue
                parent: LexborNode = node.parent  # type: ignore[assignment]  # a text has one
                parent_id = parent.mem_id
                here, link = known.get(parent_id) or find(parent, parent_id)
                if here is None:
                    continue
                if parts and (boundary or here is not container):
                    runs.append((container, parts, nodes, link_parts, images))
                    if len(runs) > max_runs:
                        break
                    parts, nodes, link_parts = [], [], []
                    images, images_after = images_after, 0
                container, boundary = here, False
                text = node.text_content or ""
                parts.append(text)
                nodes.append(node)
                if link is not None:
                    link_parts.append((link, text))
                continue
            kind = kinds.get(tag_id)
            if kind is _INLINE:
                continue
            if kind is None:
                kind = kinds[tag_id] = _BLOCK if tag_named(node.tag).kind is _BLOCK else _INLINE
            if kind is _BLOCK or kind is _RULE:
                boundary = True
            elif kind is not _INLINE:
                place = known.get(node.parent.mem_id)  # type: ignore[union-attr]
                if not parts or boundary or place is None or place[0] is not container:
                    images_after += kind is _IMAGE
                elif kind is _IMAGE:
                    images += 1
                    nodes.append(node)
                elif kind is _LINE_BREAK and parts[-1] is _BREAK and not container.flags & _CODE:
                    boundary = True  # a second <br> ends the run; one alone is a line break in it
                else:
                    parts.append(_BREAK)
                    nodes.append(node)
        if parts:
            runs.append((container, parts, nodes, link_parts, images + images_after))
        self.truncated |= next(tree, None) is not None
        return runs

    def _add_blocks(self, runs: list[_Run]) -> None:
        """A block of each run that is not blank."""
        blocks, max_blocks = self.blocks, self.limits.max_blocks
        index = images_before = 0
        for container, parts, nodes, link_parts, images in runs:
            raw = "".join(parts)
            text = _keep_lines(raw) if container.flags & _CODE else fold(raw)
            if not text or text.isspace():
                images_before += images
                continue
            if index == max_blocks:
                self.truncated = True
                break
            link_length = link_count = 0
            if link_parts:
                link_length, link_count = self._place_links(link_parts, index)
            blocks.append(
                Block(index, text, container, nodes, min(link_length, len(text)), link_count, images + images_before)
            )
            images_before = 0
            index += 1
            container.end = index
            if container.start < 0:
                container.begin(index - 1)

    def _place_links(self, link_parts: list[tuple[Link, str]], index: int) -> tuple[int, int]:
        """Tells the links of a run their text and block; the characters and the number of the links."""
        length = count = 0
        last = None
        for link, text in link_parts:
            if link is not last:
                last = link
                count += 1
                if link.block is None:
                    link.block = index
            link.parts.append(text)
            length += len(" ".join(text.split()))
        return length, count

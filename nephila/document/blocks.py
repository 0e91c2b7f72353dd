"""The block: a run of text between two block-level boundaries, the unit that the extraction judges.

A block points to its container, the closest block-level element, and a container to its parent: what is asked of the
ancestors is computed once a container, not once a block. Knows nothing of how they are found (that is `walk`).
"""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from nephila.document.tags import HEADING_BITS, HEADING_SHIFT, Flag

_HIDDEN = int(Flag.HIDDEN)


class Container:
    """A block-level element with text in it."""

    __slots__ = ("_attributes", "depth", "end", "flags", "index", "node", "parent", "start", "tag")

    index: int
    """Its place in `Document.containers`, in document order: a parent comes before its children."""

    def __init__(self, tag: str, parent: Container | None, depth: int, flags: int, node: LexborNode) -> None:
        self.tag = tag
        self.parent = parent
        self.depth = depth
        """Block-level elements above it."""
        self.flags = flags
        """`Flag`s of this element and of all above it, and the level of the heading."""
        self.node = node
        self.start = -1
        self.end = 0
        """The blocks inside it, at any depth, are `Document.blocks[start:end]`."""

    @property
    def heading(self) -> int:
        """1 to 6 in a heading, else 0."""
        return self.flags >> HEADING_SHIFT

    @property
    def attributes(self) -> dict[str, str | None]:
        try:
            return self._attributes
        except AttributeError:  # not asked for yet
            self._attributes: dict[str, str | None] = self.node.attributes
            return self._attributes

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    @property
    def id(self) -> str | None:
        return self.attributes.get("id")

    @property
    def role(self) -> str | None:
        return self.attributes.get("role")

    def begin(self, index: int) -> None:
        """Its first block, and that of the ancestors that had none yet."""
        container: Container | None = self
        while container is not None and container.start < 0:
            container.start = index
            container = container.parent

    def ancestors(self) -> Iterator[Container]:
        """This container, its parent, and so on up to <html>."""
        container: Container | None = self
        while container is not None:
            yield container
            container = container.parent

    def __repr__(self) -> str:
        return f"<Container {self.index} {self.tag} blocks {self.start}:{self.end}>"


class Block:
    """A run of text, never empty."""

    __slots__ = ("container", "image_count", "index", "link_count", "link_length", "nodes", "text")

    def __init__(
        self,
        index: int,
        text: str,
        container: Container,
        nodes: list[LexborNode],
        link_length: int,
        link_count: int,
        image_count: int,
    ) -> None:
        self.index = index
        """Its place in `Document.blocks`, in document order."""
        self.text = text
        """White space folded; `\\n` where the page breaks the line (<br>, the lines of <pre>)."""
        self.container = container
        self.nodes = nodes
        """The text nodes and images of the run, in order: their inline ancestors below the container are its markup."""
        self.link_length = link_length
        """Characters of `text` that are in links."""
        self.link_count = link_count
        self.image_count = image_count
        """Images in the run, and between it and the block before."""

    @property
    def tag(self) -> str:
        """Of the closest block-level element."""
        return self.container.tag

    @property
    def flags(self) -> Flag:
        return Flag(self.container.flags & ~HEADING_BITS)

    @property
    def heading(self) -> int:
        return self.container.heading

    @property
    def depth(self) -> int:
        return self.container.depth

    @property
    def hidden(self) -> bool:
        return self.container.flags & _HIDDEN != 0

    @property
    def link_density(self) -> float:
        return self.link_length / len(self.text)

    @property
    def path(self) -> tuple[str, ...]:
        """The tags of the block-level ancestors, from <html> down to its own."""
        return tuple(container.tag for container in self.container.ancestors())[::-1]

    def inline_ancestors(self, node: LexborNode) -> list[LexborNode]:
        """The inline elements between one of `nodes` and the container, the outermost first."""
        top = self.container.node.mem_id
        found = []
        parent = node.parent
        while parent is not None and parent.mem_id != top:
            found.append(parent)
            parent = parent.parent
        return found[::-1]

    def html_length(self) -> int:
        """Bytes of the run as HTML: its text, its inline markup, and its container's tag if it is first in there."""
        length = 0
        seen: set[int] = set()
        for node in self.nodes:
            text = node.text_content
            length += len(text.encode("utf-8", "replace")) if text is not None else _tag_length(node)
            for element in self.inline_ancestors(node):
                if element.mem_id not in seen:
                    seen.add(element.mem_id)
                    length += _tag_length(element)
        if self.container.start == self.index:
            length += _tag_length(self.container.node)
        return length

    def __repr__(self) -> str:
        return f"<Block {self.index} {self.tag} {self.text[:40]!r}>"


def _tag_length(node: LexborNode) -> int:
    """Bytes of the start and end tags; the name counts twice, with `<>` and `</>`."""
    attributes = sum(len(name) + len(value or "") + 4 for name, value in node.attributes.items())
    return 2 * len(node.tag or "") + 5 + attributes

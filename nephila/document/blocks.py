"""The block: a run of text between two block-level boundaries, the unit that the extraction judges.

A block points to its container, the closest block-level element, and a container to its parent: what is asked of the
ancestors is computed once a container, not once a block. Both are thin: what they know lies in the page's `Layout`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from nephila.document.layout import Layout
from nephila.document.markup import attributes_of
from nephila.document.tags import HEADING_BITS, HEADING_SHIFT, Flag

_HIDDEN = int(Flag.HIDDEN)
_OPENING = re.compile(rb"(?:\s|<[a-z][^>]*>)+")
_START_TAG = re.compile(rb"<[a-z][^>]*>")
_ALL_FLAGS = (1 << HEADING_SHIFT) - 1


class Container:
    """A block-level element with text in it."""

    __slots__ = ("_attributes", "_layout", "_tag", "depth", "end", "flags", "index", "parent", "start", "tag")

    def __init__(self, layout: Layout, number: int, index: int, parent: Container | None, start: int, end: int) -> None:
        self._layout = layout
        self._tag = int(layout.tag_of[number])
        self.index = index
        """Its place in `Document.containers`, in document order: a parent comes before its children."""
        self.tag = layout.markup.name(self._tag)
        self.parent = parent
        self.depth = int(layout.depth[number])
        """Block-level elements above it."""
        self.flags = layout.flags[number]
        """`Flag`s of this element and of all above it, and the level of the heading."""
        self.start = start
        self.end = end
        """The blocks inside it, at any depth, are `Document.blocks[start:end]`."""

    @property
    def heading(self) -> int:
        """1 to 6 in a heading, else 0."""
        return (self.flags & HEADING_BITS) >> HEADING_SHIFT

    @property
    def attributes(self) -> dict[str, str]:
        try:
            return self._attributes
        except AttributeError:  # not asked for yet
            self._attributes: dict[str, str] = attributes_of(self._layout.markup.source(self._tag))
            return self._attributes

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def id(self) -> str | None:
        return self.attributes.get("id")

    @property
    def role(self) -> str | None:
        return self.attributes.get("role")

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

    __slots__ = ("_layout", "container", "index", "text")

    def __init__(self, layout: Layout, index: int, container: Container) -> None:
        self._layout = layout
        self.index = index
        """Its place in `Document.blocks`, in document order."""
        self.text = layout.texts[index]
        """White space folded; `\\n` where the page breaks the line (<br>, the lines of <pre>)."""
        self.container = container

    @property
    def html(self) -> str:
        """Its markup: the text escaped, with the inline elements in and around it."""
        layout = self._layout
        return layout.markup.html[int(layout.begin[self.index]) : int(layout.end[self.index])].decode(
            "utf-8", "replace"
        )

    def inline_attributes(self) -> list[dict[str, str]]:
        """The attributes of the inline elements that begin before its text."""
        opening = _OPENING.match(self.html.encode())
        return [attributes_of(tag) for tag in _START_TAG.findall(opening[0])] if opening is not None else []

    @property
    def pieces(self) -> int:
        """Stretches of text between inline tags."""
        return self._layout.pieces[self.index]

    @property
    def link_length(self) -> int:
        """Characters of `text` that are in links."""
        return self._layout.link_lengths[self.index]

    @property
    def link_count(self) -> int:
        return self._layout.link_counts[self.index]

    @property
    def image_count(self) -> int:
        """Images in the run, and between it and the block before."""
        return self._layout.images[self.index]

    @property
    def tag(self) -> str:
        """Of the closest block-level element."""
        return self.container.tag

    @property
    def flags(self) -> Flag:
        return Flag(self.container.flags & _ALL_FLAGS)

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

    def html_length(self) -> int:
        """Bytes of its markup, and of its container's tags if it is first in there."""
        layout = self._layout
        length = int(layout.end[self.index] - layout.begin[self.index])
        if self.container.start == self.index:
            length += len(layout.markup.source(self.container._tag)) + len(self.container.tag) + 3
        return length

    def __repr__(self) -> str:
        return f"<Block {self.index} {self.tag} {self.text[:40]!r}>"


def make_blocks(layout: Layout) -> tuple[list[Block], list[Container]]:
    """The blocks of a page, and the containers that hold any, both in document order."""
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    parents = layout.parent
    for index, number in enumerate(layout.container):
        if number not in starts:
            starts[number] = index
        ends[number] = index + 1
    numbers = _with_ancestors(starts, parents)
    for number in reversed(numbers):  # children before their parents
        above = parents[number]
        if above >= 0:
            starts[above] = min(starts.get(above, starts[number]), starts[number])
            ends[above] = max(ends.get(above, 0), ends[number])
    made: dict[int, Container] = {}
    containers: list[Container] = []
    for number in numbers:
        container = Container(layout, number, len(containers), made.get(parents[number]), starts[number], ends[number])
        made[number] = container
        containers.append(container)
    return [Block(layout, index, made[number]) for index, number in enumerate(layout.container)], containers


def _with_ancestors(numbers: Iterable[int], parents: list[int]) -> list[int]:
    """These containers and all above them, in document order: a parent has a lower number than its children."""
    found: set[int] = set()
    for number in numbers:
        while number >= 0 and number not in found:
            found.add(number)
            number = parents[number]
    return sorted(found)

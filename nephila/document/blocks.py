"""The block: a run of text between two block-level boundaries, the unit that the extraction judges.

A block points to its container, the closest block-level element, and a container to its parent: what is asked of the
ancestors is computed once a container, not once a block. Both are thin: what they know lies in the page's `Layout`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from nephila.document.layout import Layout
from nephila.document.markup import attributes_of
from nephila.document.outline import Outline
from nephila.document.tags import HEADING_BITS, HEADING_SHIFT, Flag

_HIDDEN = int(Flag.HIDDEN)
_OPENING = re.compile(rb"(?:\s|<[a-z][^>]*>)+")
_START_TAG = re.compile(rb"<[a-z][^>]*>")
_ALL_FLAGS = (1 << HEADING_SHIFT) - 1


class Container:
    """A block-level element with text in it."""

    __slots__ = ("_attributes", "_layout", "_name", "_outline", "_tag", "flags", "index", "parent")

    def __init__(
        self, layout: Layout, outline: Outline, parent: Container | None, index: int, tag: int, flags: int
    ) -> None:
        self._layout = layout
        self._outline = outline
        self._tag = tag
        self._name: str | None = None
        self._attributes: dict[str, str] | None = None
        self.parent = parent
        self.index = index
        """Its place in `Document.containers`, in document order: a parent comes before its children."""
        self.flags = flags
        """`Flag`s of this element and of all above it, and the level of the heading."""

    @property
    def tag(self) -> str:
        """The name of the element; kept once it was asked for, as are the attributes."""
        name = self._name
        if name is None:
            name = self._name = self._layout.markup.name(self._tag)
        return name

    @property
    def attributes(self) -> dict[str, str]:
        found = self._attributes
        if found is None:
            found = self._attributes = attributes_of(self._layout.markup.source(self._tag))
        return found

    @property
    def depth(self) -> int:
        """Block-level elements above it."""
        return int(self._layout.depth[self._outline.numbers[self.index]])

    @property
    def start(self) -> int:
        """The blocks inside it, at any depth, are `Document.blocks[start:end]`."""
        return int(self._outline.spans[self.index, 0])

    @property
    def end(self) -> int:
        return int(self._outline.spans[self.index, 1])

    @property
    def heading(self) -> int:
        """1 to 6 in a heading, else 0."""
        return (self.flags & HEADING_BITS) >> HEADING_SHIFT

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
    def markup(self) -> bytes:
        """As lexbor wrote it: the text escaped, with the inline elements in and around it."""
        layout, index = self._layout, self.index
        begin, end = layout.edges
        return layout.markup.html[begin[index] : end[index]]

    @property
    def html(self) -> str:
        """Its markup, decoded."""
        return self.markup.decode("utf-8", "replace")

    def inline_attributes(self) -> list[dict[str, str]]:
        """The attributes of the inline elements that begin before its text."""
        opening = _OPENING.match(self.markup)
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
        length = len(self.markup)
        if self.container.start == self.index:
            length += len(self._layout.markup.source(self.container._tag)) + len(self.container.tag) + 3
        return length

    def __repr__(self) -> str:
        return f"<Block {self.index} {self.tag} {self.text[:40]!r}>"


class Blocks(Sequence[Block]):
    """The blocks of a page in document order, each made when it is asked for: most never are."""

    __slots__ = ("_holders", "_layout", "_made", "_outline", "containers")

    def __init__(self, layout: Layout, outline: Outline) -> None:
        self._layout, self._outline = layout, outline
        self._holders: list[int] = outline.ancestors[:, 0].tolist()
        self._made: dict[int, Block] = {}
        self.containers = Containers(layout, outline)

    @property
    def texts(self) -> list[str]:
        """The text of each block, without making any."""
        return self._layout.texts

    def markups_around(self, places: list[int]) -> list[bytes]:
        """Of each block its markup after the start tags of its two closest containers, where words are looked for."""
        holders, containers = self._holders, self.containers
        return [
            containers.source_above(holders[place]) + containers.source(holders[place]) + markup
            for place, markup in zip(places, self.markups(places), strict=True)
        ]

    def markups(self, places: Iterable[int]) -> list[bytes]:
        """The markup of each block."""
        html, (begin, end) = self._layout.markup.html, self._layout.edges
        return [html[begin[place] : end[place]] for place in places]

    def __len__(self) -> int:
        return len(self._layout.texts)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...
    def __getitem__(self, index: int | slice) -> Block | list[Block]:
        if isinstance(index, slice):
            return [self._block(place) for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        return self._block(place)

    def __iter__(self) -> Iterator[Block]:
        return map(self._block, range(len(self)))

    def at(self, places: Iterable[int]) -> list[Block]:
        """The blocks at these places, of which there are some."""
        return list(map(self._block, places))

    def _block(self, index: int) -> Block:
        block = self._made.get(index)
        if block is None:
            container = self.containers.made(self._holders[index])
            block = self._made[index] = Block(self._layout, index, container)
        return block


class Containers(Sequence[Container]):
    """The block-level elements that hold blocks, in document order, each made when it or one inside it is asked for.

    A container knows its parent and not those who made it: a circle would keep the whole page till Python looks for
    such, and the next page would not find its memory still warm.
    """

    __slots__ = ("_begin", "_end", "_flags", "_html", "_layout", "_made", "_outline", "_parents", "_tags")

    def __init__(self, layout: Layout, outline: Outline) -> None:
        self._layout, self._outline = layout, outline
        # All at once: to ask an array for one number takes as long as to make a list of a hundred.
        self._parents: list[int] = outline.parents.tolist()
        tags, markup = layout.tag_of[outline.numbers], layout.markup
        self._tags: list[int] = tags.tolist()
        self._html = markup.html
        self._begin: list[int] = markup.start[tags].tolist()
        self._end: list[int] = markup.stop[tags].tolist()
        self._flags: list[int] = layout.numbers.flags[outline.numbers].tolist()
        self._made: dict[int, Container] = {}

    def __len__(self) -> int:
        return len(self._parents)

    @overload
    def __getitem__(self, index: int) -> Container: ...
    @overload
    def __getitem__(self, index: slice) -> list[Container]: ...
    def __getitem__(self, index: int | slice) -> Container | list[Container]:
        if isinstance(index, slice):
            return [self.made(place) for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        return self.made(place)

    def __iter__(self) -> Iterator[Container]:
        return map(self.made, range(len(self)))

    def source(self, place: int) -> bytes:
        """The start tag of the container at a place, without making it."""
        return self._html[self._begin[place] : self._end[place]]

    def source_above(self, place: int) -> bytes:
        """The start tag of its parent; the first one is its own."""
        return self.source(self._parents[place])

    def made(self, place: int) -> Container:
        """The container at a place."""
        every = self._made
        known = every.get(place)
        if known is not None:
            return known
        path, parents = [place], self._parents
        while place and (known := every.get(place := parents[place])) is None:
            path.append(place)
        layout, outline, tags, flags = self._layout, self._outline, self._tags, self._flags
        for place in reversed(path):
            known = every[place] = Container(layout, outline, known, place, tags[place], flags[place])
        return every[path[0]]

"""The elements of a page as a light tree, inline ones too: what repeats is looked for among them.

Built from the markup that the document room has cut into tags already, so that no second parse is needed. A node knows
where it stands in the markup; texts of a part of the page are asked for by that place. Knows documents only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from nephila.document import Document, attributes_of, unescape
from nephila.document.markup import NAMED
from nephila.document.tags import Flag, Kind
from nephila.forum import words

_VOID = frozenset({Kind.BREAK, Kind.RULE, Kind.IMAGE, Kind.HEAD, Kind.VOID, Kind.REFERENCE})
_CHILDLESS = [tag.kind in _VOID for tag in NAMED]
_TAGS = re.compile(rb"<[^>]*>")
_CLASS = re.compile(rb' class="([^"]*)"')
_ID = re.compile(rb' id="([^"]*)"')
_DIGITS = re.compile(r"\d+")
_HIDDEN = int(Flag.HIDDEN)
# Words that say how one record differs from the next of its kind: its turn, its state, what the reader did with it.
_STATES = frozenset(words.STATES.split())


_PLACED = frozenset({"td", "th", "tr", "div", "dd", "dt", "span", "table"})


@lru_cache(maxsize=20_000)
def _words_of(source: bytes) -> tuple[str, ...]:
    if (found := _CLASS.search(source)) is not None:
        every = [_DIGITS.sub("", word) for word in found[1].decode("utf-8", "replace").lower().split()[:12]]
        stable = dict.fromkeys(word for word in every if len(word) > 1 and word not in _STATES)
        if stable:
            return tuple(stable)
    if (found := _ID.search(source)) is not None:
        ident = found[1].decode("utf-8", "replace").lower()
        if any(map(str.isdigit, ident)):
            return (f"#{_DIGITS.sub('', ident)}",)
    return ()


@lru_cache(maxsize=20_000)
def _parted(step: str) -> tuple[str, str]:
    """Tag and word of a step; no word: it is told by its place."""
    name, _, word = step.partition(".")
    return name, word


class Node:
    """An element: its tag, its place in the markup, its children."""

    __slots__ = (
        "_attributes",
        "_names",
        "_signature",
        "_text",
        "_words",
        "children",
        "depth",
        "name",
        "page",
        "parent",
        "start",
        "stop",
        "tag_stop",
    )

    def __init__(self, page: PageTree, name: str, start: int, tag_stop: int, parent: Node | None) -> None:
        self.page = page
        self.name = name
        self.start = start
        self.tag_stop = tag_stop
        self.stop = -1
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.children = _NO_CHILDREN
        self._attributes: dict[str, str] | None = None
        self._signature: str | None = None
        self._text: str | None = None
        self._words: tuple[str, ...] | None = None
        self._names: list[str] | None = None

    @property
    def source(self) -> bytes:
        return self.page.html[self.start : self.tag_stop]

    @property
    def attributes(self) -> dict[str, str]:
        if self._attributes is None:
            self._attributes = attributes_of(self.source)
        return self._attributes

    @property
    def words(self) -> tuple[str, ...]:
        """Words of its class (or of an id that counts) without digits and without what changes from one to the next."""
        if self._words is None:
            self._words = _words_of(self.source)
        return self._words

    @property
    def signature(self) -> str:
        """The tag with the first of its words; of a nameless one among equals, with its place among them."""
        if self._signature is None:
            if self.words:
                self._signature = f"{self.name}.{self.words[0]}"
            else:
                self._signature = f"{self.name}[{self._turn()}]" if self.name in _PLACED else self.name
        return self._signature

    def _turn(self) -> int:
        if self.parent is None:
            return 1
        same = 0
        for sibling in self.parent.children:
            same += sibling.name == self.name
            if sibling is self:
                break
        return min(same, 9)

    @property
    def names(self) -> list[str]:
        """Every way to name it in a path: by each of its words, or by its place."""
        if self._names is None:
            self._names = [f"{self.name}.{word}" for word in self.words] or [self.signature]
        return self._names

    def is_a(self, step: str) -> bool:
        name, word = _parted(step)
        return self.name == name and word in self.words if word else self.signature == step

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def ancestors(self) -> Iterator[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def text(self) -> str:
        """All text inside, white space folded."""
        if self._text is None:
            inside = self.page.html[self.tag_stop : self.stop]
            if b"<" in inside:
                inside = _TAGS.sub(b" " if self.children else b"", inside)
            self._text = " ".join(unescape(inside.decode("utf-8", "replace")).split())
        return self._text

    def holds(self, other: Node) -> bool:
        return self.start <= other.start and other.stop <= self.stop and self is not other

    def __repr__(self) -> str:
        return f"<Node {self.signature} {self.start}:{self.stop}>"


_NO_CHILDREN: list[Node] = []
"""Of every element that has none: half of them have none."""


class PageTree:
    """A document as nodes, in document order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        markup = document.layout.markup
        self.html = markup.html
        self.nodes: list[Node] = []
        self._build(markup.start.tolist(), markup.stop.tolist(), markup.tag.tolist(), markup.closing.tolist())

    def _build(self, starts: list[int], stops: list[int], tags: list[int], closing: list[bool]) -> None:
        names = [tag.name for tag in NAMED]
        nodes = self.nodes
        open_node: Node | None = None
        for index, (start, stop, tag, closes) in enumerate(zip(starts, stops, tags, closing, strict=True)):
            if tag == 2:  # comments and declarations
                continue
            if closes:
                if open_node is not None:
                    open_node.stop = stop
                    open_node = open_node.parent
                continue
            name = names[tag] or self.document.layout.markup.name(index)
            node = Node(self, name, start, stop, open_node)
            nodes.append(node)
            if open_node is not None:
                if open_node.children:
                    open_node.children.append(node)
                else:
                    open_node.children = [node]
            if _CHILDLESS[tag]:
                node.stop = stop
            else:
                open_node = node
        while open_node is not None:
            open_node.stop = len(self.html)
            open_node = open_node.parent

    @cached_property
    def _starts(self) -> list[int]:
        return [node.start for node in self.nodes]

    @cached_property
    def _by_name(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = defaultdict(list)
        for node in self.nodes:
            found[node.name].append(node)
        return found

    def named(self, *names: str) -> list[Node]:
        """The elements of these tags, in document order."""
        if len(names) == 1:
            return self._by_name.get(names[0], [])
        found = (node for name in names for node in self._by_name.get(name, ()))
        return sorted(found, key=lambda node: node.start)

    def all_at(self, step: str) -> list[Node]:
        """The elements that a step of a path may mean, wherever they stand."""
        return [node for node in self.named(_parted(step.partition("[")[0])[0]) if node.is_a(step)]

    def node_at(self, start: int) -> Node | None:
        """The element that begins at this place of the markup."""
        index = bisect_left(self._starts, start)
        return self.nodes[index] if self._starts[index : index + 1] == [start] else None

    @cached_property
    def block_begins(self) -> list[int]:
        return self.document.layout.begin.tolist()  # type: ignore[no-any-return]

    def blocks_between(self, start: int, stop: int) -> range:
        """The numbers of the blocks whose markup begins within a stretch of the page."""
        begins = self.block_begins
        return range(bisect_left(begins, start), bisect_left(begins, stop))

    @cached_property
    def hides(self) -> int:
        """The flag of what is not shown; 0 where most of the page has it: then some tag was never closed."""
        layout = self.document.layout
        hidden = sum(len(t) for t, c in zip(layout.texts, layout.container, strict=True) if layout.flags[c] & _HIDDEN)
        return _HIDDEN if 2 * hidden < sum(map(len, layout.texts)) else 0

    def shown(self, block: int) -> bool:
        layout = self.document.layout
        return not layout.flags[layout.container[block]] & self.hides

    def nodes_between(self, start: int, stop: int) -> list[Node]:
        return self.nodes[bisect_left(self._starts, start) : bisect_left(self._starts, stop)]

    @cached_property
    def lowered(self) -> bytes:
        """The markup in small letters: to look for a word in there is ten times as fast as for any of its spellings."""
        return self.html.lower()

    def tags_with(self, words: Iterable[bytes], start: int, stop: int) -> list[Node]:
        """The elements of a stretch of the page whose own tags hold one of the words, in document order."""
        lowered, places = self.lowered, []
        for word in words:
            place = lowered.find(word, start, stop)
            while place >= 0:
                places.append(place)
                place = lowered.find(word, place + 1, stop)
        starts, nodes = self._starts, self.nodes
        first = bisect_left(starts, start)
        owners = {n for place in places if place < nodes[n := bisect_right(starts, place) - 1].tag_stop and n >= first}
        return [nodes[n] for n in sorted(owners)]

    def element_at(self, place: int) -> Node | None:
        """The innermost element that holds this place of the markup."""
        index = bisect_left(self._starts, place + 1) - 1
        node: Node | None = self.nodes[index] if index >= 0 else None
        while node is not None and node.stop <= place:
            node = node.parent
        return node

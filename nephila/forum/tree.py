"""The elements of a page as a light tree, inline ones too: what repeats is looked for among them.

Built from the markup that the document room has cut into tags already, so that no second parse is needed. A node knows
where it stands in the markup; texts of a part of the page are asked for by that place. Knows documents only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from nephila.document import Document, attributes_of, unescape
from nephila.document.markup import NAMED
from nephila.document.tags import Flag
from nephila.forum import words
from nephila.forum.nesting import nesting_of

_NAMES = [tag.name for tag in NAMED]
_NUMBERED = {name: number for number, name in enumerate(_NAMES) if name}
_TAGS = re.compile(rb"<[^>]*>")
_CLASS = re.compile(rb' class="([^"]*)"')
_ID = re.compile(rb' id="([^"]*)"')
_DIGITS = re.compile(r"\d+")
_HIDDEN = int(Flag.HIDDEN)
# Words that say how one record differs from the next of its kind: its turn, its state, what the reader did with it.
_STATES = frozenset(words.STATES.split())


_PLACED = frozenset({"td", "th", "tr", "div", "dd", "dt", "span", "table"})

_DECLARED = re.compile(
    rb'\sitemtype="[^"]*schema\.org/(?:Comment|Answer|Question|DiscussionForumPosting|SocialMediaPosting)/?"'
)
DECLARED = "~post"
"""The word of an element that the page itself tells machines to be a post: those of many looks have it in common."""


@lru_cache(maxsize=20_000)
def _words_of(source: bytes) -> tuple[str, ...]:
    named = _named(source)
    return (*named, DECLARED) if b"itemtype" in source and _DECLARED.search(source) else named


def _named(source: bytes) -> tuple[str, ...]:
    if (found := _CLASS.search(source)) is not None:
        every = " ".join(found[1].decode("utf-8", "replace").lower().split()[:12])
        stable = dict.fromkeys(
            [word for word in _DIGITS.sub("", every).split() if len(word) > 1 and word not in _STATES]
        )
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
    """An element: its tag, its place in the markup, its children. What costs something is made when it is asked for."""

    __slots__ = (
        "_attributes",
        "_children",
        "_names",
        "_signature",
        "_text",
        "_words",
        "index",
        "name",
        "page",
        "parent",
        "start",
        "stop",
        "tag_stop",
    )

    def __init__(self, page: PageTree, index: int, parent: Node | None) -> None:
        nesting = page.nesting
        self.page = page
        self.index = index
        self.parent = parent
        self.name = _NAMES[page.tags[index]] or page.markup.name(nesting.tag[index])
        self.start = nesting.start[index]
        self.tag_stop = nesting.tag_stop[index]
        self.stop = nesting.stop[index]
        self._children: list[Node] | None = None
        self._attributes: dict[str, str] | None = None
        self._signature: str | None = None
        self._text: str | None = None
        self._words: tuple[str, ...] | None = None
        self._names: list[str] | None = None

    @property
    def depth(self) -> int:
        return self.page.nesting.depth[self.index]

    @property
    def children(self) -> list[Node]:
        if self._children is None:
            page, index, after = self.page, self.index + 1, self.page.nesting.after
            end = after[self.index]
            made, make = page._made, page._make
            self._children = [] if index < end else _NO_CHILDREN
            while index < end:
                self._children.append(made[index] or make(index))
                index = after[index]
        return self._children

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
            if sibling is self or same == _LAST_TURN:
                break
        return same

    @property
    def names(self) -> list[str]:
        """Every way to name it in a path: by each of its words, or by its place."""
        if self._names is None:
            self._names = [f"{self.name}.{word}" for word in self.words] or [self.signature]
        return self._names

    @property
    def text(self) -> str:
        """All text inside, white space folded."""
        if self._text is None:
            html = self.page.html
            end = html.find(b"<", self.tag_stop, self.stop)
            if html.startswith(b"</", end):  # its own end tag: there is nothing but text inside
                inside = html[self.tag_stop : end]
            else:
                inside = _TAGS.sub(b" " if self.children else b"", html[self.tag_stop : self.stop])
            self._text = " ".join(unescape(inside.decode("utf-8", "replace")).split())
        return self._text

    @property
    def source(self) -> bytes:
        return self.page.html[self.start : self.tag_stop]

    def is_a(self, step: str) -> bool:
        name, word = _parted(step)
        return self.name == name and word in self.words if word else self.signature == step

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order."""
        node = self.page.node
        return map(node, range(self.index, self.page.nesting.after[self.index]))

    def ancestors(self) -> Iterator[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def holds(self, other: Node) -> bool:
        return self.start <= other.start and other.stop <= self.stop and self is not other

    def __repr__(self) -> str:
        return f"<Node {self.signature} {self.start}:{self.stop}>"


_LAST_TURN = 9
"""Of the elements of a tag in one element; those behind are as the last."""
_NO_CHILDREN: list[Node] = []
"""Of every element that has none: half of them have none."""


class PageTree:
    """A document as nodes, in document order, each made when it is asked for: of a page with comments, few are."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.markup = document.layout.markup
        self.html = self.markup.html
        self.nesting = nesting_of(self.markup)
        self.tags: list[int] = self.markup.tag[self.nesting.tag].tolist()
        """Of each element, its place in `NAMED`."""
        self._made: list[Node | None] = [None] * len(self.tags)

    def node(self, index: int) -> Node:
        """The element with this number, in document order."""
        return self._made[index] or self._make(index)

    def _make(self, index: int) -> Node:
        """What is around an element is made with it; of a page that nests without end, not one call within another."""
        made, parents = self._made, self.nesting.parent
        if (above := parents[index]) < 0 or made[above] is not None:  # as of most
            node = made[index] = Node(self, index, made[above] if above >= 0 else None)
            return node
        missing = [index]
        while (above := parents[missing[-1]]) >= 0 and made[above] is None:
            missing.append(above)
        around = made[above] if above >= 0 else None
        for number in reversed(missing[1:]):
            around = made[number] = Node(self, number, around)
        node = made[index] = Node(self, index, around)
        return node

    @property
    def nodes(self) -> list[Node]:
        return [self.node(index) for index in range(len(self._made))]

    def let_go(self) -> None:
        """Takes it apart, when all is read.

        Elements that name each other are garbage that only a search for garbage finds. That took a tenth of the time of
        a crawl, and till then the whole page stays in memory.
        """
        for node in self._made:
            if node is not None:
                node._children = _NO_CHILDREN
        self._made = [None] * len(self.tags)

    def _numbers(self, name: str) -> list[int]:
        """The elements of a tag."""
        known = _NUMBERED.get(name)
        if known is not None:
            return np.flatnonzero(self._tag_numbers == known).tolist()
        strange: list[int] = np.flatnonzero(self._tag_numbers == 0).tolist()
        return [index for index in strange if self.markup.name(self.nesting.tag[index]) == name]

    @cached_property
    def _tag_numbers(self) -> NDArray[np.int16]:
        return self.markup.tag[self.nesting.tag]

    def named(self, *names: str) -> list[Node]:
        """The elements of these tags, in document order."""
        numbers = [index for name in names for index in self._numbers(name)]
        return [self.node(index) for index in (numbers if len(names) == 1 else sorted(numbers))]

    def all_at(self, step: str) -> list[Node]:
        """The elements that a step of a path may mean, wherever they stand."""
        name, word = _parted(step)
        if not word:
            return [node for node in self.named(name.partition("[")[0]) if node.is_a(step)]
        html, starts, stops = self.html, self.nesting.start, self.nesting.tag_stop
        return [self.node(n) for n in self._numbers(name) if word in _words_of(html[starts[n] : stops[n]])]

    def node_at(self, start: int) -> Node | None:
        """The element that begins at this place of the markup."""
        starts = self.nesting.start
        index = bisect_left(starts, start)
        return self.node(index) if starts[index : index + 1] == [start] else None

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

    def numbers_between(self, start: int, stop: int) -> range:
        """The numbers of the elements that begin within a stretch of the page."""
        starts = self.nesting.start
        return range(bisect_left(starts, start), bisect_left(starts, stop))

    def nodes_between(self, start: int, stop: int) -> list[Node]:
        made, make = self._made, self._make
        return [made[number] or make(number) for number in self.numbers_between(start, stop)]

    @cached_property
    def _links(self) -> list[int]:
        return self._numbers("a")

    def links_between(self, start: int, stop: int) -> list[Node]:
        """The `<a>` of a stretch of the page; the other elements there need not be made for it."""
        links, numbers = self._links, self.numbers_between(start, stop)
        return [self.node(n) for n in links[bisect_left(links, numbers.start) : bisect_left(links, numbers.stop)]]

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
        starts, tag_stops = self.nesting.start, self.nesting.tag_stop
        first = bisect_left(starts, start)
        owners = {n for place in places if place < tag_stops[n := bisect_right(starts, place) - 1] and n >= first}
        return [self.node(n) for n in sorted(owners)]

    def element_at(self, place: int) -> Node | None:
        """The innermost element that holds this place of the markup."""
        stops, parents = self.nesting.stop, self.nesting.parent
        index = bisect_left(self.nesting.start, place + 1) - 1
        while index >= 0 and stops[index] <= place:
            index = parents[index]
        return self.node(index) if index >= 0 else None

"""ACME, RoadRunner's matching of a wrapper and a page, as system C uses it: two pages in, a union-free expression out.

Both are lists of tokens (tags and texts). They are walked in parallel; where they differ,
- two texts: a field, `#PCDATA`;
- a tag is involved: first a repeated part is looked for (the token before the mismatch ends a square; is there another
  of it on either side?), which becomes an iterator `( ... )+`; else an optional, `( ... )?`: the part that one side has
  and the other lacks.
Squares are matched backwards and recursively, as in the paper. Its search can go wrong exponentially often; here every
decision is tried in the paper's order and the number of tries is bounded. Knows documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from nephila.document import Document, unescape
from nephila.wrappers.outline import TRANSPARENT

MOST_STEPS = 400_000
"""Comparisons of tokens before a pair of pages is given up."""
_LONGEST_SQUARE = 4_000


@dataclass(frozen=True, slots=True)
class Tag:
    """`<td>` or `</td>`, by its name alone, as in the paper."""

    name: str
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text that all pages share so far."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """#PCDATA: a field of the record."""


@dataclass(frozen=True, slots=True)
class Optional:
    """`( ... )?`"""

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Plus:
    """`( ... )+`"""

    body: tuple[Node, ...]


Node = Union[Tag, Text, Variable, Optional, Plus]  # noqa: UP007  the classes above name it before it is there
Nodes = tuple[Node, ...]


class MismatchError(Exception):
    """The pages are not of one template, as far as ACME can tell."""


def tokens(document: Document) -> list[Node]:
    """The page as ACME sees it; what holds no element's name (comments, declarations) is left out."""
    markup = document.layout.markup
    html, starts, stops = markup.html, [*markup.start.tolist(), len(markup.html)], markup.stop.tolist()
    result: list[Node] = []
    for index, closing in enumerate(markup.closing.tolist()):
        name = markup.name(index)
        if name != "!" and name not in TRANSPARENT:
            result.append(Tag(name.lstrip("/"), closing))
        text = " ".join(unescape(html[stops[index] : starts[index + 1]].decode("utf-8", "replace")).split())
        if text:
            result.append(Text(text))
    return result


class Acme:
    """Matches a wrapper with a page and generalises the wrapper."""

    def __init__(self, most_steps: int = MOST_STEPS) -> None:
        self._left = most_steps

    def match(self, wrapper: Sequence[Node], sample: Sequence[Node]) -> Nodes:
        """The least wrapper that both are instances of, as far as it is found. Raises MismatchError."""
        done: list[Node] = []
        here, there = 0, 0
        while here < len(wrapper) or there < len(sample):
            self._left -= 1
            if self._left < 0:
                raise MismatchError("too many steps: the pages are too different")
            mine = wrapper[here] if here < len(wrapper) else None
            theirs = sample[there] if there < len(sample) else None
            if mine is not None and mine == theirs and isinstance(mine, (Tag, Text)):
                done.append(mine)
                here, there = here + 1, there + 1
            elif isinstance(mine, (Text, Variable)) and isinstance(theirs, (Text, Variable)):
                done.append(Variable())
                here, there = here + 1, there + 1
            elif isinstance(mine, (Plus, Optional)) and type(mine) is type(theirs):
                done.append(type(mine)(self.match(mine.body, theirs.body)))
                here, there = here + 1, there + 1
            elif isinstance(theirs, Plus):  # parts of a wrapper are matched with each other too
                here = self._through(theirs, wrapper, here, done)
                there += 1
            elif isinstance(theirs, Optional):
                here = self._maybe(theirs, wrapper, here, done)
                there += 1
            elif isinstance(mine, Plus):
                there = self._through(mine, sample, there, done)
                here += 1
            elif isinstance(mine, Optional):
                there = self._maybe(mine, sample, there, done)
                here += 1
            else:
                here, there = self._mismatch(wrapper, here, sample, there, done)
        return tuple(done)

    # -- parts that the wrapper has already ----------------------------------------------------------------------------

    def _through(self, part: Plus, sample: Sequence[Node], there: int, done: list[Node]) -> int:
        """As many repetitions as the page has."""
        body = part.body
        while (end := self._instance_end(sample, there)) is not None:
            try:
                body = self.match(body, sample[there:end])
            except MismatchError:
                break
            there = end
        done.append(Plus(body))
        return there

    def _maybe(self, part: Optional, sample: Sequence[Node], there: int, done: list[Node]) -> int:
        body = part.body
        if there < len(sample) and body and _alike(body[0], sample[there]):
            end = there + len(body)
            if all(_alike(mine, theirs) for mine, theirs in zip(body, sample[there:end], strict=False)):
                try:
                    body = self.match(body, sample[there:end])
                    there = end
                except MismatchError:
                    pass
        done.append(Optional(body))
        return there

    # -- mismatches ----------------------------------------------------------------------------------------------------

    def _mismatch(
        self, wrapper: Sequence[Node], here: int, sample: Sequence[Node], there: int, done: list[Node]
    ) -> tuple[int, int]:
        """A tag is involved: an iterator where there is one, else an optional."""
        last = done[-1] if done else None
        if isinstance(last, Tag) and last.closing:
            for tokens_, place in ((sample, there), (wrapper, here)):
                square_end = self._instance_end(tokens_, place, last)
                if square_end is None:
                    continue
                body = self._square(done, tokens_[place:square_end])
                if body is None:
                    continue
                count, body_ = body
                del done[len(done) - count :]
                place = square_end
                while (end := self._instance_end(tokens_, place, last)) is not None:
                    try:
                        body_ = self.match(body_, tokens_[place:end])
                    except MismatchError:
                        break
                    place = end
                done.append(Plus(self._absorbed(done, body_, last)))
                return (here, place) if tokens_ is sample else (place, there)
        return self._optional(wrapper, here, sample, there, done)

    def _instance_end(self, tokens_: Sequence[Node], place: int, terminal: Tag | None = None) -> int | None:
        """Behind the element that begins at `place` (and ends with the terminal tag, where it is given)."""
        if place >= len(tokens_) or not isinstance(start := tokens_[place], Tag) or start.closing:
            return None
        if terminal is not None and start.name != terminal.name:
            return None
        depth = 0
        for index in range(place, min(len(tokens_), place + _LONGEST_SQUARE)):
            self._left -= 1
            token = tokens_[index]
            if isinstance(token, Tag) and token.name == start.name:
                depth += -1 if token.closing else 1
                if depth == 0:
                    return index + 1
        return None

    def _square(self, done: list[Node], candidate: Sequence[Node]) -> tuple[int, Nodes] | None:
        """The candidate matched with the part of the wrapper that ends here: its length there, and what both are."""
        length = self._length_back(done)
        if length is None:
            return None
        before = tuple(done[len(done) - length :])
        if len(before) == 1 and isinstance(before[0], Plus):
            before = before[0].body
        try:
            return length, self.match(before, candidate)
        except MismatchError:
            return None

    def _absorbed(self, done: list[Node], body: Nodes, last: Tag) -> Nodes:
        """The instances that stand before the square, and were taken for single elements so far."""
        while done and done[-1] == last and (length := self._length_back(done)) is not None:
            try:
                body = self.match(body, done[len(done) - length :])
            except MismatchError:
                break
            del done[len(done) - length :]
        return body

    def _length_back(self, done: list[Node]) -> int | None:
        """How far back the element goes that the last token closes."""
        last = done[-1]
        if not isinstance(last, Tag):
            return None
        depth = 0
        for back, token in enumerate(reversed(done), 1):
            self._left -= 1
            if isinstance(token, Tag) and token.name == last.name:
                depth += 1 if token.closing else -1
                if depth == 0:
                    return back
        return None

    def _optional(
        self, wrapper: Sequence[Node], here: int, sample: Sequence[Node], there: int, done: list[Node]
    ) -> tuple[int, int]:
        """The shorter part that one side has to pass over to meet the other again."""
        in_sample = self._distance(sample, there, wrapper[here] if here < len(wrapper) else None)
        in_wrapper = self._distance(wrapper, here, sample[there] if there < len(sample) else None)
        if in_sample is None and in_wrapper is None:
            raise MismatchError("no part is optional on either side")
        if in_wrapper is None or (in_sample is not None and in_sample <= in_wrapper):
            done.append(Optional(tuple(sample[there : there + (in_sample or 0)])))
            return here, there + (in_sample or 0)
        done.append(Optional(tuple(wrapper[here : here + in_wrapper])))
        return here + in_wrapper, there

    def _distance(self, tokens_: Sequence[Node], place: int, wanted: Node | None) -> int | None:
        """Tokens to pass over, whole elements at a time, until the wanted one."""
        index = place
        while index < len(tokens_):
            self._left -= 1
            token = tokens_[index]
            if index > place and wanted is not None and _alike(token, wanted):
                return index - place
            if isinstance(token, Tag) and token.closing:
                return None
            end = self._instance_end(tokens_, index)
            index = end if end is not None else index + 1
        return index - place if wanted is None and index > place else None


def _alike(mine: Node, theirs: Node) -> bool:
    if isinstance(mine, (Text, Variable)) and isinstance(theirs, (Text, Variable)):
        return True
    return mine == theirs


def induce_pair(first: Document, second: Document) -> Nodes:
    """The wrapper of two pages: their bodies, the first as the wrapper to begin with."""
    return Acme().match(_body(tokens(first)), _body(tokens(second)))


def _body(page: list[Node]) -> list[Node]:
    start = next((place for place, token in enumerate(page) if token == Tag("body")), 0)
    end = next((place for place, token in enumerate(page) if token == Tag("body", closing=True)), len(page) - 1)
    return page[start : end + 1]


def expression(nodes: Sequence[Node], indent: int = 0) -> str:
    """The union-free regular expression, a line a token."""
    lines: list[str] = []
    for node in nodes:
        pad = "  " * indent
        if isinstance(node, Tag):
            if node.closing:
                indent = max(0, indent - 1)
                pad = "  " * indent
            lines.append(f"{pad}<{'/' if node.closing else ''}{node.name}>")
            if not node.closing and node.name not in _FLAT:
                indent += 1
        elif isinstance(node, Text):
            lines.append(pad + node.text)
        elif isinstance(node, Variable):
            lines.append(pad + "#PCDATA")
        else:
            lines += [
                f"{pad}(",
                expression(node.body, indent + 1),
                f"{pad}){'?' if isinstance(node, Optional) else '+'}",
            ]
    return "\n".join(lines)


_FLAT = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "param", "source", "wbr"}
)


def count_fields(nodes: Sequence[Node]) -> dict[str, int]:
    """How many fields, optionals and iterators a wrapper has."""
    counts = {"fields": 0, "optionals": 0, "iterators": 0}
    for node in nodes:
        if isinstance(node, Variable):
            counts["fields"] += 1
        elif isinstance(node, (Optional, Plus)):
            counts["optionals" if isinstance(node, Optional) else "iterators"] += 1
            for name, number in count_fields(node.body).items():
                counts[name] += number
    return counts

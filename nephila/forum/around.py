"""Records around their texts: where no element holds a whole record, what stands around each text is one.

Knows trees and regions of pages only; which of the names that hold much text are posts is judged elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from nephila.forum.records import Page, Region
from nephila.forum.tree import Node

_BODY_TAGS = "div td p article section blockquote span li"
_BODIES = frozenset(_BODY_TAGS.split())
_BODIES_TRIED = 6
_LEAST_BODY = 2
_MUCH = 0.35


def body_steps(page: Page) -> list[tuple[str, int]]:
    """Names of elements that hold much of the page's free text, several of them, none in another; the most first."""
    masses: Counter[str] = Counter()
    members: Counter[str] = Counter()
    last: dict[str, int] = {}
    total = sum(page.free)
    for node in page.tree.named(*_BODIES):
        if not node.words or node.stop - node.tag_stop < _LEAST_BODY:
            continue
        mass = page.free_from(page.tree.blocks_between(node.start, node.stop))
        for name in node.names:
            if mass and node.start >= last.get(name, 0):
                last[name] = node.stop
                masses[name] += min(mass, 4000)
                members[name] += 1
    found = [(name, mass) for name, mass in masses.items() if members[name] >= 2 and mass >= _MUCH * total]
    return sorted(found, key=lambda pair: (-pair[1], -members[pair[0]]))[:_BODIES_TRIED]


def regions_around(page: Page, step: str, paths: Sequence[tuple[str, ...]] = ()) -> list[Region]:
    """For each text of that name the largest element that holds no other one, with what stands before it.

    `paths`: of other parts of the records, by which the element of a lone one is known.
    """
    bodies: list[Node] = []
    for node in page.tree.all_at(step):
        if not bodies or node.start >= bodies[-1].stop:
            bodies.append(node)
    starts = [body.start for body in bodies]
    regions: list[Region] = []
    for body in bodies:
        root = body
        for ancestor in body.ancestors():
            if ancestor.name in ("body", "html", "main") or _held(ancestor, starts) > 1:
                break
            root = ancestor
            if len(bodies) == 1 and any(_is_top(root, path) for path in paths):
                break
        begin = root.start
        siblings = root.parent.children if root.parent is not None else [root]
        previous = regions[-1].stop if regions and regions[-1].node.parent is root.parent else None
        if previous is not None:
            behind = bisect_left(siblings, previous, key=_start_of)
            begin = siblings[behind].start if behind < len(siblings) else begin
        else:
            # Before the first one: as much as stands before the others.
            begin = _first_head(siblings, root, starts)
        regions.append(Region(root, begin, root.stop, body=body))
    return regions


def _held(node: Node, starts: Sequence[int]) -> int:
    """How many of the places, which are in order, an element holds."""
    return bisect_left(starts, node.stop) - bisect_left(starts, node.start)


def _start_of(node: Node) -> int:
    return node.start


def _is_top(node: Node, path: tuple[str, ...]) -> bool:
    """Whether it is the element that the path begins with: the path leads on from there."""
    tag, nameless, _ = path[0].partition("<")
    fits = node.name == tag and len(path) > 1 if nameless else node.is_a(path[0])
    level = [node] if fits else []
    for step in path[1:]:
        level = [child for one in level for child in one.children if child.is_a(step)]
    return bool(level)


def _first_head(siblings: list[Node], root: Node, starts: list[int]) -> int:
    """Where the record of a list's first text begins: as many elements ahead as lie between the next two texts."""
    place = bisect_left(siblings, root.start, key=_start_of)
    behind = (n for n in range(place + 1, len(siblings)) if _held(siblings[n], starts))
    ahead = next(behind, place + 1) - place - 1
    return siblings[max(0, place - ahead)].start

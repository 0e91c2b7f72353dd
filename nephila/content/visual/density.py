"""Density sum (Sun et al. 2011) over the tree of a page's blocks: the paper's future work. Knows blocks and numbers.

A node's text density is characters per element, made smaller by links; a node's density sum is that of its children.
The node with the highest sum holds the content. The tree is told by the blocks' selector paths: blocks that follow one
another and share a path share the elements on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from nephila.content.visual.measures import Measures
from nephila.content.visual.page import VisualPage
from nephila.content.visual.vocabulary import Floats


@dataclass(slots=True)
class Node:
    step: str
    parent: Node | None
    blocks: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    characters: float = 0.0
    linked: float = 0.0
    tags: float = 1.0
    link_tags: float = 0.0
    density: float = 0.0
    total: float = 0.0
    """The density sum."""

    def line(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


def tree_of(page: VisualPage, sizes: Measures) -> tuple[Node, list[Node]]:
    """The root, and the node of each block."""
    root = Node("", None)
    open_nodes = [root]
    places: list[Node] = []
    for index, block in enumerate(page.blocks):
        depth = 0
        while (
            depth < len(block.selector)
            and depth + 1 < len(open_nodes)
            and open_nodes[depth + 1].step == block.selector[depth]
            # The last step is the block itself: an equal one that has text already is its sibling.
            and (depth + 1 < len(block.selector) or not open_nodes[depth + 1].blocks)
        ):
            depth += 1
        del open_nodes[depth + 1 :]
        for step in block.selector[depth:]:
            node = Node(step, open_nodes[-1])
            open_nodes[-1].children.append(node)
            open_nodes.append(node)
        place = open_nodes[-1]
        place.blocks.append(index)
        places.append(place)
        _count(place, sizes, index, block.tags, block.link_tags)
    _densities(root)
    return root, places


def _count(place: Node, sizes: Measures, index: int, tags: int, link_tags: int) -> None:
    length, linked = float(sizes.length[index]), float(sizes.length[index] * sizes.linked[index])
    for node in place.line():
        node.characters += length
        node.linked += linked
        node.tags += 1 + tags
        node.link_tags += link_tags


def _densities(root: Node) -> None:
    share = root.linked / max(1.0, root.characters)
    order = [root]
    for node in order:
        order += node.children
    for node in reversed(order):
        node.density = _composite(node, share)
        node.total = sum(child.density for child in node.children) or node.density


def _composite(node: Node, page_share: float) -> float:
    """Composite text density: the base of the logarithm grows with links, so that links make it smaller."""
    if not node.characters:
        return 0.0
    plain = max(1.0, node.characters - node.linked)
    base = math.log(node.characters / plain * node.linked + page_share * node.characters + math.e)
    ratio = node.characters / max(1.0, node.linked) * node.tags / max(1.0, node.link_tags)
    return node.characters / node.tags * math.log(max(ratio, 1.0)) / math.log(max(base, 1.01))


def density_features(page: VisualPage, sizes: Measures) -> Floats:
    """Density of the block, density sum of its parent (both beside the page's highest), and being within the peak."""
    root, places = tree_of(page, sizes)
    peak = peak_of(root)
    highest = max((node.density for node in places), default=0.0) or 1.0
    inside = [any(node is peak for node in place.line()) for place in places]
    columns = [
        [place.density / highest for place in places],
        [(place.parent or place).total / (peak.total or 1.0) for place in places],
        [float(flag) for flag in inside],
    ]
    return np.array(columns).T


def peak_of(root: Node) -> Node:
    peak, order = root, [root]
    for node in order:
        order += node.children
        if node.total > peak.total:
            peak = node
    return peak


def density_sum_blocks(page: VisualPage, sizes: Measures) -> list[bool]:
    """The method by itself: within the peak, what is as dense as the least dense node on the way down to it."""
    root, places = tree_of(page, sizes)
    peak = peak_of(root)
    threshold = min(node.density for node in peak.line())
    return [any(node is peak for node in place.line()) and place.density >= threshold for place in places]

"""Where a text stands: the closest container and the link around it, found by climbing up from the text.

An element is looked at once, at the first text inside it; what lies above it is known from then on.
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from nephila.document.blocks import Container
from nephila.document.limits import Limits
from nephila.document.links import Link
from nephila.document.tags import HEADING_BITS, ROLE_FLAGS, TAGS_BY_ID, Flag, Kind, tag_named

Attributes = dict[str, str | None]
Place = tuple[Container | None, Link | None]
"""The container is None where what looks like text is none (scripts, drawings, ...)."""

_HIDDEN = int(Flag.HIDDEN)
_BLOCK, _INLINE, _LINK, _OPTION = Kind.BLOCK, Kind.INLINE, Kind.LINK, Kind.OPTION
_NOWHERE: Place = (None, None)


def hides(attributes: Attributes) -> bool:
    """Whether an element is hidden, by attribute or inline style; style sheets are not read."""
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    style = (attributes.get("style") or "").replace(" ", "").lower()
    return "display:none" in style or "visibility:hidden" in style


def _told(attributes: Attributes) -> int:
    """The flags that attributes give: by role, and hidden."""
    flags = ROLE_FLAGS.get(attributes.get("role") or "", 0)
    return flags | _HIDDEN if hides(attributes) or attributes.get("aria-hidden") == "true" else flags


class Places:
    """The places of one tree."""

    def __init__(
        self, root: LexborNode, telling: dict[int, Attributes], links: dict[int, Link], limits: Limits
    ) -> None:
        """`telling`: the attributes that hide an element or name its role, by address; `links`: the links likewise."""
        self.root = Container(root.tag or "html", None, 0, 0, root)
        self.containers = [self.root]
        self.known: dict[int, Place] = {root.mem_id: (self.root, None)}
        self._telling = telling
        self._links = links
        self._max_depth = limits.max_depth

    def find(self, element: LexborNode, mem_id: int) -> Place:
        """The place that an element makes for the texts in it."""
        known = self.known
        climbed = []
        while (place := known.get(mem_id)) is None:
            climbed.append((element, mem_id))
            element = element.parent  # type: ignore[assignment]  # the root is known
            mem_id = element.mem_id
        while climbed:
            element, mem_id = climbed.pop()
            place = known[mem_id] = self._inside(place, element, mem_id)
        return place

    def _inside(self, place: Place, element: LexborNode, mem_id: int) -> Place:
        parent, link = place
        if parent is None:
            return _NOWHERE
        name, kind, flags = TAGS_BY_ID.get(element.tag_id) or tag_named(element.tag)
        told = self._telling.get(mem_id)
        if kind is not _BLOCK:
            if kind is _LINK:
                return parent, self._links.get(mem_id, link)
            if kind is not _INLINE and kind is not _OPTION:
                return _NOWHERE
            # A hidden part of a line is a block of its own, so that a reader can leave it out.
            if told is None or not hides(told):
                return place
        depth = parent.depth
        if depth >= self._max_depth:
            return place
        above = parent.flags
        if flags & HEADING_BITS:
            above &= ~HEADING_BITS
        if told is not None:
            flags |= _told(told)
        container = Container(name, parent, depth + 1, above | flags, element)
        self.containers.append(container)
        return container, link

    def finish(self) -> list[Container]:
        """The containers that hold blocks, in document order, each knowing its place and where its last block is."""
        for container in reversed(self.containers):
            parent = container.parent
            if parent is not None and container.end > parent.end:
                parent.end = container.end
        found = [container for container in self.containers if container.end]
        for index, container in enumerate(found):
            container.index = index
        return found

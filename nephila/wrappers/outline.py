"""A page as rules see it: elements with the names of their places, and the units (texts, some attributes) they hold.

Made from the document's tags in one loop. `<tbody>` and its like are transparent: parsers do not agree on whether a
table has one. Names of places are numbers, hashes of this process; rules keep the words and make the numbers again.
Knows documents, nothing of statistics.
"""

from __future__ import annotations

import re
from functools import lru_cache

from nephila.document import Document
from nephila.document.markup import NAMED, attributes_of, unescape

TRANSPARENT = frozenset({"tbody", "thead", "tfoot"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source"}
)
_RARE_VOID = frozenset({"basefont", "bgsound", "keygen", "track", "wbr"})
_VALUE_ATTRIBUTES = {"meta": ("content",), "img": ("src", "data-src"), "time": ("datetime",)}
_SPACE = re.compile(r"\s+")
_VOLATILE = re.compile(r"\d{3,}|^[0-9a-f]{8,}$|^(?:first|last|odd|even|active|selected|current|hover|open|on|off|alt)$")
_LONGEST = 5_000
MOST_UNITS = 20_000


class Tag:
    """What a start tag says; tags that are written alike share one."""

    __slots__ = ("attributes", "ident", "mark", "name", "prop", "step", "values", "void")

    def __init__(self, source: bytes, name: str) -> None:
        self.name = name
        self.void = name in _VOID or name in _RARE_VOID
        attributes = attributes_of(source) if b"=" in source else {}
        self.attributes = attributes
        self.mark = mark_of(attributes.get("class", ""))
        ident = attributes.get("id", "")
        self.ident = "" if _VOLATILE.search(ident) else ident
        prop = attributes.get("itemprop") or attributes.get("property") or ""
        if not prop and name == "meta":
            prop = attributes.get("name", "")
        self.prop = prop.strip().lower()
        self.step = hash((name, self.mark))
        self.values = tuple(
            (key, attributes[key].strip()) for key in _VALUE_ATTRIBUTES.get(name, ()) if attributes.get(key, "").strip()
        )


def mark_of(classes: str) -> str:
    """The classes that name a kind of place: without those of one page or one state, in order."""
    if not classes:
        return ""
    return " ".join(sorted({token for token in classes.split() if not _VOLATILE.search(token)}))


@lru_cache(maxsize=20_000)
def tag_of(source: bytes, name: str) -> Tag:
    return Tag(source, name)


class Outline:
    """Elements and units of one page, in document order."""

    __slots__ = (
        "anchor",
        "attribute",
        "by_path",
        "class_anchor",
        "end",
        "id_anchor",
        "nth",
        "owner",
        "parent",
        "path",
        "place",
        "prop",
        "tags",
        "tags2",
        "texts",
        "title",
        "url",
    )

    def __init__(self, document: Document) -> None:
        self.url = document.url
        self.title = document.title or ""
        self.parent: list[int] = []
        """Of each element, the element around it, transparent ones left out; -1 at the top."""
        self.tags: list[Tag] = []
        self.end: list[int] = []
        """Of each element, the number of the first element behind it."""
        self.path: list[int] = []
        """Name of the place: tags and classes from the top."""
        self.class_anchor: list[int] = []
        """Tags from the closest element with a class, itself included."""
        self.id_anchor: list[int] = []
        """Tags from the closest element with an id."""
        self.place: list[int] = []
        """Tags with their numbers from the top."""
        self.nth: list[int] = []
        """Which child of its tag it is, from 1."""
        self.prop: list[str] = []
        """The itemprop of the element, or of its parent."""
        self.tags2: list[str] = []
        """Its tag and that of its parent, as `tr/td`."""
        self.texts: list[str] = []
        self.owner: list[int] = []
        """Of each unit, its element."""
        self.attribute: list[str] = []
        """Of each unit, the attribute that it is the value of; empty for text."""
        self._read(document)

    def _read(self, document: Document) -> None:  # noqa: C901  one loop over all tags of a page: a call a tag would double its time
        markup = document.layout.markup
        html = markup.html
        starts, stops = markup.start.tolist(), markup.stop.tolist()
        names, closings = markup.tag.tolist(), markup.closing.tolist()
        parent, tags, end, path = self.parent, self.tags, self.end, self.path
        class_anchor, id_anchor, place, nth = self.class_anchor, self.id_anchor, self.place, self.nth
        props, tags2 = self.prop, self.tags2
        texts, owner, attribute = self.texts, self.owner, self.attribute
        counts: list[dict[str, int]] = []
        stack: list[tuple[str, int]] = []
        top = -1
        starts.append(len(html))
        for index, closing in enumerate(closings):
            start, stop = starts[index], stops[index]
            if closing:
                name = (
                    NAMED[names[index]].name
                    if names[index] > 1
                    else html[start + 2 : stop - 1].decode("utf-8", "replace")
                )
                while stack:
                    open_name, number = stack.pop()
                    if number >= 0:
                        end[number] = len(tags)
                    if open_name == name:
                        break
                top = next((number for _, number in reversed(stack) if number >= 0), -1)
            elif names[index] != 2:
                source = html[start:stop]
                name = markup.name(index) if names[index] <= 1 else NAMED[names[index]].name
                if name in TRANSPARENT:
                    stack.append((name, -1))
                else:
                    tag = tag_of(source, name)
                    number = len(tags)
                    tags.append(tag)
                    parent.append(top)
                    end.append(number + 1)
                    if top >= 0:
                        count = counts[top]
                        ordinal = count[name] = count.get(name, 0) + 1
                        path.append(hash((path[top], tag.step)))
                        class_anchor.append(tag.step if tag.mark else hash((class_anchor[top], name)))
                        id_anchor.append(hash(("#", tag.ident)) if tag.ident else hash((id_anchor[top], name)))
                        place.append(hash((place[top], name, ordinal)))
                        props.append(tag.prop or tags[top].prop)
                        tags2.append(f"{tags[top].name}/{name}")
                    else:
                        ordinal = 1
                        path.append(tag.step)
                        class_anchor.append(tag.step)
                        id_anchor.append(hash(("#", tag.ident)))
                        place.append(hash(("", name)))
                        props.append(tag.prop)
                        tags2.append(f"/{name}")
                    nth.append(ordinal)
                    counts.append({})
                    for key, value in tag.values:
                        texts.append(value[:_LONGEST])
                        owner.append(number)
                        attribute.append(key)
                    if not tag.void:
                        stack.append((name, number))
                        top = number
            after = starts[index + 1]
            if after > stop and top >= 0:
                raw = html[stop:after]
                if not raw.isspace():
                    text = raw.decode("utf-8", "replace")
                    if "&" in text:
                        text = unescape(text)
                    text = " ".join(text.split())
                    if text:
                        texts.append(text[:_LONGEST])
                        owner.append(top)
                        attribute.append("")
                        if len(texts) >= MOST_UNITS:
                            break
        while stack:
            number = stack.pop()[1]
            if number >= 0:
                end[number] = len(tags)

    def drop(self, elements: set[int]) -> int:
        """Leaves the units of these elements, and of all that is in them, out; says how many they were."""
        if not elements:
            return 0
        spans = sorted((element, self.end[element]) for element in elements)
        gone = {inner for start, end in spans for inner in range(start, end)}
        kept = [unit for unit, owner in enumerate(self.owner) if owner not in gone]
        dropped = len(self.texts) - len(kept)
        for name in ("texts", "owner", "attribute"):
            values = getattr(self, name)
            setattr(self, name, [values[unit] for unit in kept])
        return dropped

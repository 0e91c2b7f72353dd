"""How each element takes part in the text of a page. Knows names of elements."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import NamedTuple


class Kind(IntEnum):
    """What the walk does at an element."""

    INLINE = 0
    """Part of the run of text around it."""
    BLOCK = 1
    """Begins and ends a run of text."""
    SKIP = 2
    """Its content is not text of the page."""
    LINK = 3
    """<a>: inline, and a link."""
    BREAK = 4
    """<br>"""
    RULE = 5
    """<hr>: ends a run, holds nothing."""
    IMAGE = 6
    HEAD = 7
    """<meta>, <link>, <base>: void elements that say something about the page."""
    VOID = 8
    """Void and of no interest."""
    TITLE = 9
    REFERENCE = 10
    """<area>, <frame>: a link without text."""
    OPTION = 11
    """A line of its own in the block of its <select>."""


class Flag(IntFlag):
    """What a block stands in: the flags of all its ancestors together."""

    NAV = 1
    HEADER = 2
    FOOTER = 4
    ASIDE = 8
    FORM = 16
    HIDDEN = 32
    LIST = 64
    TABLE = 128
    QUOTE = 256
    CODE = 512
    """<pre> and the like: white space is kept."""
    ARTICLE = 1024
    MAIN = 2048
    FIGURE = 4096
    CAPTION = 8192
    BUTTON = 16384
    """<button>; and a block that a script waits to see pressed (`onclick`), for the text in itself: of 7,600 such texts
    on the training pages, 65 are in the gold."""
    CONTROL = 32768
    """<select>, <textarea>: what a user may enter."""
    SECTION = 65536
    DIALOG = 131072
    TABLE_HEADER = 262144
    NOSCRIPT = 524288
    """Kept only where it is the content: some forums give a crawler their posts in there."""


FURNITURE = int(
    Flag.NAV | Flag.HEADER | Flag.FOOTER | Flag.ASIDE | Flag.FORM | Flag.HIDDEN | Flag.BUTTON | Flag.CONTROL
)

_FLAGS: dict[str, Flag] = {
    "nav": Flag.NAV,
    "header": Flag.HEADER,
    "footer": Flag.FOOTER,
    "aside": Flag.ASIDE,
    "form": Flag.FORM,
    "search": Flag.FORM,
    "ul": Flag.LIST,
    "ol": Flag.LIST,
    "dl": Flag.LIST,
    "menu": Flag.LIST,
    "dir": Flag.LIST,
    "table": Flag.TABLE,
    "th": Flag.TABLE_HEADER,
    "blockquote": Flag.QUOTE,
    "pre": Flag.CODE,
    "listing": Flag.CODE,
    "xmp": Flag.CODE,
    "plaintext": Flag.CODE,
    "article": Flag.ARTICLE,
    "main": Flag.MAIN,
    "figure": Flag.FIGURE,
    "figcaption": Flag.CAPTION,
    "caption": Flag.CAPTION,
    "button": Flag.BUTTON,
    "select": Flag.CONTROL,
    "textarea": Flag.CONTROL | Flag.CODE,
    "noscript": Flag.NOSCRIPT,
    "section": Flag.SECTION,
    "dialog": Flag.DIALOG,
}

_ROLES: dict[str, Flag] = {
    "navigation": Flag.NAV,
    "menu": Flag.NAV,
    "menubar": Flag.NAV,
    "banner": Flag.HEADER,
    "contentinfo": Flag.FOOTER,
    "complementary": Flag.ASIDE,
    "search": Flag.FORM,
    "form": Flag.FORM,
    "main": Flag.MAIN,
    "article": Flag.ARTICLE,
    "button": Flag.BUTTON,
    "dialog": Flag.DIALOG,
    "alertdialog": Flag.DIALOG,
}

ROLE_FLAGS: dict[str, int] = {role: int(flag) for role, flag in _ROLES.items()}
"""As plain integers: an operation on an IntFlag costs a microsecond, and the walk does thousands."""

HEADING_SHIFT = 24
HEADING_BITS = 7 << HEADING_SHIFT
"""The level of the heading, 1 to 6, is kept in the same integer as the flags."""
HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

_NAMES: dict[Kind, str] = {
    Kind.BLOCK: "html body address article aside blockquote button caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup legend li listing main menu nav "
    "noscript ol p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp",
    Kind.INLINE: "abbr acronym b bdi bdo big cite code data del dfn em font head i ins kbd label mark marquee math "
    "meter nobr object output picture progress q rb rp rt rtc ruby s samp slot small span strike strong sub sup time "
    "tt u var",
    Kind.SKIP: "annotation annotation-xml applet audio canvas datalist iframe noembed noframes script "
    "style svg template video",
    Kind.LINK: "a",
    Kind.BREAK: "br",
    Kind.RULE: "hr",
    Kind.IMAGE: "img",
    Kind.HEAD: "meta link base",
    Kind.VOID: "basefont bgsound col embed input keygen param source track wbr",
    Kind.TITLE: "title",
    Kind.REFERENCE: "area frame",
    Kind.OPTION: "option optgroup",
}


class Tag(NamedTuple):
    name: str
    kind: Kind
    flags: int
    """`Flag`s, and above them the level of a heading."""


def _tag(name: str, kind: Kind) -> Tag:
    return Tag(name, kind, int(_FLAGS.get(name, 0)) | HEADINGS.get(name, 0) << HEADING_SHIFT)


TAGS: dict[str, Tag] = {name: _tag(name, kind) for kind, names in _NAMES.items() for name in names.split()}


def tag_named(name: str | None) -> Tag:
    """A custom element is laid out as a block as a rule; other unknown ones (<o:p>, <blink>) are in the text."""
    name = name or ""
    return TAGS.get(name) or _tag(name, Kind.BLOCK if "-" in name else Kind.INLINE)

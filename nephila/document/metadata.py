"""What a page says about itself in its markup: title, author, dates, language, and the raw material these come from.

Reads JSON-LD, OpenGraph and its kin, microdata and RDFa, <meta>, <time>; not the visible text. Absent is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from nephila.document.dates import to_iso
from nephila.document.jsonld import items, read_json_ld, types
from nephila.document.limits import Limits
from nephila.document.microdata import Item, read_microdata, read_rdfa
from nephila.document.selector import select
from nephila.native import find

_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*$")
_URL = re.compile(r"https?://|www\.|/", re.IGNORECASE)
_TAG_SEPARATOR = re.compile(r"[,;،、，；\n]")
_TAG = re.compile(r"<[^<>]*>")
_MOST_TAGS, _MOST_AUTHORS = 100, 10

# Names of <meta>, the most reliable first.
_PUBLISHED = (
    "article:published_time", "og:published_time", "datepublished", "date.published", "publishdate", "publish-date",
    "pubdate", "dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date", "dcterms.date",
    "sailthru.date", "parsely-pub-date", "citation_publication_date", "citation_date", "cxenseparse:recs:publishtime",
    "publication_date", "article.published", "originalpublicationdate", "date",
    "dcterms:created", "dc:date", "dcterms:date", "published", "published-date", "publish_date", "pub_date",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:updated_time", "datemodified", "dc.date.modified", "dcterms.modified", "last-modified",
    "lastmod", "revised", "article.updated",
)  # fmt: skip
_AUTHOR = (
    "author", "article:author_name", "article:author", "og:article:author", "dc.creator", "dcterms.creator",
    "dc:creator", "dcterms:creator", "byl",
    "sailthru.author", "parsely-author", "citation_author", "cxenseparse:author",
)  # fmt: skip
_DESCRIPTION = ("og:description", "description", "twitter:description", "dc.description", "dcterms.description")
_SITE_NAME = ("og:site_name", "application-name", "twitter:app:name:iphone", "dc.publisher")
_IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "thumbnail")
_LANGUAGE_NAMES = ("content-language", "og:locale", "dc.language", "language")
_REPLIES = frozenset(("Comment", "UserComments", "Answer"))
_ARTICLES = re.compile(
    r"Article|BlogPosting|Report|Review|Recipe|Product|Posting|Event|VideoObject|Book|Movie|QAPage|Question"
)


@dataclass(slots=True)
class Metadata:
    title: str | None = None
    """<title>, or else that of OpenGraph; the name of the site may be in it."""
    description: str | None = None
    language: str | None = None
    """A tag such as `en` or `pt-BR`."""
    published: str | None = None
    modified: str | None = None
    author: str | None = None
    site_name: str | None = None
    image: str | None = None
    generator: str | None = None
    tags: list[str] | None = None
    meta: dict[str, list[str]] = field(default_factory=dict)
    """All of <meta>: name, property, itemprop or http-equiv, lower-case -> contents."""
    json_ld: list[Any] = field(default_factory=list)
    microdata: list[Item] = field(default_factory=list)
    rdfa: list[Item] = field(default_factory=list)

    @property
    def types(self) -> list[str]:
        """The types of all things that the page tells machines of, by whatever notation."""
        found = [name for thing in items(self.json_ld) for name in types(thing)] if self.json_ld else []
        for item in self.microdata + self.rdfa:
            found += item["@type"]
        return found

    @property
    def open_graph(self) -> dict[str, str]:
        """`og:` and `article:` properties, the first value of each."""
        return {name: values[0] for name, values in self.meta.items() if name.startswith(("og:", "article:"))}

    @property
    def twitter(self) -> dict[str, str]:
        return {name: values[0] for name, values in self.meta.items() if name.startswith("twitter:")}


def read_metadata(
    tree: LexborHTMLParser,
    written: bytes,
    scripts: Iterable[tuple[str, str]],
    metas: Iterable[dict[str, str]],
    title: str | None,
    join: Callable[[str], str | None],
    header_language: str | None,
    limits: Limits,
) -> Metadata:
    """`written`: the tree written out, where words are looked for."""
    found = Metadata(
        meta=_by_name(metas),
        json_ld=read_json_ld(scripts, limits),
        # A look for the word is a tenth of the price of a query, and most pages have neither.
        microdata=read_microdata(tree, limits) if find(written, b" itemscope=") >= 0 else [],
        rdfa=read_rdfa(tree, limits) if find(written, b" typeof=") >= 0 else [],
    )
    things = _ranked(_about(items(found.json_ld)))
    marked = found.microdata + found.rdfa
    meta = found.meta
    found.title = title or _first(_meta(meta, ("og:title", "twitter:title", "dc.title")))
    found.description = _first(_meta(meta, _DESCRIPTION), _texts(things, "description"))
    found.language = _language(tree, meta, things, header_language)
    own, replies = _own_and_replies(marked)
    # <meta itemprop> of what readers said is among what <meta> tells.
    said = {day for name in ("datePublished", "dateModified") for day in _props(replies, name)}
    found.published = (
        _date(_texts(things, "datePublished"), _but(said, _meta(meta, _PUBLISHED)), _props(own, "datePublished"))
        or _date(_texts(things, "dateCreated"), _props(own, "dateCreated"))
        or (_date(_times(tree)) if find(written, b"<time") >= 0 else None)
    )
    found.modified = _date(
        _texts(things, "dateModified"), _but(said, _meta(meta, _MODIFIED)), _props(own, "dateModified")
    )
    found.author = _author(things, meta, marked)
    found.site_name = _first(_meta(meta, _SITE_NAME), _names(things, "publisher"), _site_names(things))
    found.image = _image(things, meta, join)
    found.generator = _first(_meta(meta, ("generator",)))
    found.tags = _tags(things, meta)
    return found


def _by_name(metas: Iterable[dict[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for attributes in metas:
        content = (attributes.get("content") or "").strip()
        for key in ("property", "name", "itemprop", "http-equiv"):
            name = attributes.get(key)
            if name and content:
                found.setdefault(name.strip().lower(), []).append(content)
                break
    return found


def _own_and_replies(marked: list[Item]) -> tuple[list[Item], list[Item]]:
    """What the page says of itself, and what readers said."""
    replies = [item for item in marked if not _REPLIES.isdisjoint(item["@type"])]
    return [item for item in marked if _REPLIES.isdisjoint(item["@type"])] if replies else marked, replies


def _but(left_out: set[str], values: list[str]) -> list[str]:
    return [value for value in values if value not in left_out] if left_out else values


def _about(things: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With what they say that they are about, a question for example; without what its readers said."""
    main = [entity for thing in things if isinstance(entity := thing.get("mainEntity"), dict)]
    return [thing for thing in things + main if _REPLIES.isdisjoint(types(thing))]


def _ranked(things: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page is about before what it is a part of."""
    return sorted(things, key=lambda thing: not any(_ARTICLES.search(name) for name in types(thing)))


def _meta(meta: dict[str, list[str]], names: Iterable[str]) -> list[str]:
    return [value for name in names if name in meta for value in meta[name]]


def _props(marked: Iterable[Item], name: str) -> Iterator[str]:
    for item in marked:
        yield from item.get(name, ())


def _texts(things: Iterable[dict[str, Any]], name: str) -> Iterator[str]:
    for thing in things:
        value = thing.get(name)
        yield from (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))


def _names(things: Iterable[dict[str, Any]], name: str) -> Iterator[str]:
    """The names of the persons or organisations that a property holds, in whichever of its forms."""
    for thing in things:
        value = thing.get(name)
        for one in value if isinstance(value, list) else [value]:
            text = one.get("name") if isinstance(one, dict) else one
            yield from (each for each in (text if isinstance(text, list) else [text]) if isinstance(each, str))


def _site_names(things: Iterable[dict[str, Any]]) -> Iterator[str]:
    return _texts((thing for thing in things if "WebSite" in types(thing)), "name")


def _first(*sources: Iterable[str]) -> str | None:
    for source in sources:
        for value in source:
            if text := " ".join(value.split()):
                return text
    return None


def _date(*sources: Iterable[str]) -> str | None:
    for source in sources:
        for value in source:
            if date := to_iso(value):
                return date
    return None


def _times(tree: LexborHTMLParser) -> list[str]:
    """<time> that is marked as the date of publication, or stands in the one article; else the only one of the page, or
    the one that all others follow: that of the first post of a thread."""
    every = select(tree, "time[datetime],time[pubdate]")
    if not every:
        return []
    single = len(select(tree, "article")) == 1
    for query in ("time[pubdate]", *(_IN_ARTICLE if single else ()), "main time[datetime]"):
        if found := select(tree, query):
            return [found[0].attributes.get("datetime") or ""]
    dates = list(dict.fromkeys(node.attributes.get("datetime") or "" for node in every))
    follow = len(dates) >= _CONVERSATION and dates[0] == min(dates)
    return dates[:1] if len(dates) == 1 or follow else []


_IN_ARTICLE = ("article header time[datetime]", "article time[datetime]")
_CONVERSATION = 3
"""Different times; of two, the earlier may be that of anything."""


def _language(
    tree: LexborHTMLParser, meta: dict[str, list[str]], things: list[dict[str, Any]], header: str | None
) -> str | None:
    root = tree.root
    attributes = root.attributes if root is not None else {}
    own = [attributes.get("lang") or "", attributes.get("xml:lang") or ""]
    stated = [*own, *_meta(meta, _LANGUAGE_NAMES), *_texts(things, "inLanguage"), header or ""]
    for value in stated:
        tag = value.partition(",")[0].strip()
        if _LANGUAGE.match(tag):
            return tag.replace("_", "-")
    return None


def _author(things: list[dict[str, Any]], meta: dict[str, list[str]], marked: list[Item]) -> str | None:
    talk = any(_REPLIES.intersection(item["@type"]) for item in marked)
    by_item = (item.get("name", []) for item in marked if "Person" in item["@type"] and not talk)
    people = [name for names in by_item for name in names][:1]
    # Those of works that an article refers to are <meta itemprop> as well.
    said = set(_props(marked, "author"))
    for source in (
        *(list(_names((thing,), "author")) for thing in things if "author" in thing),
        _but(said, _meta(meta, _AUTHOR)),
        _names(things, "creator"),
        _authors_of_one(marked),
        people,
    ):
        names = [text for value in source if (text := _plain(value)) and not _URL.match(text) and len(text) < 200]
        if names:
            return ", ".join(_each_once(names))
    return None


def _plain(value: str) -> str:
    return " ".join((_TAG.sub(" ", value) if "<" in value else value).split())


def _each_once(names: list[str]) -> list[str]:
    """A value that lists some names may be followed by them, one by one."""
    listed = {part.strip() for name in names if "," in name for part in name.split(",")}
    return [name for name in dict.fromkeys(names) if "," in name or name not in listed][:_MOST_AUTHORS]


def _authors_of_one(marked: list[Item]) -> list[str]:
    """Of the first item that has some, articles first; those of comments did not write the page."""
    own = sorted(_own_and_replies(marked)[0], key=lambda item: not any(map(_ARTICLES.search, item["@type"])))
    return next((authors for item in own if (authors := item.get("author"))), [])


def _image(things: list[dict[str, Any]], meta: dict[str, list[str]], join: Callable[[str], str | None]) -> str | None:
    for value in (*_meta(meta, _IMAGE), *_image_urls(things)):
        if url := join(value):
            return url
    return None


def _image_urls(things: Iterable[dict[str, Any]]) -> Iterator[str]:
    for thing in things:
        for name in ("image", "thumbnailUrl"):
            value = thing.get(name)
            for one in value if isinstance(value, list) else [value]:
                url = one.get("url") or one.get("contentUrl") if isinstance(one, dict) else one
                if isinstance(url, str):
                    yield url


def _tags(things: list[dict[str, Any]], meta: dict[str, list[str]]) -> list[str] | None:
    sources = [*_meta(meta, ("article:tag",)), *_meta(meta, ("keywords", "news_keywords")), *_texts(things, "keywords")]
    found = dict.fromkeys(
        tag for text in sources for piece in _TAG_SEPARATOR.split(text) if (tag := " ".join(piece.split()))
    )
    return list(found)[:_MOST_TAGS] or None

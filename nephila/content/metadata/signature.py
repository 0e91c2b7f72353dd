"""Who signed a page, where the document's metadata does not say it plainly. Knows the document's metadata and markup.

In the order of trust: the labels that publishing programs write for link previews ("Written by": ...), authors that
JSON-LD names by reference, links with rel=author, elements whose class says author or byline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from nephila.content.metadata.people import is_capitalised, people, person, without_by
from nephila.content.score import tokens
from nephila.document import Document, unescape
from nephila.document.jsonld import items
from nephila.native import find

_WRITTEN_BY = re.compile(
    r"written|author|verfasst|geschrieben|autor|écrit|auteur|escrito|scritto|geschreven|skriv|kirjoit|napisa|автор|"
    r"написа|συντάκτ|作者|投稿者|yazar",
    re.IGNORECASE,
)
_LABELS = tuple((f"twitter:label{number}", f"twitter:data{number}") for number in range(1, 5))
_ASKED = frozenset(("DiscussionForumPosting", "SocialMediaPosting", "Question", "QAPage"))
_OWNED = re.compile(
    r"([^|–—:]{3,40}?)['’]s?\s+(?:\w+\s+)?(?:blog|weblog|web ?site|home ?page|site|notes|home)\b", re.IGNORECASE
)
_MOST_PLACES = 20
_MOST_TAGS = 1000
_LONGEST_TAG = 2000
_OPENING = rb"<(?:a|span|p|div|strong|em|b|i|cite|address|li|h[3-6])(?= )"
_TEXT = rb"[^>]*>\s*(?:<[a-z][^>]*>\s*)*([^<]{2,80})"
_BY_LINK = re.compile(rb'<a (?=[^>]*\brel="(?:[^"]* )?author[ "])' + _TEXT)
_BY_PATH = re.compile(
    rb'<a (?=[^>]*\bhref="[^"]*/(?:authors?|autor(?:en|in|es)?|auteurs?|contributors?|columnists?|profiles?|producers?|'
    rb'creators?|writers?|reporters?|journalists?|newsteam|staff|team|people)/[^"/?#]+/?["?#])' + _TEXT
)
"""Where the address of a link says whose page it is: told near a headline only, for menus have such links too."""
_BY_CLASS = re.compile(
    _OPENING
    + rb'(?=[^>]*\b(?:class|itemprop)="(?:[^"]*[ _-])?(?:author|byline|autor|auteur)(?:[ _-]name)?[ "])'
    + rb"(?![^>]*(?:comment|avatar|bio|box|image|photo|job|title|itemscope))"
    + _TEXT
)


def declared_author(document: Document) -> str | None:
    """The author by what the page tells machines."""
    meta = document.metadata.meta
    for name_of_label, name_of_data in _LABELS:
        label, data = meta.get(name_of_label), meta.get(name_of_data)
        if label and data and _WRITTEN_BY.search(label[0]) and (name := data[0].strip()):
            return name
    return _referred(document.metadata.json_ld)


def _referred(json_ld: list[Any]) -> str | None:
    things = list(items(json_ld))
    names = {
        thing["@id"]: thing["name"] for thing in things if _is_text(thing.get("@id")) and _is_text(thing.get("name"))
    }
    for thing in things:
        author = thing.get("author")
        for one in author if isinstance(author, list) else [author]:
            if isinstance(one, dict) and _is_text(one.get("@id")) and one["@id"] in names:
                return str(names[one["@id"]]).strip() or None
    return None


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def marked_author(document: Document) -> str | None:
    """The author by the markup of what readers see; None where it names several (a list of articles)."""
    html = document.layout.markup.html
    tags = _tags_with_words(html)
    marked = [list(islice(_texts(html, tags, pattern), _MOST_PLACES)) for pattern in (_BY_LINK, _BY_CLASS) if tags]
    for logins, texts in product((False, True), filter(None, marked)):
        found = {name: None for text in texts if (name := people(without_by(text), logins=logins))}
        if len(found) in (1, 2):
            return next(iter(found))
    return None


def marked_near(markups: list[bytes]) -> str | None:
    """The author whom an element in the markup of one of the blocks around the headline names."""
    whole = b"\n".join(markups)
    if any(map(whole.__contains__, _WORDS)):
        marked = [(html, tags) for html in markups if (tags := _tags_with_words(html))]
        patterns = (_BY_LINK, _BY_CLASS)
        texts = [text for html, tags in marked for pattern in patterns for text in _texts(html, tags, pattern)]
        for logins, text in product((False, True), texts):
            if name := people(without_by(text), logins=logins):
                return name
    for match in _BY_PATH.finditer(whole):
        name = people(without_by(_shown(match[1])))
        if name and is_capitalised(name):
            return name
    return None


def owner(document: Document) -> str | None:
    """Who asks, on a page of questions or posts that marks its people; or whose site it is ("Ann Lee's blog")."""
    told = document.metadata
    if any(_ASKED.intersection(item["@type"]) for item in told.microdata):
        return next((item["name"][0] for item in told.microdata if "Person" in item["@type"] and "name" in item), None)
    for name in (told.site_name, *reversed((document.title or "").split(" | "))):
        match = _OWNED.match(name or "")
        if match and " " in match[1] and (owned := person(match[1])):
            return owned
    return None


def is_product(document: Document) -> bool:
    """Whether the page says that it sells a thing, and not that it is an article about one."""
    told = document.metadata
    kinds = told.types
    sold = "Product" in kinds or told.meta.get("og:type", ("",))[0].endswith("product")
    return sold and not any("Article" in name or "Posting" in name for name in kinds)


def is_publisher(author: str, document: Document) -> bool:
    """Whether an "author" is the site itself, or an organisation: a person named beside it is the one to name."""
    words = tokens(author)
    if not words or len(words) > _MOST_NAME_WORDS:
        return False
    if _ORGANISATION.search(author):
        return True
    host = (document.url or "").partition("://")[2].partition("/")[0].lower()
    site = "".join(tokens(document.metadata.site_name or ""))
    joined = "".join(words)
    return joined == site or (len(joined) > _SHORTEST_SITE and joined in host.replace("-", "").replace(".", ""))


_ORGANISATION = re.compile(
    r"\.(?:com|org|net|de|at|ch|fr|es|it|pl|ru|gr|cl|co|uk|eu|info)\b|\be\. ?V\.|\b(?:GmbH|AG|Inc|Ltd|Redaktion|"
    r"Editorial|Magazin|Online|Staff|Admin|Team|Agentur|Verlag|News|no author)\b",
    re.IGNORECASE,
)
_MOST_NAME_WORDS = 12
_SHORTEST_SITE = 3


_WORDS = (b"author", b"byline", b"autor", b"auteur")


def _tags_with_words(html: bytes) -> list[int]:
    """Where the tags begin that may name an author. A search for words is many times faster than one for patterns."""
    found: set[int] = set()
    for word in _WORDS:
        place = find(html, word)
        while place >= 0 and len(found) < _MOST_TAGS:
            start = html.rfind(b"<", max(0, place - _LONGEST_TAG), place)
            if start >= 0:
                found.add(start)
            place = find(html, word, place + len(word))
    return sorted(found)


def _texts(html: bytes, tags: list[int], pattern: re.Pattern[bytes]) -> Iterator[str]:
    end = 0
    for start in tags:
        if start >= end and (match := pattern.match(html, start)):
            end = match.end()
            yield _shown(match[1])


def _shown(text: bytes) -> str:
    return " ".join(unescape(text.decode("utf-8", "replace")).split())

"""Author and date from what a reader sees: the byline and the dateline around the headline. Knows blocks only.

Used where the markup does not tell. Looks at short blocks close to the headline, so that a name or a date in the text
is not taken for the author or the day of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from nephila.content.metadata.people import BY_WORDS, BYS, VERBS, people, without_by
from nephila.content.metadata.written_dates import date_spans, find_date, has_year
from nephila.content.score import ascii_words
from nephila.document import Block
from nephila.document.blocks import Blocks

_BEFORE, _AFTER = 4, 10
_DATE_AFTER = 16
_OPENING = 45
"""Characters of a paragraph in which its dateline stands."""
_LONGEST = 250
_SHORT = 60
_SENTENCE, _LAST = re.compile(r"[^\W\d_][.!?。]$"), 3
"""What the last characters of a sentence are, of which there may be so many."""

_BY = re.compile(
    rf"(?:^\W*|[\n|•·/]\s*|\b(?:{VERBS})\s+)"
    rf"(?:{BYS})"
    r"(?:\s*[:：/]\s*|\s+)(?P<name>[^\n|•·,;:：()\[\]<>@/\d]{2,60})",
    re.IGNORECASE,
)
_STARTED = re.compile(
    r"\W*(?:(?:thread|topic) (?:starter|author)|started by)\s*[:：]?\s*(?P<name>.{2,40})?", re.IGNORECASE
)
"""Who opened a thread, by whatever name."""
_ALONE = re.compile(
    rf"\W*(?:(?:{VERBS})\s+)?(?:{BYS}|author\(s\)|contributors?)\s*[:：]?\s*",
    re.IGNORECASE,
)
"""A line that says no more than that a name follows."""
_LONGEST_ALONE = 30
_SIGNS = BY_WORDS | {"starter", "contributor", "contributors"}
_THEN = re.compile(r"\s(?:am|um|on|at|le|el|il|den|vom|im|in|für|for)\s.*|\s[-–—]\s.*|\s{2,}.*", re.IGNORECASE)
"""What follows a name: the day, the place, the paper."""
_DIGIT = re.compile(r"\d")
_TIME = re.compile(r"\b\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?(?:uhr|h|am|pm))?\b", re.IGNORECASE)
_NAMES = ("author", "byline", "autor", "writer", "auteur", "contributor")
_NAMED = re.compile("|".join(_NAMES), re.IGNORECASE)
_NAME_WORDS = tuple(map(str.encode, _NAMES))

_MEMBERS = re.compile(
    r"\b(?:joined|join date|registered|registration|member since|founded|registriert|mitglied seit|dabei seit|"
    r"beigetreten|inscrit|inscription|membre depuis|registrado|miembro desde|iscritt[oa]|geregistreerd|lid sinds|"
    r"dołączyła?|rejestracja|регистрация|зарегистрирован)\b[^\n|]{0,40}?(?:19|20)\d\d",
    re.IGNORECASE,
)
"""The day on which a member of a forum came."""
_MAY_BE_DATED = re.compile(r"\d\.[01]\d\.\d")
_DATED = re.compile(r"date|time|publish|posted|meta|byline|datum|stamp", re.IGNORECASE)


def near(count: int, headline: int | None, after: int = _AFTER) -> list[int]:
    """The places of the blocks around the headline, those after it first; without one, those at the page's start."""
    if headline is None:
        return list(range(min(count, 40)))
    following = range(headline + 1, min(count, headline + 1 + after))
    return [*following, *reversed(range(max(0, headline - _BEFORE), headline))]


def written_author(blocks: Blocks, headline: int | None) -> str | None:
    """The name after a "by", or the text of an element that says it is the author's."""
    texts = blocks.texts
    around = [place for place in near(len(blocks), headline) if len(texts[place]) <= _LONGEST]
    for place in around:
        # A look for the words is quicker than a search for the pattern.
        name = _after_by(texts, place) if _may_hold_by(texts[place]) else None
        if name is not None:
            return name
    brief = [place for place in around if len(texts[place]) <= _SHORT]
    markups = blocks.markups_around(brief)
    for place, markup in zip(brief, markups, strict=True) if _may_hold_name(b"".join(markups)) else ():
        if not _may_hold_name(markup):
            continue
        named = any(_NAMED.search(label) and "comment" not in label for label in _labels(blocks[place]))
        if named and (name := people(without_by(without_dates(texts[place])))):
            return name
    return None


def _after_by(texts: Sequence[str], place: int) -> str | None:
    """The name behind a "by": in the same block, or in the next where the block says no more than that."""
    if started := _STARTED.fullmatch(texts[place]):
        return started["name"] or next(iter(texts[place + 1 : place + 2]), None)
    text = without_dates(texts[place])
    if len(text) <= _LONGEST_ALONE and _ALONE.fullmatch(text):
        following = texts[place + 1] if place + 1 < len(texts) else ""
        return _opening(following) if len(following) <= _LONGEST else None
    match = _BY.search(text)
    if match is None:
        return None
    whole = text[match.end() :].lstrip()[:1] in ("", "|")
    return people(_THEN.sub("", match["name"]), logins=whole)


def _opening(text: str) -> str | None:
    """The name that a line consists of, or that it begins with, before what is said of the person."""
    text = _THEN.sub("", without_dates(text))
    before, comma, _ = text.partition(",")
    return people(text, logins=True) or (people(before) if comma and " " in before.strip() else None)


def _may_hold_by(text: str) -> bool:
    """Whether one of the words is in the text: in all places that the pattern knows, it stands by itself."""
    return not _SIGNS.isdisjoint(ascii_words(text) if text.isascii() else _WORDS.findall(text.lower()))


_WORDS = re.compile(r"\w+")


def _may_hold_name(markup: bytes) -> bool:
    return any(map(markup.lower().__contains__, _NAME_WORDS))


def without_dates(text: str) -> str:
    """The text with a bar in the place of each date and each time of day: a byline's parts."""
    if not _DIGIT.search(text):
        return text
    for start, end in date_spans(text):
        text = f"{text[:start]} | {text[end:]}"
    return _TIME.sub(" | ", text)


def written_date(blocks: Blocks, headline: int | None, language: str | None) -> str | None:
    """The first full date around the headline; one in an element that is named after dates comes first."""
    texts, first = blocks.texts, None
    for place in (*(() if headline is None else (headline,)), *near(len(blocks), headline, _DATE_AFTER)):
        text = texts[place]
        # Most texts have none of what a date has, which is seen before anything is called.
        if ("20" in text or "19" in text or ".0" in text or ".1" in text) and (date := _dateline(text, language)):
            if any(_DATED.search(label) for label in _labels(blocks[place])):
                return date
            first = first or date
    return first if first is not None and headline is not None else _one_date(texts, language)


def date_beside(blocks: Blocks, span: tuple[int, int], language: str | None) -> str | None:
    """The one date in short lines where the text begins and ends, far from the headline as that may be."""
    first, last = span
    count = len(blocks)
    begins = range(max(0, first - _BEFORE), min(count, first + 2))
    ends = range(max(0, last - 1), min(count, last + 1 + _BEFORE))
    return _one_date((blocks.texts[place] for place in sorted({*begins, *ends})), language)


def _dateline(text: str, language: str | None) -> str | None:
    """The date of a short block, or that which a paragraph begins with."""
    text = text if len(text) <= _LONGEST else text[:_OPENING]
    may_be_short = text.count(".") > 1 and bool(_MAY_BE_DATED.search(text))
    return _date_in(text, language, short_years=True) if may_be_short or has_year(text) else None


def _date_in(text: str, language: str | None, *, short_years: bool = False) -> str | None:
    """The date in a text that is not that of a member's coming."""
    date = find_date(text, language, short_years=short_years)
    if date is None or not _MEMBERS.search(text):
        return date
    return find_date(_MEMBERS.sub(" ", text), language, short_years=short_years)


def _one_date(texts: Iterable[str], language: str | None) -> str | None:
    """The one date that is in short texts which are no sentences; None where there are several."""
    shown: set[str] = set()
    for text in texts:
        if (
            len(text) <= _SHORT
            and ("20" in text or "19" in text)  # before anything is called: most texts have neither
            and has_year(text)
            and not _SENTENCE.search(text, len(text) - _LAST)
            and (date := _date_in(text, language))
        ):
            shown.add(date)
            if len(shown) > 1:
                return None
    return shown.pop() if shown else None


def _labels(block: Block) -> Iterator[str]:
    """Classes and ids of the inline elements around the text and of the two closest containers."""
    container = block.container
    parent = container.parent
    for attributes in (container.attributes, parent.attributes if parent else {}):
        yield from (value for name in ("class", "id", "itemprop", "rel") if (value := attributes.get(name)))
    for attributes in block.inline_attributes():
        yield from (value for name in ("class", "id", "itemprop", "rel") if (value := attributes.get(name)))

"""Author and date from what a reader sees: the byline and the dateline around the headline. Knows blocks only.

Used where the markup does not tell. Looks at short blocks close to the headline, so that a name or a date in the text
is not taken for the author or the day of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nephila.content.written_dates import date_spans, find_date
from nephila.document import Block
from nephila.document.blocks import Blocks

_BEFORE, _AFTER = 4, 10
_DATE_AFTER = 16
_OPENING = 45
"""Characters of a paragraph in which its dateline stands."""
_LONGEST = 250
_MOST_WORDS = 5
_SHORT = 60
_SENTENCE = re.compile(r"[^\W\d_][.!?。]$")
_YEAR = re.compile(r"(?:19|20)\d\d")

# "by" in the languages of bylines; the name follows.
_BYS = (
    r"by|von|vom|par|por|di|door|av|af|autor(?:in|en)?|authors?|auteur|redaktion|автор|текст|συντάκτης|του|作者|记者|記者|文|"
    r"责任编辑|编辑"
)
_MAY_BE_BY = re.compile(rf"(?:{_BYS})[\s:：/]")
"""In lower case: found in a fifth of the time."""
_BY = re.compile(
    r"(?:^\W*|[\n|•·/]\s*|\b(?:written|posted|published|reviewed|story|words|review|article|artikel|beitrag|text|erstellt|"
    r"gespeichert|geschrieben|publiziert|veröffentlicht|kommentar|interview|publié|escrito|scritto)\s+)"
    rf"(?:{_BYS})"
    r"(?:\s*[:：/]\s*|\s+)(?P<name>[^\n|•·,;:：()\[\]<>@/\d]{2,60})",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"^\W*(?:by|von|par|por|di|автор|作者)\b[:：]?\s*", re.IGNORECASE)
_THEN = re.compile(r"\s(?:am|um|on|at|le|el|il|den|vom|im|in|für|for)\s.*|\s[-–—]\s.*|\s{2,}.*", re.IGNORECASE)
"""What follows a name: the day, the place, the paper."""
_DIGIT = re.compile(r"\d")
_TIME = re.compile(r"\b\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?(?:uhr|h|am|pm))?\b", re.IGNORECASE)
_LABEL = re.compile(r"^[^\W\d_]{1,15}\s*[:：]\s*")
"""A word with a colon before a name, in any language."""
_NAMED = re.compile(r"author|byline|autor|writer|auteur|contributor", re.IGNORECASE)

_DATED = re.compile(r"date|time|publish|posted|meta|byline|datum|stamp", re.IGNORECASE)
_NOT_A_NAME = re.compile(
    r"\b(?:the|and more|staff writers?|comments?|posted|published|updated|share|read|follow|in|on|at|am|um|le|el|about|"
    r"author|autor|by|von|minutes?|ago|view|all|posts?|admin|uhr|name|mehr|more|beitrag|inhalte?|autoreninfo|e-?mail|redaktion|"
    r"login|home|menu|news)\b",
    re.IGNORECASE,
)


def near(blocks: Sequence[Block], headline: int | None, after: int = _AFTER) -> list[Block]:
    """The blocks around the headline, those after it first; without one, those at the start of the page."""
    if headline is None:
        return list(blocks[:40])
    return [*blocks[headline + 1 : headline + 1 + after], *reversed(blocks[max(0, headline - _BEFORE) : headline])]


def written_author(blocks: Sequence[Block], headline: int | None) -> str | None:
    """The name after a "by", or the text of an element that says it is the author's."""
    around = [block for block in near(blocks, headline) if len(block.text) <= _LONGEST]
    for block in around:
        match = _BY.search(without_dates(block.text)) if _MAY_BE_BY.search(block.text.lower()) else None
        if match and (name := person(_THEN.sub("", match["name"]))):
            return name
    for block in around:
        if len(block.text) > _SHORT or not _NAMED.search(block.markup_around()):
            continue
        named = any(_NAMED.search(label) and "comment" not in label for label in _labels(block))
        if named and (name := person(_PREFIX.sub("", without_dates(block.text)))):
            return name
    return None


def without_dates(text: str) -> str:
    """The text with a bar in the place of each date and each time of day: a byline's parts."""
    if not _DIGIT.search(text):
        return text
    for start, end in date_spans(text):
        text = f"{text[:start]} | {text[end:]}"
    return _TIME.sub(" | ", text)


def written_date(blocks: Sequence[Block], headline: int | None, language: str | None) -> str | None:
    """The first full date around the headline; one in an element that is named after dates comes first."""
    places = near(blocks, headline, _DATE_AFTER)
    if headline is not None:
        places.insert(0, blocks[headline])
    candidates = [(block, date) for block in places if (date := _dateline(block.text, language))]
    for block, date in candidates:
        if any(_DATED.search(label) for label in _labels(block)):
            return date
    if candidates and headline is not None:
        return candidates[0][1]
    return _only_date(blocks.texts if isinstance(blocks, Blocks) else [block.text for block in blocks], language)


def _dateline(text: str, language: str | None) -> str | None:
    """The date of a short block, or that which a paragraph begins with."""
    if len(text) > _LONGEST:
        text = text[:_OPENING]
    return find_date(text, language, short_years=True)


def _only_date(texts: Sequence[str], language: str | None) -> str | None:
    """The one date that the page shows apart from its text: in short blocks that are no sentences."""
    shown = {
        date
        for text in texts
        if len(text) <= _SHORT
        and _YEAR.search(text)
        and not _SENTENCE.search(text)
        and (date := find_date(text, language))
    }
    return shown.pop() if len(shown) == 1 else None


def _labels(block: Block) -> Iterator[str]:
    """Classes and ids of the inline elements around the text and of the two closest containers."""
    container = block.container
    parent = container.parent
    for attributes in (container.attributes, parent.attributes if parent else {}):
        yield from (value for name in ("class", "id", "itemprop", "rel") if (value := attributes.get(name)))
    for attributes in block.inline_attributes():
        yield from (value for name in ("class", "id", "itemprop", "rel") if (value := attributes.get(name)))


def person(text: str) -> str | None:
    """The text if it may be a person's name: few words, no digits, a capital (in scripts that have them)."""
    text = _LABEL.sub("", text.strip())
    name = re.split(r"\s[-–—]\s|\s{2,}", text)[0].strip(" .,-–—|•·*")
    words = name.split()
    if not 1 <= len(words) <= _MOST_WORDS or len(name) < 2 or any(character.isdigit() for character in name):
        return None
    if _NOT_A_NAME.search(name):
        return None
    if name[0].islower() or (len(words) == 1 and name.isascii() and len(name) < 4):
        return None
    return name

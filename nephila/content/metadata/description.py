"""What is known of a page besides its text: title, author, dates, language, ... Knows a document.

Markup first (JSON-LD, OpenGraph, microdata, <meta>: the document's metadata), then what a reader sees, then the
address. Absent is None, never a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from nephila.content.metadata.byline import date_beside, near, written_author, written_date
from nephila.content.metadata.language import language_of
from nephila.content.metadata.people import is_fuller, without_by
from nephila.content.metadata.scripted import scripted_date
from nephila.content.metadata.signature import (
    declared_author,
    is_product,
    is_publisher,
    marked_author,
    marked_near,
    owner,
)
from nephila.content.metadata.title import titles_of
from nephila.content.metadata.written_dates import date_in_url, find_date
from nephila.document import Document
from nephila.document.tags import HEADING_BITS


@dataclass(slots=True)
class Description:
    title: str | None
    author: str | None
    published: str | None
    modified: str | None
    language: str | None
    site_name: str | None
    description: str | None
    image: str | None
    canonical_url: str | None
    tags: list[str] | None


def describe(document: Document, text: str, span: tuple[int, int] | None = None) -> Description:
    """`text` is the page's main text, from which its language is told where the markup does not say, or says any;
    `span` its first and last block."""
    metadata = document.metadata
    title, shown = titles_of(document)
    headline = _place(document, shown)
    language = language_of(metadata.language, text)
    return Description(
        title=title,
        author=_author(document, headline),
        published=_published(document, headline, language, span),
        modified=metadata.modified,
        language=language,
        site_name=metadata.site_name,
        description=metadata.description,
        image=metadata.image,
        canonical_url=document.relations.canonical,
        tags=metadata.tags or None,
    )


def _author(document: Document, headline: int | None) -> str | None:
    """By what the page tells machines, if that is not its publisher; else by what readers see of its author."""
    declared = document.metadata.author or declared_author(document)
    declared = declared and ", ".join(map(without_by, declared.split(", ")))
    told = declared is not None and not is_publisher(declared, document)
    if is_product(document) or (declared is not None and told and " " in declared):
        return declared  # "by" a maker, or by those who reviewed it
    seen = written_author(document.blocks, headline) or (
        _marked_near(document, headline) if headline is not None else None
    )
    if declared is not None and told and not (seen and is_fuller(seen, declared)):
        return declared
    return seen or declared or marked_author(document) or owner(document)


def _marked_near(document: Document, headline: int) -> str | None:
    blocks, texts = document.blocks, document.layout.texts
    around = [place for place in near(len(blocks), headline) if len(texts[place]) <= _LONGEST_BYLINE]
    return marked_near(blocks.markups(around))


_LONGEST_BYLINE = 250


def _published(
    document: Document, headline: int | None, language: str | None, span: tuple[int, int] | None
) -> str | None:
    """A day in the address is that of the first publication: markup that is far from it tells of a later one."""
    declared, addressed = document.metadata.published, date_in_url(document.url or "")
    if addressed is not None and (declared is None or _days_between(declared, addressed) > _SAME_TIME):
        return addressed
    if declared is None:
        return (
            written_date(document.blocks, headline, language)
            or _worded(document.metadata.meta, language)
            or (None if span is None else date_beside(document.blocks, span, language))
            or scripted_date(document.source)
        )
    if _NEAR_MIDNIGHT.search(declared):
        seen = written_date(document.blocks, headline, language)
        if seen is not None and _days_between(declared, seen) == 1:
            return seen
    return declared


def _worded(meta: dict[str, list[str]], language: str | None) -> str | None:
    """The day of <meta name="date" content="July 17, 2025">, which is no date of machines."""
    values = (value for name in _DATES for value in meta.get(name, ()) if any(map(str.isalpha, value)))
    return next((day for value in values if (day := find_date(value, language))), None)


_DATES = ("date", "published", "publish-date", "publication_date", "article:published_time")


def _days_between(moment: str, day: str) -> int:
    try:
        return abs((date.fromisoformat(moment[:10]) - date.fromisoformat(day)).days)
    except ValueError:  # the markup tells a month or a year only
        return 0


_SAME_TIME = 2
_NEAR_MIDNIGHT = re.compile(r"T(?:0[0-6]|1[7-9]|2\d):.*(?:Z|[+-]00:00)$")
"""In Greenwich; where the page was written it may be another day, the one that readers see."""


def _place(document: Document, title: str | None) -> int | None:
    """The block that shows the title: a heading by preference."""
    if title is None:
        return None
    texts, numbers = document.layout.texts, document.layout.numbers
    as_long: list[int] = (document.layout.lengths == len(title)).nonzero()[0].tolist()
    same = [index for index in as_long if texts[index] == title or texts[index].replace("\n", " ") == title]
    headed = (index for index in same if numbers.flags[numbers.container[index]] & HEADING_BITS)
    return next(headed, same[0] if same else None)

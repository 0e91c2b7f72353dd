"""What is known of a page besides its text: title, author, dates, language, ... Knows a document.

Markup first (JSON-LD, OpenGraph, microdata, <meta>: the document's metadata), then what a reader sees, then the
address. Absent is None, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from nephila.content.byline import written_author, written_date
from nephila.content.language import guess_language
from nephila.content.signature import declared_author, marked_author
from nephila.content.title import title_of
from nephila.content.written_dates import date_in_url
from nephila.document import Document


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


def describe(document: Document, text: str) -> Description:
    """`text` is the page's main text, from which its language is told when the markup is silent."""
    metadata = document.metadata
    title = title_of(document)
    headline = _place(document, title)
    language = metadata.language or guess_language(text)
    return Description(
        title=title,
        author=metadata.author
        or declared_author(document)
        or written_author(document.blocks, headline)
        or marked_author(document),
        published=_published(document, headline, language),
        modified=metadata.modified,
        language=language,
        site_name=metadata.site_name,
        description=metadata.description,
        image=metadata.image,
        canonical_url=document.relations.canonical,
        tags=metadata.tags or None,
    )


def _published(document: Document, headline: int | None, language: str | None) -> str | None:
    """A day in the address is that of the first publication: markup that is far from it tells of a later one."""
    declared, addressed = document.metadata.published, date_in_url(document.url or "")
    if addressed is not None and (declared is None or _days_between(declared, addressed) > _SAME_TIME):
        return addressed
    return declared or written_date(document.blocks, headline, language)


def _days_between(moment: str, day: str) -> int:
    try:
        return abs((date.fromisoformat(moment[:10]) - date.fromisoformat(day)).days)
    except ValueError:  # the markup tells a month or a year only
        return 0


_SAME_TIME = 2


def _place(document: Document, title: str | None) -> int | None:
    """The block that shows the title: a heading by preference."""
    if title is None:
        return None
    length = len(title)
    same = [
        index
        for index, text in enumerate(document.layout.texts)
        if len(text) == length and (text == title or text.replace("\n", " ") == title)
    ]
    return next((index for index in same if document.blocks[index].heading), same[0] if same else None)

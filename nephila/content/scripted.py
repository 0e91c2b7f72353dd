"""The day of publication where a page tells it to its own scripts and styles alone. Knows bytes of HTML.

The last resort: pages that scripts draw hold the article as data, and blogs mark the date by a class and a title.
"""

from __future__ import annotations

import re

from nephila.document.dates import to_iso

_KEY = re.compile(
    rb'\\?"(?:date_?published|published_?(?:at|on|date|time)?|publish_?(?:date|time|at)|publication_?date|created_?at|'
    rb'first_?published)\\?"\s*:\s*\\?"((?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9][^"\\]{0,20})',
    re.IGNORECASE,
)
_MARKED = re.compile(
    rb'class="[^">]{0,200}\b(?:published|entry-date|dt-published|post-date|updated)\b[^">]{0,200}"[^>]{0,300}'
    rb'\b(?:title|datetime|content)="'
    rb'((?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9][^">]{0,20})',
    re.IGNORECASE,
)


def scripted_date(html: bytes) -> str | None:
    """The date that all such places agree on, to the day; None when they do not."""
    for word, pattern in ((b"ublish", _MARKED), (b"updated", _MARKED), (b"ublish", _KEY), (b"created", _KEY)):
        if word not in html:
            continue
        found = {date[:10]: date for match in pattern.finditer(html) if (date := to_iso(match[1].decode("latin-1")))}
        if len(found) == 1:
            return next(iter(found.values()))
    return None

"""Everything that a crawl asks about one link, in one cached answer. Knows no other room.

Links of a site's navigation come again on every page, so the answer for a URL is worth more than its parts: a hit
costs 0.1 us, the parts together about 10.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nephila.urls.dates import url_date
from nephila.urls.fingerprint import family, fingerprint
from nephila.urls.host import host_key
from nephila.urls.traps import trap


class Address(NamedTuple):
    """A canonical URL and what can be known of it without asking its server."""

    url: str
    fingerprint: int
    host: str
    """`name` or `name:port`: the unit of politeness."""
    family: int
    date: float | None
    """The date that the URL tells, seconds since the epoch."""
    trap: str | None
    """Why it is not worth a request; None for an ordinary URL."""


_CACHED_LENGTH = 400


def address(url: str) -> Address:
    """What a canonical URL tells. Long URLs are not kept in the cache: a hostile site could fill memory with them."""
    return _kept(url) if len(url) <= _CACHED_LENGTH else _address(url)


def _address(url: str) -> Address:
    return Address(url, fingerprint(url), host_key(url), family(url), url_date(url), trap(url))


_kept = lru_cache(maxsize=32768)(_address)

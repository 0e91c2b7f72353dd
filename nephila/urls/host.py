"""Hosts: the unit of politeness (host and port), of a site (registered domain), of trust (origin).

The functions read canonical URLs and split text only. Registered domains come from the public suffix list that
tldextract carries with it; it is never fetched. Knows no other room.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract

_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}").fullmatch


def host_key(url: str) -> str:
    """`name` or `name:port` of a canonical URL. http and https of one name are one machine to be polite to."""
    return url.split("/", 3)[2]


def host_name(url: str) -> str:
    """The host of a canonical URL without its port; an IPv6 address keeps its brackets."""
    return _without_port(host_key(url))


def origin(url: str) -> str:
    """`scheme://name` or `scheme://name:port` of a canonical URL: what robots.txt and cookies belong to."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


@lru_cache(maxsize=16384)
def registered_domain(host: str) -> str:
    """The domain that somebody registered: `news.bbc.co.uk` gives `bbc.co.uk`; a port is left out.

    Names under which a company hosts strangers count as suffixes (`me.github.io` is a site of its own). IP addresses,
    `localhost`, names without a known suffix and bare suffixes are returned as they are.
    """
    name = _without_port(host)
    if is_address(name) or "." not in name:
        return name
    return _suffixes()(name).top_domain_under_public_suffix or name


def is_address(host: str) -> bool:
    """Whether a host, given without its port, is an IP address."""
    return host.startswith("[") or _IPV4(host) is not None


def _without_port(host: str) -> str:
    return host if host.endswith("]") else host.partition(":")[0] if host[:1] != "[" else host.partition("]")[0] + "]"


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    from tldextract import TLDExtract  # brings an HTTP client with it: whoever crawls addresses can do without

    return TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True, include_psl_private_domains=True)

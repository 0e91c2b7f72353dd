"""Scrapy requests as entries of the frontier and back: JSON-able, never pickled."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Any

import orjson
from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from nephila.frontier.base import Entry, Lease
from nephila.urls import host_key

if TYPE_CHECKING:
    from scrapy.utils.request import RequestFingerprinterProtocol

LEASE = "nephila_lease"
"""Key in `Request.meta` under which a leased request carries its lease; never travels to another request."""
_TRANSIENT = frozenset({LEASE, "download_latency", "download_slot", "retry_times", "redirect_times", "redirect_urls"})


class NotShareableError(ValueError):
    """The request holds something that JSON cannot (an object in its meta, a lambda as callback)."""


def entry_of(request: Request, spider: Spider, fingerprinter: RequestFingerprinterProtocol, *, dedupe: bool) -> Entry:
    """The entry of a request; with `dedupe` off, one that no other can be equal to."""
    digest = fingerprinter.fingerprint(request)[:8] if dedupe else os.urandom(8)
    return Entry(
        url=request.url,
        fingerprint=int.from_bytes(digest, "big", signed=True),
        host=str(request.meta.get("download_slot") or host_key(request.url)),
        depth=int(request.meta.get("depth", 0)),
        priority=max(-100, min(100, request.priority)),
        meta={"request": _pack(request, spider)},
    )


def request_of(lease: Lease, spider: Spider) -> Request:
    """The request of a lease, marked with it; past the duplicate filter, for the frontier has judged it."""
    data: dict[str, Any] = dict((lease.meta or {}).get("request") or {"url": lease.url})
    for name in ("body",):
        if name in data:
            data[name] = base64.b64decode(data[name])
    data["headers"] = {
        base64.b64decode(name): [base64.b64decode(value) for value in values]
        for name, values in data.get("headers", {}).items()
    }
    request = request_from_dict(data, spider=spider)
    request.meta[LEASE] = lease
    return request.replace(dont_filter=True)


def _pack(request: Request, spider: Spider) -> dict[str, Any]:
    try:
        data = request.to_dict(spider=spider)
    except ValueError as error:  # a callback that is no method of the spider
        raise NotShareableError(str(error)) from None
    data["meta"] = {key: value for key, value in data["meta"].items() if key not in _TRANSIENT}
    data["body"] = base64.b64encode(data["body"]).decode()
    data["headers"] = {
        base64.b64encode(name).decode(): [base64.b64encode(value).decode() for value in values]
        for name, values in data["headers"].items()
    }
    data = {key: value for key, value in data.items() if value not in (None, "", [], {}, ()) or key == "url"}
    try:
        packed: dict[str, Any] = orjson.loads(orjson.dumps(data))
    except TypeError as error:
        raise NotShareableError(str(error)) from None
    return packed

"""Scrapy requests as entries of the frontier and back: JSON-able, never pickled, every value with its type."""

from __future__ import annotations

import base64
import math
import os
from typing import TYPE_CHECKING, Any

import orjson
from scrapy import Request, Spider
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.request import request_from_dict

from nephila.frontier.base import MAX_PRIORITY, Entry, Lease

if TYPE_CHECKING:
    from scrapy.utils.request import RequestFingerprinterProtocol

OPEN = "nephila_request"
"""Key in `Request.meta` under which a request under way carries its account; never travels to another request."""
_LOCAL = frozenset({OPEN, "download_latency"})
_DEFAULT_PORTS = {"http": 80, "https": 443}
_BYTES, _TUPLE, _PAIRS = "~bytes", "~tuple", "~pairs"


class NotShareableError(ValueError):
    """The request holds something that JSON cannot (an object in its meta, a lambda as callback)."""


def entry_of(request: Request, spider: Spider, fingerprinter: RequestFingerprinterProtocol, *, dedupe: bool) -> Entry:
    """The entry of a request; with `dedupe` off, one that no other can be equal to."""
    digest = fingerprinter.fingerprint(request)[:8] if dedupe else os.urandom(8)
    return Entry(
        url=request.url,
        fingerprint=int.from_bytes(digest, "big", signed=True),
        host=str(request.meta.get("download_slot") or host_of(request)),
        depth=int(request.meta.get("depth", 0)),
        priority=max(-MAX_PRIORITY, min(MAX_PRIORITY, request.priority)),
        meta={"request": _pack(request, spider)},
    )


def request_of(lease: Lease, spider: Spider) -> Request:
    """The request of a lease, past the duplicate filter: the frontier has judged it."""
    packed = (lease.meta or {}).get("request")
    data: dict[str, Any] = {"url": lease.url} if packed is None else _typed(packed)
    return request_from_dict(data, spider=spider).replace(dont_filter=True)


def host_of(request: Request) -> str:
    """The unit of politeness: `name` or `name:port`."""
    parts = urlparse_cached(request)
    name = parts.hostname or f"{parts.scheme}:"
    name = f"[{name}]" if ":" in name and parts.hostname else name
    try:
        port = parts.port
    except ValueError:
        port = None
    return name if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{name}:{port}"


def _pack(request: Request, spider: Spider) -> dict[str, Any]:
    try:
        data = request.to_dict(spider=spider)
    except ValueError as error:  # a callback that is no method of the spider
        raise NotShareableError(str(error)) from None
    data["meta"] = {key: value for key, value in data["meta"].items() if key not in _LOCAL}
    data = {key: value for key, value in data.items() if value not in (None, "", b"", [], {}, ()) or key == "url"}
    try:
        packed: dict[str, Any] = _plain(data)
        orjson.dumps(packed)
    except (TypeError, RecursionError) as error:  # numbers above 64 bits, lone surrogates, a meta that holds itself
        raise NotShareableError(str(error)) from None
    return packed


def _plain(value: Any) -> Any:
    """The value in JSON's types; those that JSON lacks are marked, anything else is refused rather than changed."""
    kind = type(value)
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        return value
    if kind is bytes:
        return {_BYTES: base64.b64encode(value).decode()}
    if kind is list:
        return [_plain(item) for item in value]
    if kind is tuple:
        return {_TUPLE: [_plain(item) for item in value]}
    if kind is dict:
        if all(type(key) is str and key[:1] != "~" for key in value):
            return {key: _plain(item) for key, item in value.items()}
        return {_PAIRS: [[_plain(key), _plain(item)] for key, item in value.items()]}
    raise TypeError(f"{kind.__name__} is not a type that JSON can carry")


def _typed(value: Any) -> Any:
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _BYTES in value:
        return base64.b64decode(value[_BYTES])
    if _TUPLE in value:
        return tuple(_typed(item) for item in value[_TUPLE])
    if _PAIRS in value:
        return {_typed(key): _typed(item) for key, item in value[_PAIRS]}
    return {key: _typed(item) for key, item in value.items()}

"""Answers that real servers give: compressed, with validators, and 304 to a client that has the page already."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from importlib.resources import files

from aiohttp import web

DAY = 86_400


def page(text: str, *, status: int = 200, encoding: str = "utf-8", declare: bool = True) -> web.Response:
    """An HTML answer; without `declare` the charset is left to the page's own meta element."""
    content_type = f"text/html; charset={encoding}" if declare else "text/html"
    body = text.encode(encoding, "xmlcharrefreplace")
    return web.Response(body=body, status=status, headers={"Content-Type": content_type})


def xml(text: str, content_type: str = "application/xml") -> web.Response:
    return web.Response(body=text.encode(), headers={"Content-Type": f"{content_type}; charset=utf-8"})


def svg(text: str) -> web.Response:
    return web.Response(
        body=text.encode(), headers={"Content-Type": "image/svg+xml", "Cache-Control": f"max-age={DAY}"}
    )


def asset(package: str, name: str) -> web.Response:
    """A style sheet or script that lies beside the site's code."""
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    body = files(package).joinpath(name).read_bytes()
    return web.Response(
        body=body, headers={"Content-Type": f"{kind}; charset=utf-8", "Cache-Control": f"max-age={DAY}"}
    )


def conditional(request: web.Request, response: web.Response, modified: datetime | None = None) -> web.Response:
    """`response` with an ETag (and Last-Modified), or 304 when the client's copy is still good."""
    body = response.body if isinstance(response.body, bytes) else b""
    etag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
    validators = {"ETag": etag}
    if modified is not None:
        validators["Last-Modified"] = format_datetime(modified.astimezone(UTC), usegmt=True)
    if _is_fresh(request, etag, modified):
        return web.Response(status=304, headers=validators)
    response.headers.update(validators)
    response.enable_compression()
    return response


def _is_fresh(request: web.Request, etag: str, modified: datetime | None) -> bool:
    """RFC 9110, 13.2.2: If-None-Match decides alone when it is there."""
    known = request.headers.get("If-None-Match")
    if known is not None:
        tags = {tag.strip().removeprefix("W/") for tag in known.split(",")}
        return "*" in tags or etag in tags
    since = request.headers.get("If-Modified-Since")
    if since is None or modified is None:
        return False
    try:
        return modified.replace(microsecond=0) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False

"""Who may use the dashboard, and how: its own address, a token for strangers, no request forged by another site.

Plain ASGI: it stands before everything else and knows nothing of crawls.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 2**20
COOKIE = "nephila_session"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = frozenset({"/login", "/static/style.css"})
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_LOGIN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Nephila</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/static/style.css">
<main class="login"><h1>Nephila</h1><form method="post" action="/login"><label>Token
<input type="password" name="token" autocomplete="current-password" required autofocus></label>
<button>Open</button></form><p role="alert">%s</p></main></html>"""


def is_loopback(host: str) -> bool:
    return host.strip("[]") in _LOOPBACK


def problem(status: int, title: str, detail: str = "", **headers: str) -> Response:
    """An error as RFC 9457 has it."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JSONResponse(body, status, headers, media_type="application/problem+json")


@dataclass(slots=True)
class Rate:
    """Requests of one client: `burst` at once, `second` more each second; the clients that came last are remembered."""

    second: float = 100.0
    burst: float = 400.0
    most_clients: int = 10_000
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def allows(self, client: str) -> bool:
        now = time.monotonic()
        left, at = self._left.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.second)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > self.most_clients:
            self._left.popitem(last=False)
        return allowed


class Guard:
    """`hosts` are the names under which it may be asked for: a name that was bent to our address is not among them."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str | None, rate: Rate | None = None) -> None:
        self._app = app
        self._hosts = hosts
        self._token = token
        self._session = secrets.token_urlsafe(32)
        self._rate = rate or Rate()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        refusal = await self._refusal(request)
        if refusal is not None:
            await refusal(scope, receive, guarded)
        else:
            await self._app(scope, _bounded(receive), guarded)

    async def _refusal(self, request: Request) -> Response | None:
        """The answer to a request that goes no further."""
        headers, path = request.headers, request.url.path
        if _name(headers.get("host", "")) not in self._hosts:
            return problem(421, "Misdirected Request", "ask for the dashboard by the address it was started with")
        if not self._rate.allows(request.client.host if request.client else "?"):
            return problem(429, "Too Many Requests", "slow down", **{"retry-after": "1"})
        if request.method not in _SAFE and _is_forged(headers):
            return problem(403, "Forbidden", "this request comes from another site")
        if int(headers.get("content-length") or 0) > MOST_BODY:
            return problem(413, "Content Too Large", f"at most {MOST_BODY} bytes")
        if self._token is None or (path in _OPEN and path != "/login"):
            return None
        if path == "/login":
            return await self._login(request)
        if self._is_known(request):
            return None
        if path == "/" and request.method == "GET":
            return RedirectResponse("/login", 303)
        return problem(
            401, "Unauthorized", "give the token: Authorization: Bearer ...", **{"www-authenticate": "Bearer"}
        )

    def _is_known(self, request: Request) -> bool:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        bearer = scheme.lower() == "bearer" and _equal(given.strip(), self._token or "")
        return bearer or _equal(request.cookies.get(COOKIE, ""), self._session)

    async def _login(self, request: Request) -> Response:
        if request.method != "POST":
            return HTMLResponse(_LOGIN % "")
        given = parse_qs((await request.body())[:MOST_BODY].decode("utf-8", "replace")).get("token", [""])[0]
        if not _equal(given, self._token or ""):
            return HTMLResponse(_LOGIN % "That is not the token.", 401)
        response = RedirectResponse("/", 303)
        response.set_cookie(
            COOKIE, self._session, httponly=True, samesite="strict", secure=request.url.scheme == "https"
        )
        return response


def _name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _is_forged(headers: Headers) -> bool:
    """Whether a browser says that another site's page made the request."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


def _bounded(receive: Receive) -> Receive:
    """A body without a stated length ends at the bound too."""
    read = 0

    async def receive_bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MOST_BODY:
            return {"type": "http.disconnect"}
        return message

    return receive_bounded

"""The HTTP client: one GET within every bound (time, stall, size, decompression, address), or a FetchError.

It follows no redirect (each target is a decision of the crawl) and knows nothing of Scrapy; the download handler, the
robots cache and `nephila extract URL` use it.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import aiohttp
from yarl import URL

from nephila.fetch.cookies import BoundedCookieJar
from nephila.fetch.decompress import ACCEPT_ENCODING, decompress
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.guard import AddressRefused, check_url, guarded_connector
from nephila.urls import registered_domain

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5"
_MAX_HEADER = 64 * 1024
_SECRET = re.compile(r"auth|cookie|token|secret|session|passw|key\b", re.IGNORECASE).search
"""Names of headers that say who we are to those who know us."""
_SENDABLE = re.compile(r"https?://[\x21-\x7e]+", re.IGNORECASE).fullmatch
"""Other bytes would break the request line, or smuggle a header into it."""


@dataclass(frozen=True, slots=True)
class ClientOptions:
    user_agent: str
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    home: frozenset[str] = frozenset()
    """Registered domains: the cookies above, and headers that look like secrets, go nowhere else. Empty: everywhere."""
    proxy: str | None = None
    proxies: tuple[str, ...] = ()
    """Further ones that a request may name. A proxy is the operator's choice: it may stand on a private address."""
    verify_tls: bool = True
    allow_private: bool = False
    timeout: float = 30.0
    stall: float = 15.0
    max_body: int = 16 * 2**20
    connections: int = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said; the body is decompressed."""

    url: str
    status: int
    headers: Mapping[str, str]
    """Lower-case names; repeated ones joined by a comma."""
    body: bytes
    wire_bytes: int
    started_at: float
    seconds: float
    request_headers: Mapping[str, str] | None = None
    """As they went over the wire."""
    rendered: bool = False
    """The body is the page as a browser drew it."""
    seen: Any = None
    """What a script saw of it there."""


def without_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """Those that may be sent to any host."""
    return {name: value for name, value in headers.items() if not _SECRET(name)}


class Client:
    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._headers = {
            "User-Agent": options.user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": ACCEPT_ENCODING,
            **options.headers,
        }
        self._public = {name: value for name, value in self._headers.items() if not _SECRET(name)}
        self._session: aiohttp.ClientSession | None = None

    def _open(self) -> aiohttp.ClientSession:
        # Made on first use: aiohttp binds a session to the running loop.
        if self._session is None or self._session.closed:
            options = self._options
            connector = guarded_connector(
                options.allow_private,
                proxies=[proxy for proxy in (options.proxy, *options.proxies) if proxy],
                limit=options.connections,
                limit_per_host=0,
                ssl=options.verify_tls,  # with the certificates that aiohttp has loaded already
                ttl_dns_cache=300,
            )
            jar = BoundedCookieJar()
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=jar,
                auto_decompress=False,
                skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
                timeout=aiohttp.ClientTimeout(
                    total=options.timeout or None, sock_connect=options.stall or None, sock_read=options.stall or None
                ),
                max_line_size=_MAX_HEADER,
                max_field_size=_MAX_HEADER,
            )
        return self._session

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        proxy: str | None = None,
        max_body: int | None = None,
        cut: bool = False,
    ) -> Answer:
        """One request, no redirect followed; raises FetchError. `cut`: of a body too large, its beginning will do."""
        try:
            if not _SENDABLE(url):
                raise FetchError(Cause.BAD_URL, "not an http or https URL in printable ASCII")
            check_url(url, self._options.allow_private)
            bound = _Bound(max_body or self._options.max_body, cut)
            own = self._headers if self._is_home(url) else self._public
            return await self._get(url, {**own, **(headers or {})}, proxy or self._options.proxy, bound)
        except FetchError:
            raise
        except (aiohttp.ClientError, OSError, ValueError, TimeoutError) as error:
            raise FetchError(_cause(error), _message(error)) from error

    async def submit(
        self, url: str, fields: Mapping[str, str], *, method: str = "post", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Sends a form as a browser would; no redirect followed."""
        try:
            check_url(url, self._options.allow_private)
            bound = _Bound(self._options.max_body, cut=False)
            sent = {**self._headers, **(headers or {})}
            if method == "get":
                return await self._get(f"{url.partition('?')[0]}?{urlencode(fields)}", sent, self._options.proxy, bound)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
            return await self._get(url, sent, self._options.proxy, bound, urlencode(fields).encode())
        except (aiohttp.ClientError, OSError, ValueError, TimeoutError) as error:
            raise FetchError(_cause(error), _message(error)) from error

    def set_cookies(self, url: str, cookies: Mapping[str, str]) -> None:
        """Cookies of a session that was begun elsewhere, for the site of a URL."""
        self._open().cookie_jar.update_cookies(cookies, URL(url, encoded=True).origin())

    def clear_cookies(self, url: str) -> None:
        """Forgets what the site of a URL has set."""
        host = URL(url, encoded=True).raw_host
        if host is not None:
            self._open().cookie_jar.clear_domain(host)

    async def _get(
        self, url: str, headers: dict[str, str], proxy: str | None, bound: _Bound, form: bytes | None = None
    ) -> Answer:
        started_at, clock = time.time(), time.monotonic()
        # encoded=True: the canonical URL goes out as it is, not requoted once more.
        async with self._open().request(
            "GET" if form is None else "POST",
            URL(url, encoded=True),
            data=form,
            headers=headers,
            proxy=proxy,
            allow_redirects=False,
            cookies=(self._options.cookies or None) if self._is_home(url) else None,
        ) as response:
            raw = await _read(response, bound)
            # All of them in their order: a server and a cache before it may each add a header of their own.
            coding = ",".join(response.headers.getall("Content-Encoding", ()))
            body = decompress(raw, coding, bound.size, cut=bound.cut) if coding and raw else raw
            return Answer(
                url=url,
                status=response.status,
                headers=_lower(response.raw_headers),
                body=body,
                wire_bytes=len(raw),
                started_at=started_at,
                seconds=time.monotonic() - clock,
                request_headers=response.request_info.headers,
            )

    def cookies(self, url: str) -> dict[str, str]:
        """What would be sent there: the job's own, and those that the site has set."""
        kept = self._open().cookie_jar.filter_cookies(URL(url, encoded=True))
        own = self._options.cookies if self._is_home(url) else {}
        return {**own, **{name: cookie.value for name, cookie in kept.items()}}

    def secrets(self, url: str) -> dict[str, str]:
        """The job's headers that go to the sites of the seeds alone, if this is one of them."""
        return (
            {name: value for name, value in self._options.headers.items() if _SECRET(name)}
            if self._is_home(url)
            else {}
        )

    def _is_home(self, url: str) -> bool:
        home = self._options.home
        return not home or registered_domain(urlsplit(url).hostname or "") in home

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


class _Bound(NamedTuple):
    size: int
    cut: bool


async def _read(response: aiohttp.ClientResponse, bound: _Bound) -> bytes:
    announced = response.content_length
    if announced is not None and announced > bound.size and not bound.cut:
        response.close()
        raise FetchError(Cause.TOO_LARGE, f"{announced} bytes announced, {bound.size} allowed")
    chunks: list[bytes] = []
    size = 0
    with _ended_with_connection(response):
        async for chunk in response.content.iter_any():
            chunks.append(chunk)
            size += len(chunk)
            if size > bound.size:
                response.close()  # not read to its end: the connection cannot be used again
                if bound.cut:
                    return b"".join(chunks)[: bound.size]
                raise FetchError(Cause.TOO_LARGE, f"more than {bound.size} bytes")
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


@contextmanager
def _ended_with_connection(response: aiohttp.ClientResponse) -> Iterator[None]:
    """A body whose framing breaks after its head has come: aiohttp ends the connection and tells the reader nothing.

    Seen with aiohttp 3.14.5 and a bad chunk size: the reader waited till the timeout.
    """
    content, connection = response.content, response.connection
    if connection is None or connection.protocol is None or content.is_eof():
        yield
        return

    def end(_: object = None) -> None:
        if not content.is_eof() and content.exception() is None:
            content.set_exception(FetchError(Cause.PROTOCOL, "the framing of the body is broken"))

    closed = connection.protocol.closed
    if closed is None:  # it is over already
        end()
        yield
        return
    closed.add_done_callback(end)
    try:
        yield
    finally:
        closed.remove_done_callback(end)  # the connection may serve thousands more


def _lower(raw_headers: tuple[tuple[bytes, bytes], ...]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw_headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("utf-8", "replace")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]


# aiohttp tells these from other broken answers by their message alone.
_HEADERS_WITHOUT_END = re.compile("Got more than|Too many headers").match

# The order counts: the first class that fits names the cause.
_CAUSES: tuple[tuple[type[BaseException], Cause], ...] = (
    (AddressRefused, Cause.ADDRESS),
    (aiohttp.SocketTimeoutError, Cause.STALLED),
    (TimeoutError, Cause.TIMEOUT),
    (aiohttp.InvalidURL, Cause.BAD_URL),
    (aiohttp.ClientProxyConnectionError, Cause.PROXY),
    (aiohttp.ClientHttpProxyError, Cause.PROXY),
    (aiohttp.ClientSSLError, Cause.TLS),
    (ssl.SSLError, Cause.TLS),
    (aiohttp.ClientConnectorDNSError, Cause.DNS),
    (ConnectionRefusedError, Cause.REFUSED),
    (aiohttp.ClientConnectorError, Cause.UNREACHABLE),
    (aiohttp.ClientPayloadError, Cause.TRUNCATED),
    (aiohttp.ClientResponseError, Cause.PROTOCOL),
    (aiohttp.ServerDisconnectedError, Cause.RESET),
    (aiohttp.ClientError, Cause.RESET),
    (OSError, Cause.RESET),
    (ValueError, Cause.PROTOCOL),
)


def _cause(error: BaseException) -> Cause:
    if isinstance(error, aiohttp.ClientResponseError) and _HEADERS_WITHOUT_END(error.message):
        return Cause.TOO_LARGE
    inner = getattr(error, "os_error", None) or error.__cause__
    for kind, cause in _CAUSES:
        if isinstance(error, kind) or (
            inner is not None and kind in (AddressRefused, ConnectionRefusedError) and isinstance(inner, kind)
        ):
            return cause
    return Cause.INTERNAL

"""Statuses, what they ask of a client, robots rules and what pages say to robots."""

from __future__ import annotations

import time
from email.utils import formatdate

from tests.sites.hostile.expected import Expected, answered, failed, ok, page, skipped
from tests.sites.hostile.traps import html
from tests.sites.hostile.wire import Client


def _always(status: int) -> None:
    @page(f"/status/{status}", answered(status))
    async def always(client: Client) -> None:
        await client.send(html(f"Status {status}", [], f"This page answers {status}, always."), status)


for _status in (400, 403, 404, 410, 418, 451, 500, 502, 504):
    _always(_status)


@page("/status/401", answered(401))
async def unauthorised(client: Client) -> None:
    await client.send(html("Who are you?", []), 401, [("WWW-Authenticate", 'Basic realm="hostile"')])


@page("/status/999", answered(999, either=True, cause="protocol"))
async def invented(client: Client) -> None:
    await client.send(html("Invented", []), 999)


@page("/status/304", answered(304))
async def not_modified(client: Client) -> None:
    """To a question that had no condition."""
    await client.raw(b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n", 304)


@page("/status/206", ok(either=True, cause="truncated"))
async def partial(client: Client) -> None:
    """A part that nobody asked for."""
    await client.send("<html><body><p>Only a part", 206, [("Content-Range", "bytes 0-25/5000")])


@page("/status/soft-404", ok(contains="no such page"))
async def soft_404(client: Client) -> None:
    """Says 200, means 404."""
    await client.send(html("Not found", [], "Sorry, there is no such page here."))


@page("/status/103-first", ok(contains="nothing wrong"))
async def early_hints(client: Client) -> None:
    """Interim answers before the real one."""
    await client.raw(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", 200)
    await client.send(html("Fine", [], "There is nothing wrong with this page."))


async def _later(client: Client, status: int, refusals: int, retry_after: str) -> None:
    if client.count(client.path) < refusals:
        await client.send(html("Later", []), status, [("Retry-After", retry_after)])
    else:
        await client.send(html("Now", [], "It was worth the wait."))


@page("/later/503", ok(contains="worth the wait", retried=True))
async def later_503(client: Client) -> None:
    await _later(client, 503, 1, "1")


@page("/later/429-seconds", ok(contains="worth the wait", retried=True))
async def later_429(client: Client) -> None:
    await _later(client, 429, 1, "1")


@page("/later/429-date", ok(contains="worth the wait", retried=True))
async def later_429_date(client: Client) -> None:
    await _later(client, 429, 1, formatdate(time.time() + 2, usegmt=True))


@page("/later/503-nonsense", ok(contains="worth the wait", retried=True))
async def later_nonsense(client: Client) -> None:
    await _later(client, 503, 1, "soon, I promise")


@page("/later/503-year", answered(503))
async def later_year(client: Client) -> None:
    """Asks for a year of patience: no crawl should wait for it."""
    await client.send(html("Later", []), 503, [("Retry-After", "31536000")])


@page("/later/500-once", ok(contains="worth the wait", retried=True))
async def later_500(client: Client) -> None:
    await _later(client, 500, 1, "0")


@page("/forbidden/", skipped("robots", prefix=True))
async def forbidden(client: Client) -> None:
    """robots.txt forbids it: a request for it is a fault, and the log shows it."""
    await client.send(html("Forbidden", [], "You should not be here."))


@page("/forbidden/allowed", ok(contains="exception"))
async def allowed(client: Client) -> None:
    await client.send(html("Allowed", [], "An exception within the forbidden."))


@page("/follow/nofollow-links", ok(contains="Do not follow"))
async def nofollow_links(client: Client) -> None:
    body = '<html><body><p>Do not follow this: <a rel="nofollow" href="/follow/target-a">target</a></p></body></html>'
    await client.send(body)


@page("/follow/nofollow-meta", ok(contains="Do not follow"))
async def nofollow_meta(client: Client) -> None:
    head = '<html><head><meta name="robots" content="nofollow"></head>'
    await client.send(head + '<body><p>Do not follow this: <a href="/follow/target-b">target</a></p></body></html>')


@page("/follow/nofollow-header", ok(contains="Do not follow"))
async def nofollow_header(client: Client) -> None:
    body = '<html><body><p>Do not follow this: <a href="/follow/target-c">target</a></p></body></html>'
    await client.send(body, headers=[("X-Robots-Tag", "nofollow")])


async def _target(client: Client) -> None:
    await client.send(html("Target", [], "Somebody followed a link that said not to."))


for _name in "abc":
    page(f"/follow/target-{_name}", skipped("nofollow", listed=False))(_target)


@page("/follow/noindex", skipped("robots"))
async def noindex(client: Client) -> None:
    """May be fetched and followed, must not be kept."""
    head = '<html><head><meta name="robots" content="noindex"></head>'
    await client.send(head + '<body><p>Do not keep this.</p><a href="/ok">fine</a></body></html>')


# --- headers --------------------------------------------------------------------------------------------------------


@page("/headers/injected", ok(contains="nothing wrong", either=True, cause="protocol"))
async def injected(client: Client) -> None:
    """A bare CR within a value: not the start of another header."""
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=[("X-Note", "a\rX-Evil: b")])


@page("/headers/duplicate", ok(contains="nothing wrong"))
async def duplicate(client: Client) -> None:
    more = [("Content-Type", "text/plain"), ("X-Twice", "a"), ("X-Twice", "b"), ("ETag", '"a"'), ("ETag", '"b"')]
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=more)


@page("/headers/huge-cookie", ok(contains="nothing wrong", either=True, cause="too-large"))
async def huge_cookie(client: Client) -> None:
    cookie = ("Set-Cookie", "huge=" + "x" * 60_000)
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=[cookie])


@page("/headers/many-cookies", ok(contains="nothing wrong", either=True, cause="too-large"))
async def many_cookies(client: Client) -> None:
    cookies = [("Set-Cookie", f"c{number}=1; Path=/headers/") for number in range(1000)]
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=cookies)


@page("/headers/foreign-cookie", ok(contains="nothing wrong"))
async def foreign_cookie(client: Client) -> None:
    cookies = [("Set-Cookie", "evil=1; Domain=com"), ("Set-Cookie", "evil=2; Domain=example.org")]
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=cookies)


@page("/headers/non-ascii", ok(contains="nothing wrong"))
async def non_ascii(client: Client) -> None:
    more = [("X-Name", "Größe 日本"), ("Last-Modified", "yesterday, I think"), ("Date", "never")]
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=more)


@page("/headers/folded", ok(contains="nothing wrong", either=True, cause="protocol"))
async def folded(client: Client) -> None:
    """A header continued on the next line, as RFC 2616 allowed."""
    await client.send(html("Fine", [], "There is nothing wrong with this page."), headers=[("X-Long", "a\r\n b")])


# --- other hosts, each with a robots.txt of its own -----------------------------------------------------------------


def robots_host(status: int, body: bytes, content_type: str = "text/plain") -> object:
    """A small site of five pages behind one robots.txt."""

    async def answer(client: Client) -> None:
        if client.path == "/robots.txt":
            await client.send(body, status, content_type=content_type)
        elif client.path in ("/", "/a", "/b", "/c", "/d", "/secret/e"):
            text = f"This is page {client.path} of a small site."
            await client.send(html("Small", ["/a", "/b", "/c", "/d", "/secret/e"], text))
        else:
            await client.send(html("No", []), 404)

    return answer


async def robots_loop(client: Client) -> None:
    """A robots.txt that redirects to itself."""
    if client.path == "/robots.txt":
        await client.redirect("/robots.txt")
    else:
        await client.send(html("Small", ["/a", "/b"], f"This is page {client.path} of a small site."))


async def robots_stall(client: Client) -> None:
    """A robots.txt that never comes."""
    if client.path == "/robots.txt":
        await client.stall()
    else:
        await client.send(html("Small", ["/a", "/b"], f"This is page {client.path} of a small site."))


EXPECTED_HOSTS: dict[str, Expected] = {
    # RFC 9309, 2.3.1.4: a robots.txt that cannot be had for the server's fault forbids everything.
    "robots-500": skipped("robots"),
    # 2.3.1.3: one that is not there allows everything.
    "robots-404": ok(),
    # 2.5: at least the first 500 KiB count; the rule stands at the beginning, so /secret/ is forbidden.
    "robots-huge": ok(),
    # Lines that are no rules are passed over: everything is allowed.
    "robots-binary": ok(),
    # HTML instead of rules: everything is allowed.
    "robots-html": ok(),
    # One second between two requests.
    "robots-delay": ok(),
    # 2.3.1.2: after five redirects it may be taken as absent.
    "robots-loop": ok(either=True, cause="robots"),
    "robots-stall": failed("timeout", either=True),
}

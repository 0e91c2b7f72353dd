"""Redirects that lead nowhere, in circles, or where no crawler should go."""

from __future__ import annotations

from tests.sites.hostile.expected import Expected, answered, failed, ok, page, skipped
from tests.sites.hostile.traps import html
from tests.sites.hostile.wire import Client

_FORBIDDEN = {
    "/redirect/private-10": "http://10.0.0.1/",
    "/redirect/metadata": "http://169.254.169.254/latest/meta-data/",
    "/redirect/loopback-v6": "http://[::1]/",
    "/redirect/mapped-v6": "http://[::ffff:10.0.0.1]/",
    "/redirect/hex": "http://0x0a000001/",
    "/redirect/decimal": "http://167772161/",
    "/redirect/octal": "http://012.0.0.1/",
    "/redirect/zero": "http://0.0.0.0:1/",
    "/redirect/localhost": "http://localhost:1/",
    "/redirect/userinfo": "http://public.example@10.0.0.1/",
}
_OTHER_SCHEMES = {
    "/redirect/file": "file:///etc/passwd",
    "/redirect/data": "data:text/html,<h1>data</h1>",
    "/redirect/javascript": "javascript:alert(1)",
    "/redirect/ftp": "ftp://127.0.0.1/",
    "/redirect/gopher": "gopher://127.0.0.1:70/_x",
}
_UNUSABLE = {
    "/redirect/empty": "",
    "/redirect/bad-port": "http://127.0.0.1:99999/",
    "/redirect/bad-host": "http://[half/",
    "/redirect/no-host": "http:///nowhere",
    "/redirect/spaces": "http:// a b /",
}


def _to(path: str, location: str, expected: Expected) -> None:
    @page(path, expected)
    async def redirect(client: Client) -> None:
        await client.redirect(location)


for _path, _location in _FORBIDDEN.items():
    _to(_path, _location, failed("private-address"))
for _path, _location in _OTHER_SCHEMES.items():
    _to(_path, _location, failed("bad-scheme"))
for _path, _location in _UNUSABLE.items():
    _to(_path, _location, failed("bad-location"))

_to("/redirect/self", "/redirect/self", failed("redirect-loop"))
_to("/redirect/loop-a", "/redirect/loop-b", failed("redirect-loop"))
_to("/redirect/loop-b", "/redirect/loop-a", failed("redirect-loop"))
_to("/redirect/to-ok", "/ok", ok(contains="nothing wrong"))
_to("/redirect/to-404", "/status/404", answered(404))
_to("/redirect/to-forbidden", "/forbidden/page", skipped("robots"))
_to("/redirect/encoded-crlf", "/ok?x=%0d%0aSet-Cookie:%20evil=1", ok(contains="nothing wrong"))


@page("/redirect/chain/", failed("too-many-redirects", prefix=True))
async def chain(client: Client) -> None:
    """A thousand steps, each to a new address."""
    number = int(client.path.removeprefix("/redirect/chain/") or "0")
    if number >= 1000:
        await client.send(html("End of the chain", []))
    else:
        await client.redirect(f"/redirect/chain/{number + 1}")


@page("/redirect/short-chain", ok(contains="nothing wrong"))
async def short_chain(client: Client) -> None:
    """Five steps of different kinds, then a page."""
    step = int(client.query.get("n", "0"))
    if step < 5:
        await client.redirect(f"/redirect/short-chain?n={step + 1}", (301, 302, 303, 307, 308)[step])
    else:
        await client.redirect("/ok")


@page("/redirect/cookie", ok(contains="cookie came back"))
async def cookie(client: Client) -> None:
    """To itself, after setting a cookie: no loop for a client that keeps it."""
    if "visited=1" in client.headers.get("cookie", ""):
        await client.send(html("Cookie", [], "Your cookie came back, welcome."))
    else:
        await client.redirect("/redirect/cookie", headers=[("Set-Cookie", "visited=1; Path=/")])


@page("/redirect/cookie-never", failed("redirect-loop"))
async def cookie_never(client: Client) -> None:
    """To itself with ever new cookies: a loop after all."""
    await client.redirect("/redirect/cookie-never", headers=[("Set-Cookie", f"never={client.count('never')}; Path=/")])


@page("/redirect/no-location", failed("bad-location"))
async def no_location(client: Client) -> None:
    await client.send("", 302)


@page("/redirect/non-ascii", ok(contains="nothing wrong"))
async def non_ascii(client: Client) -> None:
    """Raw UTF-8 bytes in Location, as careless servers send."""
    await client.redirect("/seite/größe-日本")


@page("/seite/größe-日本", ok(contains="nothing wrong", listed=False))
async def non_ascii_target(client: Client) -> None:
    await client.send(html("Größe", [], "There is nothing wrong with this page."))


@page("/redirect/two-locations", ok(either=True, cause="bad-location"))
async def two_locations(client: Client) -> None:
    await client.send("", 302, [("Location", "/ok"), ("Location", "/status/404")])


@page("/redirect/refresh-loop-a", ok(contains="stay here"))
async def refresh_a(client: Client) -> None:
    """Two pages that refresh into each other; both have a text."""
    other = "/redirect/refresh-loop-" + ("a" if client.path.endswith("b") else "b")
    head = f'<html><head><meta http-equiv="refresh" content="0; url={other}"></head>'
    await client.send(head + "<body><p>Do stay here.</p></body></html>")


page("/redirect/refresh-loop-b", ok(contains="stay here"))(refresh_a)

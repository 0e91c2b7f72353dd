"""Spider traps: places without end."""

from __future__ import annotations

import random
from datetime import date, timedelta

from tests.sites.hostile.expected import page, trap
from tests.sites.hostile.wire import Client

_FILLER = "This page is one of a great many that say the same thing in the same words, and there is no last one. "


def html(title: str, links: list[str], text: str = _FILLER) -> str:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    body = f"<h1>{title}</h1><p>{text}</p><ul>{items}</ul>"
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"


@page("/trap/calendar/", trap(at_most=120))
async def calendar(client: Client) -> None:
    """A day for ever: each links to its neighbours, its month and its year, into all the future."""
    try:
        day = date.fromisoformat(client.path.removeprefix("/trap/calendar/").strip("/") or "2025-06-01")
    except ValueError:
        day = date(2025, 6, 1)
    links = [f"/trap/calendar/{day + timedelta(days=step)}/" for step in (-1, 1, 7, 30, 365)]
    await client.send(html(f"Events on {day}", links, "There are no events on this day."))


@page("/trap/counter", trap(at_most=120))
async def counter(client: Client) -> None:
    number = int(client.query.get("n", "0")[:12] or 0)
    links = [f"/trap/counter?n={number + 1}", f"/trap/counter?n={number + 2}"]
    await client.send(html(f"Number {number}", links, f"You have reached number {number}. {_FILLER}"))


@page("/trap/segments/", trap(at_most=60))
async def segments(client: Client) -> None:
    """A relative link without its slash: /a/b/a/b/a/b/..."""
    await client.send(html("Segments", ["a/b/", "c/"]))


@page("/trap/random/", trap(at_most=60))
async def random_links(client: Client) -> None:
    """Ever new addresses, always the same content."""
    rng = random.Random(client.path)
    links = [f"/trap/random/{rng.getrandbits(48):x}" for _ in range(20)]
    body = html("Same as ever", links).replace("<ul>", '<ul hidden="">')
    await client.send(body)


@page("/trap/query", trap(at_most=120))
async def query(client: Client) -> None:
    """One list under every combination of eight parameters."""
    names = ("sort", "order", "view", "page", "size", "colour", "sid", "ref")
    known = dict(client.query)
    links = []
    for name in names:
        for value in ("1", "2", "3"):
            variant = {**known, name: value}
            links.append("/trap/query?" + "&amp;".join(f"{key}={variant[key]}" for key in variant))
    await client.send(html("List", links))


@page("/trap/deep/", trap(at_most=60))
async def deep(client: Client) -> None:
    """Directories within directories."""
    depth = client.path.count("/") - 2
    await client.send(html(f"Level {depth}", [f"{client.path.rstrip('/')}/level{depth}/"], f"Level {depth}. {_FILLER}"))


@page("/trap/session/", trap(at_most=60))
async def session(client: Client) -> None:
    """A new session id in every link of every page."""
    number = client.count("session")
    links = [f"/trap/session/{name};jsessionid={number:08x}{rank}" for rank, name in enumerate("abc")]
    await client.send(html("Session", links))


@page("/trap/refresh", trap(at_most=30))
async def meta_refresh(client: Client) -> None:
    """A meta refresh that leads to itself under ever new names."""
    number = int(client.query.get("n", "0")[:12] or 0)
    await client.send(
        f'<html><head><meta http-equiv="refresh" content="0; url=/trap/refresh?n={number + 1}"></head></html>'
    )


@page("/trap/links", trap(at_most=1))
async def many_links(client: Client) -> None:
    """Thirty thousand links on one page; all of them lead to this page with a fragment."""
    links = "".join(f'<a href="/trap/links#{number}">{number}</a>\n' for number in range(30_000))
    await client.send(f"<html><head><title>Many links</title></head><body><p>{_FILLER}</p>{links}</body></html>")

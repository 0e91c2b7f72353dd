"""A site of 240 numbered pages, a tree with cross links: small, quick, and easy to check for what is missing."""

from __future__ import annotations

import asyncio

from aiohttp import web

from nephila.demo.kit.site import AppSite

PAGES = 240
LISTED = 100
_WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "spruce", "yew")


async def _page(request: web.Request) -> web.Response:
    number = int(request.match_info.get("number", "1"))
    if not 1 <= number <= PAGES:
        raise web.HTTPNotFound
    await asyncio.sleep(0.01)
    near = [2 * number, 2 * number + 1, number // 2 or 1, (number * 7) % PAGES + 1]
    links = "".join(f'<a href="/{_name(target)}">{target}</a>\n' for target in near if target <= PAGES)
    text = f"<p>Page {_name(number)}: {' '.join(_WORDS[(number >> shift) % 13] for shift in range(8))}.</p>"
    body = f"<!DOCTYPE html><html lang=en><head><title>{_name(number)}</title></head><body>{text}{links}</body></html>"
    return web.Response(text=body, content_type="text/html")


def _name(number: int) -> str:
    return f"{_WORDS[number % 13]}-{number}"


async def _list(_: web.Request) -> web.Response:
    """One page that names many of one shape, each with a text of its own."""
    links = "".join(f'<a href="/listed/{number}">{number}</a>\n' for number in range(LISTED))
    return web.Response(text=f"<html><body>{links}</body></html>", content_type="text/html")


async def _listed(request: web.Request) -> web.Response:
    number = int(request.match_info["number"])
    text = " ".join(_WORDS[(number >> shift) % 13] for shift in range(12))
    return web.Response(text=f"<html><body><p>{text}</p></body></html>", content_type="text/html")


def _build() -> web.Application:
    app = web.Application()
    app.add_routes(
        [
            web.get("/", _page),
            web.get(r"/{word:[a-z]+}-{number:\d+}", _page),
            web.get("/list", _list),
            web.get(r"/listed/{number:\d+}", _listed),
        ]
    )
    return app


SITE = AppSite("numbers", _build)


def addresses(root: str) -> set[str]:
    """Every page but the front, which is page 1 under another address."""
    return {f"{root}{_name(number)}" for number in range(1, PAGES + 1)}

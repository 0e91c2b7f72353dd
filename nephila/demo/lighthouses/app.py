"""The catalogue's addresses: one empty shell for the script's pages, JSON for the script, and a few plain pages."""

from __future__ import annotations

from aiohttp import web

from nephila.demo.kit import answers
from nephila.demo.kit.drawing import landscape
from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, json_script, paragraphs
from nephila.demo.lighthouses.content import LOG_BATCH, Leaf, leaves, log_entries


def build() -> web.Application:
    app = web.Application()
    app.add_routes(
        [
            web.get("/robots.txt", _robots),
            web.get("/static/lighthouses.{kind:css|js}", _asset),
            web.get("/picture/{name}.svg", _picture),
            web.get("/api/logbook", _log),
            web.get("/api/leaf", _leaf),
            web.get("/{rest:.*}", _page),
        ]
    )
    return app


async def _robots(_: web.Request) -> web.Response:
    return web.Response(text="User-agent: *\nAllow: /\n")


async def _asset(request: web.Request) -> web.Response:
    return answers.asset("nephila.demo.lighthouses", f"lighthouses.{request.match_info['kind']}")


async def _picture(request: web.Request) -> web.Response:
    return answers.svg(landscape(request.match_info["name"], 720, 300))


async def _leaf(request: web.Request) -> web.Response:
    """What the script draws: title, text and links of the page at `?path=`."""
    leaf = leaves().get(request.query.get("path", ""))
    if leaf is None or leaf.kind != "script":
        raise web.HTTPNotFound
    return web.json_response(_data(leaf))


async def _log(request: web.Request) -> web.Response:
    """The next entries of the logbook after `?after=`."""
    after = request.query.get("after", "0")
    start = min(int(after), 10_000) if after.isascii() and after.isdigit() else 0
    entries = log_entries()[start : start + LOG_BATCH]
    return web.json_response({"entries": entries, "more": start + LOG_BATCH < len(log_entries())})


async def _page(request: web.Request) -> web.Response:
    leaf = leaves().get(request.path)
    if leaf is None:
        return answers.page(_frame("Not found", "<h1>Not found</h1>"), status=404)
    if leaf.kind == "plain":
        text = _frame(leaf.title, f"<article><h1>{escape(leaf.title)}</h1>\n{paragraphs(leaf.paragraphs)}</article>")
    elif leaf.kind == "embedded":
        state = {"props": {"pageProps": {"leaf": _data(leaf)}}, "page": leaf.path, "buildId": "nocturne-1"}
        text = _shell(json_script(state, 'id="__NEXT_DATA__" type="application/json"'))
    else:
        text = _shell()
    return answers.conditional(request, answers.page(text))


def _data(leaf: Leaf) -> dict[str, object]:
    links = [{"path": path, "title": leaves()[path].title} for path in leaf.links]
    return {"path": leaf.path, "title": leaf.title, "paragraphs": leaf.paragraphs, "links": links}


def _shell(state: str = "") -> str:
    """The page before the script has run: it says nothing, and has no links into the catalogue."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(words_of("lighthouses")["name"])}</title><link rel="stylesheet" href="/static/lighthouses.css"></head>
<body><div id="root"></div><noscript>This catalogue needs JavaScript.</noscript>
{state}<script src="/static/lighthouses.js" defer></script></body></html>
"""


def _frame(title: str, main: str) -> str:
    words = words_of("lighthouses")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} | {escape(words["name"])}</title><link rel="stylesheet" href="/static/lighthouses.css"></head>
<body><header><a class="brand" href="/">{escape(words["name"])}</a>
<nav><a href="/logbook">Logbook</a> <a href="/almanac">Almanac</a> <a href="/about">About</a> <a href="/visit">Visit</a>
<a href="/colophon">Colophon</a></nav></header>
<main>{main}</main><footer>{escape(words["motto"])}</footer></body></html>
"""

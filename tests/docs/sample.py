"""The site behind the addresses of the documentation's examples: small, so that every example is over in a moment."""

from __future__ import annotations

from aiohttp import web

from nephila.demo.kit import answers
from nephila.demo.kit.site import AppSite

_STORIES = {
    "/news/2025/06/30/ferry": ("The ferry sails again", "Isla Pemberton", "The night ferry will sail from July."),
    "/news/2025/06/29/harbour": ("Harbour wall is whole", "Tomas Lund", "The last stone was set on Sunday."),
    "/blog/tides": ("On tides", "Isla Pemberton", "Twice a day the water comes and goes."),
    "/blog/knots": ("On knots", "Tomas Lund", "A good knot holds, and lets go when it should."),
    "/blog/maps": ("On maps", "Isla Pemberton", "Every map leaves something out."),
}
_LISTS = {"/": "Example", "/news/": "News", "/blog/": "Blog"}
_FRAME = """<!doctype html><html lang="en"><head><title>{title}</title>{head}</head>
<body><nav><a href="/">Home</a> <a href="/news/">News</a> <a href="/blog/">Blog</a> <a href="/private/">Staff</a>
<a href="/old">Old page</a> <a href="/report.pdf">Report</a></nav><main>{body}</main></body></html>"""


def build() -> web.Application:
    app = web.Application()
    app.add_routes([web.get("/robots.txt", _robots), web.get("/report.pdf", _report), web.get("/{path:.*}", _page)])
    return app


async def _robots(_: web.Request) -> web.Response:
    return web.Response(text="User-agent: *\nDisallow: /private/\n")


async def _report(_: web.Request) -> web.Response:
    return web.Response(body=b"%PDF-1.7\n", content_type="application/pdf")


async def _page(request: web.Request) -> web.Response:
    path = request.path
    if path in _STORIES:
        title, author, text = _STORIES[path]
        head = f'<meta name="author" content="{author}">'
        shown = _FRAME.format(title=title, head=head, body=f"<h1>{title}</h1><p>{text}</p>")
    elif path in _LISTS:
        links = "".join(f'<li><a href="{url}">{facts[0]}</a></li>' for url, facts in _STORIES.items() if url > path)
        shown = _FRAME.format(title=_LISTS[path], head="", body=f"<h1>{_LISTS[path]}</h1><ul>{links}</ul>")
    else:
        return answers.page(_FRAME.format(title="Not found", head="", body="<h1>Not found</h1>"), status=404)
    return answers.conditional(request, answers.page(shown))


SITE = AppSite("example", build)

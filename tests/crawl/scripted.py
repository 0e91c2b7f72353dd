"""A site whose pages a script makes, with plain ones beside them that run a script for nothing."""

from __future__ import annotations

from aiohttp import web

from nephila.demo.kit.site import AppSite

PAGES = 60
PLAIN = 40
_WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "spruce", "yew")

_SHELL = """<!DOCTYPE html><html lang=en><head><title>Loading</title></head><body><div id=root></div>
<script src="/app.js" defer></script></body></html>"""
_APP = """
(async () => {
  const page = await (await fetch("/api" + location.pathname)).json();
  document.title = page.title;
  const main = document.createElement("main");
  main.innerHTML = `<h1>${page.title}</h1>` + page.texts.map((t) => `<p>${t}</p>`).join("");
  for (const href of page.links) main.innerHTML += `<a href="${href}">${href}</a> `;
  document.getElementById("root").append(main);
})();
"""


def texts(number: int) -> list[str]:
    return [
        f"Paragraph {part} of {number}: " + " ".join(_WORDS[(number * 7 + part * 3 + at * at) % 13] for at in range(30))
        for part in range(3)
    ]


def _data(number: int) -> dict[str, object]:
    near = [2 * number, 2 * number + 1, (number * 7) % PAGES + 1]
    links = [f"/made/{target}" for target in near if 1 <= target <= PAGES]
    if number <= 2:
        links += [f"/plain/{target}" for target in range(1, PLAIN + 1)]
    return {"title": f"Made {number}", "texts": texts(number), "links": links}


async def _api(request: web.Request) -> web.Response:
    return web.json_response(_data(int(request.match_info.get("number", "1"))))


async def _shell(_: web.Request) -> web.Response:
    return web.Response(text=_SHELL, content_type="text/html")


async def _app(_: web.Request) -> web.Response:
    return web.Response(text=_APP, content_type="text/javascript")


async def _plain(request: web.Request) -> web.Response:
    number = int(request.match_info["number"])
    body = "".join(f"<p>{text}</p>" for text in texts(1000 + number))
    counter = "<script>window.counted = (window.counted || 0) + 1</script>"
    html = f"<!DOCTYPE html><html><head><title>Plain {number}</title>{counter}</head><body>{body}</body></html>"
    return web.Response(text=html, content_type="text/html")


def _build() -> web.Application:
    app = web.Application()
    app.add_routes(
        [
            web.get("/app.js", _app),
            web.get("/api/", _api),
            web.get(r"/api/made/{number:\d+}", _api),
            web.get("/", _shell),
            web.get(r"/made/{number:\d+}", _shell),
            web.get(r"/plain/{number:\d+}", _plain),
        ]
    )
    return app


SITE = AppSite("scripted", _build)


def addresses(root: str) -> set[str]:
    made = {f"{root}made/{number}" for number in range(1, PAGES + 1)}
    return made | {f"{root}plain/{number}" for number in range(1, PLAIN + 1)} | {root}

"""Pages that try to hang a browser, leave it, or fill the disk; and one that loads what a reader only sees later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

_HEAD = "<!DOCTYPE html><title>{name}</title><p>Words of {name}.</p>"
PAGES = {
    "endless-loop": "<script>while (true) {}</script>",
    "late-loop": "<script>setTimeout(() => { while (true) {} }, 20)</script>",
    "dialogs": "<script>for (let i = 0; i < 5; i++) { alert(i); confirm(i); prompt(i) }</script>"
    "<p>After the dialogs.</p>",
    "pop-ups": "<script>for (let i = 0; i < 20; i++) window.open('/plain?' + i)</script>"
    "<a id=a target=_blank href=/plain>x</a><script>a.click(); a.click()</script><p>After the pop-ups.</p>",
    "before-unload": "<script>onbeforeunload = (e) => { e.preventDefault(); return 'stay' }</script>",
    "script-redirects": "<script>location.href = '/script-redirects?' + Math.random()</script>",
    "reloads": "<script>location.reload()</script>",
    "refresh": "<meta http-equiv=refresh content='0;url=/refresh?again'>",
    "download": "<script>location.href = '/file.bin'</script><p>After the download.</p>",
    "worker": "<script>navigator.serviceWorker && navigator.serviceWorker.register('/worker.js')"
    ".then(() => document.title = 'registered', () => {})</script>",
    "frames": "<script>const f = () => { const i = document.createElement('iframe');"
    "i.src = '/frames?' + Math.random(); document.body.append(i) }; for (let i = 0; i < 5; i++) f()</script>",
    "huge": "<script>document.body.append('x'.repeat(3e6)); </script>",
    "many": "<script>const d = document.createDocumentFragment(); for (let i = 0; i < 200000; i++)"
    "d.append(document.createElement('i')); document.body.append(d)</script>",
    "ticker": "<p id=t></p><script>setInterval(() => t.textContent = Math.random(), 20)</script>",
    "blocked": "<script src=/never></script><p>After the script that never came.</p>",
    "long-poll": "<script>fetch('/never'); </script>",
    "slow-data": "<main id=m></main><script>fetch('/slow').then((a) => a.text())"
    ".then((t) => m.textContent = t)</script>",
    "chained": "<main id=m></main><script>const s = document.createElement('script'); s.src = '/slow.js';"
    "document.head.append(s)</script>",
    "shadow": "<my-box><p>Slotted words.</p></my-box>"
    "<script>customElements.define('my-box', class extends HTMLElement {"
    "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<h2>Shadow words.</h2><slot></slot>' } })"
    "</script>",
    "lazy": "<div style='height: 4000px'></div><div id=end></div><script>let n = 0; new IntersectionObserver((e) => {"
    "if (e.some((x) => x.isIntersecting) && n < 3) { const p = document.createElement('div'); "
    "p.style.height = '3000px'; p.textContent = 'Batch ' + ++n; end.before(p) } },"
    "{rootMargin: '10px'}).observe(end)</script>",
    "more": "<main id=m></main><button onclick='m.append(Object.assign(document.createElement(`p`),"
    "{textContent: `Item ` + (m.childElementCount + 1)}))'>Load more</button>",
    "late": "<main></main><script>setTimeout(() => { document.querySelector('main').innerHTML ="
    "'<b id=price>' + 6 * 2 + ' crowns</b>' }, 4000)</script>"
    + "<p>Enough words to be taken for a whole page. </p>"
    * 8,
    "cookie": "<p id=c></p><script>c.textContent = document.cookie</script>",
    "overrides": "<script>String.prototype.slice = () => { throw 1 }; Promise.prototype.then = () => {};"
    "JSON.stringify = () => 'no'; document.querySelector = null; performance.now = () => 0;"
    "MutationObserver = null</script><p>Still read.</p>",
    "microtasks": "<script>const on = () => Promise.resolve().then(on); setTimeout(on, 20)</script>",
    "workers": "<script>const loop = URL.createObjectURL(new Blob(['while (true) {}']));"
    "for (let i = 0; i < 3; i++) new Worker(loop)</script><p>After the workers.</p>",
    "blob": "<script>const a = document.createElement('a'); a.download = 'big.bin';"
    "a.href = URL.createObjectURL(new Blob([new Uint8Array(3e7)])); a.click(); a.click()</script>",
    "storage": "<script>try { for (let i = 0; i < 100; i++) localStorage.setItem('k' + i, 'x'.repeat(1e6)) }"
    "catch (e) { document.body.append('Storage is full.') }</script>",
    "prints": "<script>print(); onload = () => print(); stop()</script>",
    "asks": "<script>navigator.geolocation.getCurrentPosition(() => 0); Notification.requestPermission();"
    "navigator.mediaDevices && navigator.mediaDevices.getUserMedia({audio: true}).catch(() => 0)</script>",
    "memory": "<script>const a = []; setInterval(() => { for (let i = 0; i < 50; i++)"
    "a.push(new Array(1e6).fill(i)) }, 1)</script>",
}


async def _page(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    return web.Response(text=_HEAD.format(name=name) + PAGES.get(name, ""), content_type="text/html")


async def _never(_: web.Request) -> web.Response:
    await asyncio.sleep(60)
    return web.Response(text="")


async def _slow(_: web.Request) -> web.Response:
    await asyncio.sleep(0.7)
    return web.Response(text="Words that came late, and they are long enough to be read with some patience.")


async def _slow_script(_: web.Request) -> web.Response:
    await asyncio.sleep(0.7)
    text = "fetch('/slow').then((a) => a.text()).then((t) => document.getElementById('m').textContent = t)"
    return web.Response(text=text, content_type="text/javascript")


async def _circle(request: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": f"/circle?{int(request.query_string or 0) + 1}"})


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    while True:
        await response.write(b"<p>and on</p>" * 100)
        await asyncio.sleep(0.01)


async def _password(_: web.Request) -> web.Response:
    headers = {"WWW-Authenticate": 'Basic realm="a dialog"'}
    return web.Response(status=401, text="<p>Words of the locked.</p>", content_type="text/html", headers=headers)


async def _file(_: web.Request) -> web.Response:
    headers = {"Content-Disposition": "attachment; filename=file.bin"}
    return web.Response(body=bytes(50_000_000), content_type="application/octet-stream", headers=headers)


@asynccontextmanager
async def nasty_site() -> AsyncIterator[tuple[str, list[str]]]:
    """Its root address, and the paths that were asked for."""
    asked: list[str] = []

    @web.middleware
    async def record(request: web.Request, handler: web.Handler) -> web.StreamResponse:  # type: ignore[name-defined]
        asked.append(request.path_qs)
        return await handler(request)  # type: ignore[no-any-return]

    app = web.Application(middlewares=[record])
    app.add_routes(
        [
            web.get("/never", _never),
            web.get("/slow", _slow),
            web.get("/slow.js", _slow_script),
            web.get("/circle", _circle),
            web.get("/endless", _endless),
            web.get("/file.bin", _file),
            web.get("/password", _password),
            web.get("/{name:.*}", _page),
        ]
    )
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/", asked
    finally:
        await runner.cleanup()

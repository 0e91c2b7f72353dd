"""No page can make the browser reach the network that it runs in, whatever it uses to ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw
from nephila.fetch.browser.options import Source
from nephila.fetch.browser.peer import is_own_process
from nephila.fetch.browser.proxy import GuardProxy, ProxyOptions, ProxyRefusal, _Request
from nephila.fetch.errors import Cause, FetchError
from tests.fetch.browser.nasty import nasty_site
from tests.fetch.test_guard import ScriptedResolver

_TRIES = """<!DOCTYPE html><p>A page of the public internet.</p>
<img src="{secret}image"><iframe src="{secret}frame"></iframe><script src="{secret}script.js"></script>
<link rel=stylesheet href="{secret}style.css"><link rel=prefetch href="{secret}prefetch">
<link rel=preconnect href="{secret}"><video src="{secret}video"></video><object data="{secret}object"></object>
<script>
const urls = ["{secret}", "{secret}".replace("127.0.0.1", "localhost"), "{secret}".replace("127.0.0.1", "127.1"),
  "{secret}".replace("127.0.0.1", "2130706433"), "{secret}".replace("127.0.0.1", "[::ffff:127.0.0.1]"),
  "{secret}".replace("127.0.0.1", "0.0.0.0"), "{secret}".replace("http", "https")];
for (const url of urls) {{
  fetch(url + "fetch", {{mode: "no-cors"}}).catch(() => 0);
  navigator.sendBeacon(url + "beacon", "x");
  new EventSource(url + "events");
  try {{ new WebSocket(url.replace("http", "ws") + "socket") }} catch (e) {{}}
  try {{ new Worker(url + "worker") }} catch (e) {{}}
  const request = new XMLHttpRequest(); request.open("POST", url + "post"); request.send("x");
}}
const turn = (kind) => ({{urls: "turn:127.0.0.1:{trap}?transport=" + kind, username: "a", credential: "b"}});
const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{trap}"}}, turn("udp"), turn("tcp")]}});
peer.createDataChannel("x"); peer.createOffer().then((o) => peer.setLocalDescription(o));
try {{ new WebTransport("https://127.0.0.1:{trap}/quic") }} catch (e) {{}}
new WebSocket("ws://127.0.0.1:{trap}/socket"); new WebSocket("wss://localhost:{trap}/socket");
setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<b id=all>All was tried.</b>"), 400);
</script>"""


class Trap(asyncio.DatagramProtocol):
    """A port that nobody may knock at, by TCP or UDP, whatever they then say."""

    def __init__(self) -> None:
        self.knocks: list[object] = []

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.knocks.append(data[:40])

    async def _knocked(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.knocks.append(writer.get_extra_info("peername"))
        writer.close()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._knocked, "127.0.0.1", 0)
        port: int = server.sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=("127.0.0.1", port))
        try:
            yield port
        finally:
            transport.close()
            server.close()


@pytest.mark.parametrize("images", [False, True])
def test_private_addresses_are_never_reached(images: bool) -> None:
    async def run() -> None:
        options, trap = BrowserOptions(images=images, media=images), Trap()
        async with nasty_site() as (secret, asked), trap.laid() as port, BrowserPool(options) as pool:
            body = _TRIES.format(secret=secret, trap=port).encode()
            rendered = await pool.render("http://public.example/", Draw(wait_for="#all", patience=30), Source(body))
            assert "All was tried." in rendered.html
            assert asked == []
            assert trap.knocks == []
            assert pool.proxy is not None
            assert pool.proxy.refused >= 10, "they came to the proxy, and no further"
            with pytest.raises(FetchError) as refusal:
                await pool.render(secret + "page")
            assert refusal.value.cause is Cause.ADDRESS
            assert asked == []

    asyncio.run(run())


def test_a_name_that_comes_to_mean_another_address_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the page's own name means an allowed address first, and loopback from then on."""
    asked: dict[str, list[str]] = {"127.0.0.1": [], "127.0.0.2": []}

    def site(address: str) -> web.Application:
        async def answer(request: web.Request) -> web.Response:
            asked[address].append(request.path)
            script = (
                "let n = 0; const on = () => ++n > 6 ? document.body.append('All was tried.') :"
                "fetch('/inside?' + n).then(on, on); setTimeout(on, 50)"
            )
            response = web.Response(text=f"<p>Rebinding.<script>{script}</script>", content_type="text/html")
            response.force_close()  # so that every request asks for the name again
            return response

        app = web.Application()
        app.router.add_get("/{name:.*}", answer)
        return app

    async def run() -> None:
        resolver = ScriptedResolver(["127.0.0.2"], ["127.0.0.2"], ["127.0.0.1"])
        monkeypatch.setattr("nephila.fetch.guard.DefaultResolver", lambda: resolver)
        monkeypatch.setattr("nephila.fetch.browser.names.KEPT_SECONDS", 0.0)
        runners = {address: web.AppRunner(site(address)) for address in asked}
        port = 0
        for address, runner in runners.items():
            await runner.setup()
            await web.TCPSite(runner, address, port).start()
            port = runner.addresses[0][1]
        async with BrowserPool(BrowserOptions(allow_private={"127.0.0.2"})) as pool:
            rendered = await pool.render(f"http://rebind.example:{port}/page")
            assert "All was tried." in rendered.html
            assert pool.proxy is not None
            assert pool.proxy.refused >= 3
        for runner in runners.values():
            await runner.cleanup()
        assert asked["127.0.0.2"][0] == "/page"
        assert asked["127.0.0.1"] == []

    asyncio.run(run())


def test_the_proxy_serves_none_but_our_own_processes_and_well_formed_requests() -> None:
    async def ask(port: int, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answer = await asyncio.wait_for(reader.read(200), 60)
        writer.close()
        return answer

    async def run() -> None:
        async with nasty_site() as (root, asked), GuardProxy(ProxyOptions(allow_private=True)) as proxy:
            host = root[7:-1].encode()
            assert b"200 OK" in await ask(proxy.port, b"GET %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (root.encode(), host))
            for bad in (
                b"GET / HTTP/1.1\r\n\r\n",
                b"GET ftp://example.org/ HTTP/1.1\r\n\r\n",
                b"CONNECT : HTTP/1.1\r\n\r\n",
                b"nonsense\r\n\r\n",
                b"POST %s HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" % root.encode(),
                b"POST %s HTTP/1.1\r\nContent-Length: -1\r\n\r\n" % root.encode(),
                b"GET http://[::1 HTTP/1.1\r\n\r\n",
            ):
                assert (await ask(proxy.port, bad)).startswith(b"HTTP/1.1 4"), bad
            assert len(asked) == 1

    asyncio.run(run())


_HEADERS = st.lists(
    st.sampled_from(
        [b"Host: a", b"Content-Length: 3", b"Content-Length: " + b"9" * 6000, b"Transfer-Encoding: x", b": "]
    )
    | st.binary(max_size=40),
    max_size=4,
)


@settings(deadline=None)
@given(st.sampled_from([b"GET", b"CONNECT", b"POST"]) | st.binary(max_size=8), st.text(max_size=60), _HEADERS)
def test_any_head_of_a_request_is_read_or_refused(method: bytes, target: str, headers: list[bytes]) -> None:
    for address in (target, f"http://{target}", f"http://host:1/{target}"):
        first = b"%s %s HTTP/1.1" % (method, address.encode())
        try:
            request = _Request.parse(b"\r\n".join([first, *headers]) + b"\r\n\r\n")
        except ProxyRefusal:
            continue
        assert request.host
        assert request.length >= 0
        assert request.rewritten(None).endswith(b"\r\n\r\n")


def test_the_kernel_tells_whose_connection_it_is() -> None:
    async def run() -> None:
        seen: list[bool] = []

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            peer, here = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
            seen.append(is_own_process(peer, here))
            seen.append(is_own_process((peer[0], 1), here))
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await reader.read()
        writer.close()
        server.close()
        assert seen == [True, False]

    asyncio.run(run())


def test_a_further_proxy_is_asked_with_its_password() -> None:
    heads: list[bytes] = []

    async def upstream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        body = b"<p>From beyond.</p>"
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()

    async def run() -> None:
        server = await asyncio.start_server(upstream, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with BrowserPool(BrowserOptions(proxy=f"http://me:s%20t@127.0.0.1:{port}")) as pool:
            rendered = await pool.render("http://public.example/page")
            assert "From beyond." in rendered.html
        server.close()
        assert heads[0].startswith(b"GET http://public.example/page HTTP/1.1")
        assert b"Proxy-Authorization: Basic bWU6cyB0" in heads[0]

    asyncio.run(run())

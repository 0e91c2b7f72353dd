"""The guard against real sockets: what it lets through, and that nothing private is ever dialled."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from asyncio.selector_events import BaseSelectorEventLoop
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address

import aiohttp
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.addresses import literal_addresses
from nephila.fetch.guard import AddressRefused, GuardedResolver, check_url, guarded_connector, is_public

PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"]
NOT_PUBLIC = [
    *(
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.5.5",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "255.255.255.255",
    ),
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
    *(
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "2606:4700::1111%eth0",
        "fc00::1",
        "fd12::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
    ),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::8.8.8.8", "2001:db8::1", "4000::1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "64:ff9b:1:7f00:0:100::"),
    *(
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2001:0:7f00:1::",
        "2606:4700::5efe:127.0.0.1",
        "2606:4700::200:5efe:10.0.0.1",
    ),
    *("", "localhost", "not an address"),
]

ipv4 = st.ip_addresses(v=4)
hidden_bits = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("ip", PUBLIC)
def test_public_addresses_pass(ip: str) -> None:
    assert is_public(ip)
    check_url(f"https://[{ip}]/" if ":" in ip else f"https://{ip}/")


@pytest.mark.parametrize("ip", NOT_PUBLIC)
def test_everything_else_is_refused(ip: str) -> None:
    assert not is_public(ip)


@given(ipv4, hidden_bits)
def test_an_embedded_ipv4_address_is_judged_wherever_it_hides(inner: IPv4Address, bits: int) -> None:
    value = int(inner)
    mapped, nat64 = IPv6Address(0xFFFF << 32 | value), IPv6Address(0x64FF9B << 96 | value)
    assert is_public(mapped) == is_public(nat64) == is_public(inner)
    tunnels = [
        IPv6Address(0x2002 << 112 | value << 80 | bits),  # 6to4
        IPv6Address(0x20010000 << 96 | value << 64 | bits),  # Teredo's server
        IPv6Address(0x20010000 << 96 | 0x08080808 << 64 | (bits & 0xFFFFFFFF) << 32 | (value ^ 0xFFFFFFFF)),  # client
        IPv6Address(0x26064700 << 96 | 0x5EFE << 32 | value),  # ISATAP
        IPv6Address(value),  # IPv4-compatible
    ]
    for tunnel in tunnels:
        assert is_public(inner) or not is_public(tunnel)


@given(st.ip_addresses())
def test_text_and_objects_are_judged_alike(ip: IPv4Address | IPv6Address) -> None:
    assert is_public(ip) == is_public(str(ip))
    assert not is_public(ip) or (ip.is_global and not ip.is_multicast)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0X7F.1", "0177.0.0.1", "017700000001", "127.0.0.1."),
        *("[::1]", "[::ffff:127.0.0.1]", "[fe80::1%25eth0]", "[64:ff9b::127.0.0.1]", "[::ffff:7f00:1]"),
        *("%31%32%37.0.0.1", "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1"),
        *("user:pw@127.0.0.1", "example.com@10.0.0.1", "010.0.0.1", "256.256.256.256", "1.2.3.4.5", "09.0.0.256", "0x"),
    ],
)
def test_literal_hosts_are_refused_in_any_spelling(host: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(f"http://{host}:8080/x")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http:///x",
        "not a url",
        "http://127.0.0.1\\@example.com/",
        "http://[::1",
        "http://[::1]]%@/",
        "http://127.0.0.1%20x/",
        "file:///etc/x",
    ],
)
def test_a_url_without_a_readable_host_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(url)


@pytest.mark.parametrize(
    "host", ["example.com", "localhost", "1and1.com", "4chan.org", "münchen.de", "0x7f.example", "a.b.c.0d"]
)
def test_names_are_left_to_the_resolver(host: str) -> None:
    check_url(f"http://{host}/")


@given(ipv4)
def test_every_spelling_means_the_address_itself(ip: IPv4Address) -> None:
    a, b, c, d = ip.packed
    for spelling in (
        str(ip),
        str(int(ip)),
        hex(int(ip)),
        f"0{int(ip):o}",
        f"{a}.{b}.{c << 8 | d}",
        f"0{a:o}.0x{b:x}.{c}.{d}",
    ):
        assert ip in (literal_addresses(spelling) or [])


@given(st.text(max_size=40))
def test_any_host_text_is_judged_without_another_error(host: str) -> None:
    with contextlib.suppress(AddressRefused):
        check_url(f"http://{host}/")


def test_a_permit_opens_networks_addresses_and_nothing_else() -> None:
    check_url("http://127.0.0.1/", allow_private=True)
    allowed = {"10.0.0.0/8", "::1", "intranet.example"}
    check_url("http://10.9.8.7/", allowed)
    check_url("http://[::ffff:10.9.8.7]/", allowed)
    check_url("http://[::1]/", allowed)
    for url in ("http://127.0.0.1/", "http://192.168.1.1/", "http://[::2]/"):
        with pytest.raises(AddressRefused):
            check_url(url, allowed)


# --- against a real server on loopback -------------------------------------------------------------------------------


class ScriptedResolver(AbstractResolver):
    """Gives each lookup the next answer; the last one stays."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            ResolveResult(
                hostname=host,
                host=ip,
                port=port,
                family=socket.AF_INET6 if ":" in ip else socket.AF_INET,
                proto=0,
                flags=0,
            )
            for ip in answer
        ]

    async def close(self) -> None:
        pass


def with_server(visit: Callable[[int, list[str]], Awaitable[None]]) -> list[str]:
    """Runs `visit(port, hits)` beside a server on loopback; gives the paths that reached the server."""
    hits: list[str] = []

    async def serve(request: web.Request) -> web.Response:
        hits.append(request.path)
        if request.path == "/away":
            raise web.HTTPFound(f"http://127.0.0.1:{request.url.port}/secret")
        return web.Response(text="inside")

    async def main() -> None:
        app = web.Application()
        app.router.add_route("*", "/{tail:.*}", serve)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            await visit(runner.addresses[0][1], hits)
        finally:
            await runner.cleanup()

    asyncio.run(main())
    return hits


async def refused_by(session: aiohttp.ClientSession, url: str) -> AddressRefused:
    with pytest.raises(aiohttp.ClientConnectorError) as failure:
        await session.get(url, timeout=aiohttp.ClientTimeout(total=5))
    assert isinstance(failure.value.os_error, AddressRefused)
    return failure.value.os_error


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "[::ffff:127.0.0.1]", "0x7f.1"])
def test_loopback_is_never_reached_by_any_name(host: str) -> None:
    """The system's resolver knows more spellings than aiodns does (`0x7f.1`): it is the harder case."""

    async def visit(port: int, hits: list[str]) -> None:
        async with aiohttp.ClientSession(connector=guarded_connector(resolver=ThreadedResolver())) as session:
            assert (await refused_by(session, f"http://{host}:{port}/")).host

    assert with_server(visit) == []


def test_the_default_resolver_is_guarded_too() -> None:
    async def visit(port: int, hits: list[str]) -> None:
        async with aiohttp.ClientSession(connector=guarded_connector()) as session:
            assert "127.0.0.1" in (await refused_by(session, f"http://localhost:{port}/")).addresses

    assert with_server(visit) == []


@pytest.mark.parametrize("allow", [True, {"127.0.0.0/8"}, {"localhost"}])
def test_loopback_is_reached_when_permitted(allow: bool | set[str]) -> None:
    async def visit(port: int, hits: list[str]) -> None:
        async with (
            aiohttp.ClientSession(connector=guarded_connector(allow)) as session,
            session.get(f"http://localhost:{port}/yes") as response,
        ):
            assert await response.text() == "inside"

    assert with_server(visit) == ["/yes"]


def test_a_permitted_name_opens_no_other_name() -> None:
    async def visit(port: int, hits: list[str]) -> None:
        connector = guarded_connector({"good.example"}, resolver=ScriptedResolver(["127.0.0.1"]))
        async with aiohttp.ClientSession(connector=connector) as session:
            async with session.get(f"http://good.example:{port}/good") as response:
                assert response.status == 200
            await refused_by(session, f"http://evil.example:{port}/evil")

    assert with_server(visit) == ["/good"]


def test_a_name_that_changes_its_answer_gains_nothing() -> None:
    """DNS rebinding: public at the first look, loopback at every later one."""

    async def visit(port: int, hits: list[str]) -> None:
        rebinding = ScriptedResolver(["192.0.2.1", "8.8.8.8"], ["127.0.0.1"])
        guard = GuardedResolver(inner=rebinding)
        assert [result["host"] for result in await guard.resolve("evil.example", port)] == ["8.8.8.8"]
        assert rebinding.asked == 1
        for _ in range(3):
            with pytest.raises(AddressRefused) as refused:
                await guard.resolve("evil.example", port)
            assert refused.value.addresses == ("127.0.0.1",)
        for cached in (True, False):
            connector = guarded_connector(resolver=ScriptedResolver(["127.0.0.1"]), use_dns_cache=cached)
            async with aiohttp.ClientSession(connector=connector) as session:
                await refused_by(session, f"http://evil.example:{port}/")

    assert with_server(visit) == []


def test_the_socket_gate_holds_where_the_resolver_was_fooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an address's way past the resolver (a literal host, a poisoned cache), it is judged when dialled."""
    dialled: list[tuple[str, int]] = []

    async def dial(loop: object, sock: socket.socket, address: tuple[str, int]) -> None:
        dialled.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(BaseSelectorEventLoop, "sock_connect", dial)

    async def visit(port: int, hits: list[str]) -> None:
        connector = guarded_connector()

        async def fooled(host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
            return await ScriptedResolver(["127.0.0.1", "::1", "10.0.0.1", "1.1.1.1"]).resolve(host, port)

        connector._guard.resolve = fooled  # type: ignore[method-assign]
        async with aiohttp.ClientSession(connector=connector) as session:
            with pytest.raises(aiohttp.ClientConnectorError):
                await session.get(f"http://evil.example:{port}/")

    assert with_server(visit) == []
    assert set(dialled) == {("1.1.1.1", dialled[0][1])}


def test_of_a_mixed_answer_only_the_public_part_is_handed_on() -> None:
    async def main() -> None:
        guard = GuardedResolver(inner=ScriptedResolver(["10.0.0.1", "1.1.1.1", "fe80::1%eth0", "::1"]))
        assert [result["host"] for result in await guard.resolve("mixed.example")] == ["1.1.1.1"]

    asyncio.run(main())


def test_a_redirect_to_an_inside_address_is_stopped_by_the_check_of_the_hop() -> None:
    async def visit(port: int, hits: list[str]) -> None:
        resolver = ScriptedResolver(["127.0.0.1"])
        async with aiohttp.ClientSession(connector=guarded_connector({"start.example"}, resolver=resolver)) as session:
            async with session.get(f"http://start.example:{port}/away", allow_redirects=False) as response:
                target = response.headers["Location"]
            with pytest.raises(AddressRefused):
                check_url(target, {"start.example"})

    assert with_server(visit) == ["/away"]


def test_a_private_proxy_may_be_dialled_but_not_named_by_a_page() -> None:
    async def visit(port: int, hits: list[str]) -> None:
        proxy = f"http://127.0.0.1:{port}"
        connector = guarded_connector(proxies=[proxy], resolver=ScriptedResolver(["127.0.0.1"]))
        async with aiohttp.ClientSession(connector=connector) as session:
            async with session.get("http://example.com/through", proxy=proxy) as response:
                assert response.status == 200
            await refused_by(session, f"http://evil.example:{port}/")
        with pytest.raises(AddressRefused):
            check_url(proxy)

    assert with_server(visit) == ["/through"]


def test_closing_the_connector_closes_the_inner_resolver() -> None:
    closed: list[bool] = []

    class Inner(ScriptedResolver):
        async def close(self) -> None:
            closed.append(True)

    async def main() -> None:
        await guarded_connector(resolver=Inner(["1.1.1.1"])).close()

    asyncio.run(main())
    assert closed == [True]

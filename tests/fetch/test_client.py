"""The client against servers that misbehave: each failure has its cause, each bound holds."""

from __future__ import annotations

import asyncio
import gc
import gzip
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from nephila.fetch.client import Client, _ended_with_connection
from nephila.fetch.errors import Cause, FetchError
from tests.fetch.asking import cause_of, client, fetch, with_server
from tests.fetch.rawserver import Asked, answer
from tests.servers.ports import free_port
from tests.sites import Served, hostile

# --- the hostile site ------------------------------------------------------------------------------------------------

CAUSES = {
    "timeout": {Cause.STALLED, Cause.TIMEOUT},
    "reset": {Cause.RESET, Cause.TRUNCATED},
    "truncated": {Cause.TRUNCATED, Cause.BOMB},
    "protocol": {Cause.PROTOCOL},
    "too-large": {Cause.TOO_LARGE, Cause.BOMB},
    "bad-encoding": {Cause.ENCODING},
}
FAILING = {path: expected for path, expected in hostile.EXPECTED.items() if expected.cause in CAUSES}


def test_every_hostile_answer_has_its_cause(sites: Served) -> None:
    root = sites["hostile"].rstrip("/")

    async def outcome(made: Client, path: str) -> str:
        try:
            await made.get(root + path)
        except FetchError as error:
            return error.cause.name
        return "ok"

    async def main() -> dict[str, str]:
        # Patience where silence is not the point: a busy machine is silent now and then.
        async with client(timeout=2.0, stall=1.0) as hasty, client() as patient:
            clients = [hasty if expected.cause == "timeout" else patient for expected in FAILING.values()]
            found = await asyncio.gather(*map(outcome, clients, FAILING))
        return dict(zip(FAILING, found, strict=True))

    outcomes = asyncio.run(main())
    wrong = {
        path: outcomes[path]
        for path, expected in FAILING.items()
        if not expected.either  # those are free to come through, or to fail in a way of their own
        and outcomes[path] not in {cause.name for cause in CAUSES[str(expected.cause)]}
    }
    assert wrong == {}
    assert len(outcomes) > 25


def test_other_hostile_answers_come_through(sites: Served) -> None:
    root = sites["hostile"].rstrip("/")
    assert b"properly packed" in fetch(root + "/coding/gzip").body
    assert b"nothing wrong" in fetch(root + "/status/103-first").body
    assert fetch(root + "/kind/204").status == 204
    assert fetch(root + "/headers/duplicate").headers["x-twice"] == "a, b"
    assert "日本" in fetch(root + "/headers/non-ascii").headers["x-name"]
    assert fetch(root + "/redirect/to-ok").headers["location"] == "/ok"  # not followed


def test_a_bomb_costs_no_more_memory_than_the_bound(sites: Served) -> None:
    script = (
        "import asyncio, resource, sys\n"
        "from nephila.fetch.client import Client, ClientOptions\n"
        "from nephila.fetch.errors import FetchError\n"
        "async def main():\n"
        "    client = Client(ClientOptions('x', allow_private=True, max_body=8 * 2**20))\n"
        "    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    for path in sys.argv[2:]:\n"
        "        try: await client.get(sys.argv[1] + path)\n"
        "        except FetchError as error: print(error.cause.name)\n"
        "    await client.close()\n"
        "    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
        "asyncio.run(main())\n"
    )
    bombs = ["gzip", "gzip-members", "deflate", "brotli", "zstd", "nested"]
    command = [sys.executable, "-c", script, sites["hostile"], *(f"bomb/{bomb}" for bomb in bombs), "endless/body"]
    *causes, megabytes = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert len(causes) == 7
    assert set(causes) <= {"BOMB", "TOO_LARGE"}
    # The raw body, what it unpacks to and one joined copy of each: bombs of 10 GB.
    assert int(megabytes) < 64


# --- connections -----------------------------------------------------------------------------------------------------


def test_a_refused_connection() -> None:
    assert cause_of(f"http://127.0.0.1:{free_port()}/") is Cause.REFUSED


def test_a_name_that_does_not_exist() -> None:
    assert cause_of("http://no-such-host.invalid/") is Cause.DNS


def test_a_drip_ends_with_the_time_of_the_request_and_silence_with_the_stall() -> None:
    async def drip(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.05)

    async def silent(_: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(30)

    def visit(**patience: float) -> Callable[[str, list[Asked]], Awaitable[Cause]]:
        async def get(url: str, _: list[Asked]) -> Cause:
            async with client(**patience) as made:
                with pytest.raises(FetchError) as failure:
                    await made.get(url)
                return failure.value.cause

        return get

    assert with_server(drip, visit(timeout=2.0, stall=1.5)) is Cause.TIMEOUT
    assert with_server(silent, visit(timeout=20.0, stall=0.3)) is Cause.STALLED


@pytest.fixture(scope="session")
def self_signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tls") / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    try:
        subprocess.run([*command, "-keyout", str(place), "-out", f"{place}.crt"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed: no certificate to be refused")
    place.write_bytes(place.read_bytes() + Path(f"{place}.crt").read_bytes())
    return place


def test_a_self_signed_certificate_is_refused_unless_told_otherwise(self_signed: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed)

    async def visit(url: str, _: list[Asked]) -> tuple[Cause, int]:
        async with client() as strict, client(verify_tls=False) as lax:
            with pytest.raises(FetchError) as failure:
                await strict.get(url)
            return failure.value.cause, (await lax.get(url)).status

    assert with_server(answer(), visit, context) == (Cause.TLS, 200)


def test_https_asked_of_a_plain_server_is_a_tls_error() -> None:
    async def plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 No\r\n\r\n")

    async def main() -> Cause:
        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        async with client() as made:
            with pytest.raises(FetchError) as failure:
                await made.get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        server.close()
        return failure.value.cause

    assert asyncio.run(main()) is Cause.TLS


@pytest.mark.parametrize("at_once", [True, False])
def test_a_body_whose_framing_breaks_is_given_up_at_once_however_late_it_comes(*, at_once: bool) -> None:
    async def reply(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
        if not at_once:
            await writer.drain()
            await asyncio.sleep(0.2)  # the client has read the head, and waits for the body
        writer.write(b"10\r\n0123456789abcdef\r\nZZ\r\nbroken\r\n0\r\n\r\n")

    async def visit(url: str, _: list[Asked]) -> Cause:
        async with client() as made, asyncio.timeout(20):
            with pytest.raises(FetchError) as failure:
                await made.get(url)
            return failure.value.cause

    assert with_server(reply, visit) is Cause.PROTOCOL


class _Body:
    """Of a body, what the client asks it."""

    def __init__(self) -> None:
        self.told: BaseException | None = None

    def is_eof(self) -> bool:
        return False

    def exception(self) -> BaseException | None:
        return self.told

    def set_exception(self, told: BaseException) -> None:
        self.told = told


def test_a_body_whose_connection_is_over_before_it_is_read_is_broken() -> None:
    """aiohttp may have ended it in the same turn in which the head came; no server can be made to do so."""
    body = _Body()
    over: Any = SimpleNamespace(content=body, connection=SimpleNamespace(protocol=SimpleNamespace(closed=None)))
    with _ended_with_connection(over):
        assert isinstance(body.told, FetchError)


def test_a_connection_keeps_no_body_that_was_read() -> None:
    async def visit(url: str, _: list[Asked]) -> int:
        async with client() as made:
            for _turn in range(40):
                await made.get(url)
            gc.collect()
            return sum(isinstance(one, aiohttp.StreamReader) for one in gc.get_objects())

    async def reply(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.01)  # so that the client waits for the rest
        writer.write(b"hello")

    assert with_server(reply, visit) < 10


# --- addresses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
def test_a_private_address_is_refused_in_any_spelling_before_anything_is_sent(host: str) -> None:
    async def visit(url: str, asked: list[Asked]) -> list[Asked]:
        async with client(allow_private=False) as made:
            with pytest.raises(FetchError) as failure:
                await made.get(url.replace("127.0.0.1", host))
            assert failure.value.cause is Cause.ADDRESS
            assert not failure.value.may_pass
        return asked

    assert with_server(answer(), visit) == []


@pytest.mark.parametrize(
    "url", ["http://h/a b", "http://h/a\r\nX: y", "http://h/ü", "http://h/\x7f", "http://h/\0", "ftp://h/"]
)
def test_a_url_that_would_break_the_request_line_is_not_sent(url: str) -> None:
    async def visit(root: str, asked: list[Asked]) -> list[Asked]:
        async with client() as made:
            with pytest.raises(FetchError) as failure:
                await made.get(url.replace("http://h/", root))
            assert failure.value.cause is Cause.BAD_URL
        return asked

    assert with_server(answer(), visit) == []


# --- sizes -----------------------------------------------------------------------------------------------------------


def test_bodies_up_to_the_bound_pass_and_one_byte_more_does_not() -> None:
    async def visit(url: str, _: list[Asked]) -> None:
        async with client() as made:
            assert len((await made.get(url, max_body=1000)).body) == 1000
            with pytest.raises(FetchError) as failure:
                await made.get(url, max_body=999)
            assert failure.value.cause is Cause.TOO_LARGE
            assert (await made.get(url, max_body=30, cut=True)).body[:30].strip(b"x") == b""

    with_server(answer(200, b"x" * 1000), visit)
    unannounced = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" + b"x" * 1000 + b"\r\n0\r\n\r\n"
    with_server(unannounced, visit)
    with_server(answer(200, gzip.compress(b"x" * 1000), "Content-Encoding: gzip"), visit)


def test_codings_in_two_headers_are_both_undone() -> None:
    twice = answer(200, gzip.compress(gzip.compress(b"inside")), "Content-Encoding: gzip", "Content-Encoding: gzip")

    async def visit(url: str, _: list[Asked]) -> bytes:
        async with client() as made:
            return (await made.get(url)).body

    assert with_server(twice, visit) == b"inside"

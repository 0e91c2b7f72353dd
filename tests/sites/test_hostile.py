"""The hostile site does what EXPECTED says that it does."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from tests.sites import Served
from tests.sites.client import Reply, ask
from tests.sites.hostile import EXPECTED, EXPECTED_HOSTS
from tests.sites.hostile.expected import Expected, failed, page

LONG = 10.0
SETTLED = {path: expected for path, expected in EXPECTED.items() if expected.cause not in ("timeout", "too-large")}


def root(served: Served, path: str) -> str:
    return served["hostile"].rstrip("/") + path


def test_the_index_links_to_every_listed_path(served: Served) -> None:
    body = ask(served["hostile"], patience=LONG).body.decode()
    for path, expected in EXPECTED.items():
        assert (f'href="{path}"' in body) == expected.listed


@pytest.mark.parametrize("path", [path for path, e in SETTLED.items() if e.outcome in ("ok", "trap")])
def test_pages_that_should_be_read_answer_with_them(served: Served, path: str) -> None:
    reply = final(served, path)
    assert reply.status in (200, 206)
    contains = EXPECTED[path].contains
    if contains and "/charset/" not in path and not reply.header("Content-Encoding"):
        assert contains in reply.body.decode("utf-8", "replace").replace("\x00", "")


def final(served: Served, path: str) -> Reply:
    """The answer after redirects, cookies and a second try."""
    cookies: dict[str, str] = {}
    for _ in range(8):
        reply = ask(root(served, path), headers=cookies, limit=2**26, patience=LONG)
        if reply.header("Set-Cookie"):
            cookies = {"Cookie": str(reply.header("Set-Cookie")).split(";")[0]}
        if reply.status in (301, 302, 303, 307, 308):
            path = str(reply.header("Location"))
        elif reply.status not in (429, 500, 503):
            break
    return reply


@pytest.mark.parametrize("path", [path for path, e in EXPECTED.items() if e.outcome == "status" and "to-" not in path])
def test_statuses_are_what_they_say(served: Served, path: str) -> None:
    assert ask(root(served, path), patience=LONG).status == EXPECTED[path].status


@pytest.mark.parametrize("path", [path for path, e in EXPECTED.items() if e.cause == "timeout" and "drip" not in path])
def test_stalls_never_finish(served: Served, path: str) -> None:
    reply = ask(root(served, path))
    assert reply.ended == "silent"
    assert len(reply.raw) < 1000


@pytest.mark.parametrize("path", [path for path, e in EXPECTED.items() if e.cause == "reset"])
def test_connections_break(served: Served, path: str) -> None:
    reply = ask(root(served, path), patience=LONG)
    assert reply.ended == ("closed" if path == "/reset/closed" else "reset")
    assert len(reply.body) < 100_000


@pytest.mark.parametrize("path", [path for path in EXPECTED if path.startswith("/redirect/") and "refresh" not in path])
def test_redirects_redirect(served: Served, path: str) -> None:
    reply = ask(root(served, path), patience=LONG)
    assert reply.status in (301, 302)
    location = reply.header("Location")
    match EXPECTED[path].cause:
        case "private-address":
            assert location
            assert location.startswith("http://")
        case "bad-scheme":
            assert location
            assert not location.startswith(("http", "/"))
        case "redirect-loop" | "too-many-redirects":
            assert location
            assert location.startswith("/redirect/")


def test_truncated_bodies_end_early(served: Served) -> None:
    reply = ask(root(served, "/length/long"), patience=LONG)
    assert (reply.ended, reply.header("Content-Length")) == ("closed", "100000")
    assert len(reply.body) < 1000
    assert not ask(root(served, "/chunks/no-end"), patience=LONG).raw.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("path", ["/garbage/http09", "/garbage/bytes", "/garbage/ssh", "/garbage/status"])
def test_garbage_is_no_http(served: Served, path: str) -> None:
    assert ask(root(served, path), patience=LONG).status is None


@pytest.mark.parametrize("path", ["/endless/headers", "/endless/header-line", "/endless/body"])
def test_endless_answers_go_on_past_any_limit(served: Served, path: str) -> None:
    reply = ask(root(served, path), limit=12_000_000, patience=LONG)
    assert reply.ended == "enough"
    assert (b"\r\n\r\n" in reply.raw[:1000]) == (path == "/endless/body")


def gunzip() -> Callable[[bytes], bytes]:
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress


def gunzip_members() -> Callable[[bytes], bytes]:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def unpack(data: bytes) -> bytes:
        nonlocal unpacker
        out = b""
        while data:
            out += unpacker.decompress(data)
            data = unpacker.unused_data
            if unpacker.eof:
                unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return out

    return unpack


def nested() -> Callable[[bytes], bytes]:
    outer, inner = gunzip(), gunzip()
    return lambda data: inner(outer(data))


BOMBS = {
    "/bomb/gzip": gunzip,
    "/bomb/gzip-members": gunzip_members,
    "/bomb/deflate": lambda: zlib.decompressobj().decompress,
    "/bomb/brotli": lambda: brotli.Decompressor().process,
    "/bomb/zstd": lambda: zstandard.ZstdDecompressor().decompressobj().decompress,
    "/bomb/nested": nested,
}


@pytest.mark.parametrize("path", list(BOMBS))
def test_bombs_unpack_a_hundredfold_and_more(served: Served, path: str) -> None:
    """The whole is asked for, its first part unpacked, in small bites."""
    reply = ask(root(served, path), limit=2**24, patience=LONG)
    assert reply.ended == "closed"
    assert len(reply.body) < 12_000_000
    unpack, size, bite = BOMBS[path](), 0, 256 if path in ("/bomb/brotli", "/bomb/nested") else 8192
    for start in range(0, len(reply.body), bite):
        size += len(unpack(reply.body[start : start + bite]))
        if size > 40_000_000:
            break
    assert size > 40_000_000
    assert size > 100 * (start + bite) or path == "/bomb/gzip-members"


def test_later_pages_refuse_once_and_say_when_to_return(served: Served) -> None:
    with_date = [path for path in EXPECTED if path.startswith("/later/429")]
    for path in with_date:
        first, second = (ask(root(served, path), patience=LONG) for _ in range(2))
        # Another test may have been here before: then the page is already ready.
        assert first.status in (429, 200)
        assert first.status == 200 or first.header("Retry-After")
        assert second.status == 200


@pytest.mark.parametrize("host", list(EXPECTED_HOSTS))
def test_hosts_differ_in_their_robots_txt(served: Served, host: str) -> None:
    reply = ask(served[host] + "robots.txt", limit=2**23, patience=0.4 if host == "robots-stall" else LONG)
    expected = {"robots-500": 500, "robots-404": 404, "robots-loop": 302, "robots-stall": None}.get(host, 200)
    assert reply.status == expected
    assert ask(served[host] + "a", patience=LONG).status == 200
    if host == "robots-huge":
        assert len(reply.body) > 5_000_000


def test_a_client_that_sends_nonsense_does_no_harm(served: Served) -> None:
    for target in ("trap/counter?n=x", "trap/calendar/not-a-day/", "redirect/chain/x", "no/such/path"):
        ask(served["hostile"] + target, patience=LONG)
    assert ask(root(served, "/ok"), patience=LONG).status == 200


def test_an_unknown_cause_cannot_be_registered() -> None:
    with pytest.raises(ValueError, match="unknown cause"):
        page("/x", failed("bad luck"))
    assert isinstance(EXPECTED["/ok"], Expected)

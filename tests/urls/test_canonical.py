from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote_to_bytes, urlsplit

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from nephila.urls import MAX_LENGTH, canonical, canonicalize, resolve
from nephila.urls.canonical import _page, _parsed, _plain

HEX32 = "0123456789abcdef0123456789abcdef"
BASE = "http://x.org/d/p.html?q=1"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("https://example.org:00443/a", "https://example.org/a"),
        ("https://example.org:80/a", "https://example.org:80/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://example.org.:8080/a", "http://example.org:8080/a"),
        ("http://user:secret@example.org/a", "http://example.org/a"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a/./b", "http://example.org/a/b"),
        ("http://example.org/a/.", "http://example.org/a/"),
        ("http://example.org/a/%2E%2e/c", "http://example.org/c"),
        ("http://example.org/%7euser/%3f%2f", "http://example.org/~user/%3F%2F"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://example.org/a[1]|b", "http://example.org/a%5B1%5D%7Cb"),
        ("http://example.org/ü?ü=ß", "http://example.org/%C3%BC?%C3%BC=%C3%9F"),
        ("http://example.org/?", "http://example.org/"),
        ("http://example.org/a?#top", "http://example.org/a"),
        ("http://example.org/#!/route", "http://example.org/"),
        ("http://example.org/a//b/", "http://example.org/a//b/"),
        ("http://example.org/index.html", "http://example.org/index.html"),
        ("http://münchen.example/", "http://xn--mnchen-3ya.example/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://０x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0177.0.0.1:80/", "http://127.0.0.1/"),
        ("http://[::FFFF:1.2.3.4]:80/", "http://[::ffff:102:304]/"),
        (" \n http://exam\nple.org/a\tb \x00", "http://example.org/ab"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
        ("http://example.org/?b=2&a=1", "http://example.org/?b=2&a=1"),
        ("http://example.org/?q=a+b%20c", "http://example.org/?q=a+b%20c"),
        ("http://example.org/100%/%zz", "http://example.org/100%/%zz"),
        ("http://my_host.example.org/", "http://my_host.example.org/"),
    ],
)
def test_spellings_of_one_url_become_one(url: str, expected: str) -> None:
    assert canonicalize(url) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("", "http://x.org/d/p.html?q=1"),
        ("#top", "http://x.org/d/p.html?q=1"),
        ("?a=2", "http://x.org/d/p.html?a=2"),
        ("?", "http://x.org/d/p.html"),
        ("b.html", "http://x.org/d/b.html"),
        ("b:c", None),
        ("./b:c", "http://x.org/d/b:c"),
        ("../b", "http://x.org/b"),
        ("../../../b", "http://x.org/b"),
        (".", "http://x.org/d/"),
        ("/b", "http://x.org/b"),
        ("//Y.org/b", "http://y.org/b"),
        ("\\\\y.org\\b", "http://y.org/b"),
        ("http:b", "http://x.org/d/b"),
        ("https:b", "https://b/"),
        (" b.html\n", "http://x.org/d/b.html"),
        ("java\nscript:alert(1)", None),
        ("JavaScript:alert(1)", None),
        ("mailto:a@b.c", None),
        ("tel:+123", None),
        ("data:text/html,x", None),
        ("ftp://x.org/", None),
        ("http://", None),
        ("http://a b/", None),
        ("http://x.org:99999/", None),
        ("http://a..b/", None),
        ("http://.org/", None),
        ("http://" + "a" * 64 + ".org/", None),
        ("/" + "a" * MAX_LENGTH, None),
        ("/a#" + "b" * 10_000, "http://x.org/a"),
    ],
)
def test_links_are_read_as_browsers_read_them(href: str, expected: str | None) -> None:
    assert canonicalize(href, BASE) == expected
    assert resolve(BASE, [href]) == [expected]


def test_without_a_base_a_relative_link_is_no_url() -> None:
    assert canonicalize("/a") is None
    assert canonicalize("/a", "about:blank") is None
    assert resolve("about:blank", ["/a", "http://x.org"]) == [None, "http://x.org/"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?utm_source=a&id=1&UTM_Medium=b", "?id=1"),
        ("?%75tm_source=a", ""),
        ("?z=1&utm_id=2&a=3", "?z=1&a=3"),
        ("?fbclid=x&gclid=y", ""),
        (f"?t=1&sid={HEX32}", "?t=1"),
        (f"?t=1;sid={HEX32};u=2", "?t=1;u=2"),
        (f"?sid={HEX32};u=2", "?u=2"),
        (f"?a=1&amp;sid={HEX32}&amp;b=2", "?a=1&amp;b=2"),
        ("?sid=42", "?sid=42"),
        ("?sid=the-long-story-of-something", "?sid=the-long-story-of-something"),
        ("?sid=20261115123456789", "?sid=20261115123456789"),
        ("?s=search+words", "?s=search+words"),
        (f"?s={HEX32}&t=1", "?t=1"),
        ("?s=0123456789abcdef01", "?s=0123456789abcdef01"),
        ("?PHPSESSID=abc&a", "?a"),
        ("?ASPSESSIONIDQQSBRACT=ABCDEF", ""),
        ("?CFID=12&CFTOKEN=34&a=1", "?a=1"),
        ("?cfid=12&a=1", "?cfid=12&a=1"),
        ("?a=1&&b=2", "?a=1&&b=2"),
        ("?&utm_id=1", ""),
        ("?ref=x&source=y", "?ref=x&source=y"),
        ("?next=/a?sid=1", "?next=/a?sid=1"),
    ],
)
def test_only_what_names_the_visitor_leaves_the_query(query: str, expected: str) -> None:
    assert canonicalize(f"http://x.org/p{query}") == f"http://x.org/p{expected}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a;jsessionid=1A2B.node1?x=1", "/a?x=1"),
        ("/a;JSESSIONID=1A2B/b", "/a/b"),
        ("/a;v=1.1/b", "/a;v=1.1/b"),
        (f"/a;sid={HEX32}", "/a"),
        ("/a;sid=7", "/a;sid=7"),
        ("/a/..;jsessionid=1/b", "/b"),
    ],
)
def test_session_in_the_path_goes(path: str, expected: str) -> None:
    assert canonicalize(f"http://x.org{path}") == f"http://x.org{expected}"


def test_query_is_written_in_the_encoding_of_the_page() -> None:
    assert canonicalize("/ü?q=ü#ü", BASE, encoding="latin-1") == "http://x.org/%C3%BC?q=%FC"
    assert canonicalize("?q=中文", BASE, encoding="gbk") == "http://x.org/d/p.html?q=%D6%D0%CE%C4"
    assert canonicalize("?q=中", BASE, encoding="latin-1") == "http://x.org/d/p.html?q=%26%2320013%3B"
    assert canonicalize("?q=ü", BASE, encoding="utf-16") == "http://x.org/d/p.html?q=%C3%BC"
    assert canonicalize("?q=ü", BASE, encoding="no-such-encoding") == "http://x.org/d/p.html?q=%C3%BC"
    # The cache that pages share must not mix their encodings.
    assert resolve(BASE, ["/a?q=ü"], encoding="latin-1") == ["http://x.org/a?q=%FC"]
    assert resolve(BASE, ["/a?q=ü"]) == ["http://x.org/a?q=%C3%BC"]


def test_links_of_a_page_keep_their_order_and_their_origin() -> None:
    hrefs = ["/a", "b", "#c", "mailto:x@y.z", "https://z.org/", "/a"]
    expected = ["/a", "/d/b", "/d/p.html?q=1", None, "https://z.org/", "/a"]
    for origin in ("http://x.org", "https://x.org", "http://x.org:8080"):
        found = resolve(f"{origin}/d/p.html?q=1", hrefs)
        assert found == [url if url is None or "://" in url else origin + url for url in expected]


def test_fast_path_cannot_backtrack() -> None:
    # One quantifier that gives back what it took would make a hostile link cost the square of its length.
    repeated = re.findall(r"\][*+]\+?", canonical._PLAIN.__self__.pattern)  # type: ignore[attr-defined]
    assert repeated
    assert all(quantifier in ("]*+", "]++") for quantifier in repeated)


# -- invariants -------------------------------------------------------------------------------------------------------

_ANYTHING = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="aB1%2fFeE.~-/\\?#&;=:@[]|'\" \t\né中;sid", max_size=60),
)
_HOSTS = st.sampled_from(
    ["example.org", "EXAMPLE.org.", "münchen.de", "127.1", "[::1]", "a.b.co.uk:8080", "u:p@h.org:80"]
)
_URLS = st.builds(
    lambda scheme, host, rest: f"{scheme}://{host}/{rest}", st.sampled_from(["http", "HTTPS"]), _HOSTS, _ANYTHING
)


@given(st.one_of(_ANYTHING, _URLS))
@example("http://x.org/%%34%31")
@example("http://x.org/%2%35%41")
@example("http://0x7f../")
def test_canonical_form_is_stable_and_parses(url: str) -> None:
    once = canonicalize(url, "http://base.example/dir/page?q")
    if once is None:
        return
    assert canonicalize(once) == once
    assert once.isascii()
    assert re.fullmatch(r"https?://[^/?#@\s]+/[^#\s]*", once)
    assert ada_url.check_url(once)
    assert safe_url_string(once) == once, "Scrapy would send another URL than the one that was judged"
    assert urlsplit(once).netloc == once.split("/")[2]


@given(st.one_of(_ANYTHING, _URLS))
def test_fast_path_and_full_parse_agree(url: str) -> None:
    page = _page("http://base.example/dir/page?q")
    fast = _plain(url, page)
    assert fast is None or fast == _parsed(url, page)


_SEGMENT = st.text(alphabet="abcXYZ019-_~!$'()*,=@", min_size=1, max_size=8)
_ORDINARY = st.builds(
    lambda segments, parameters: (
        "/" + "/".join(segments) + ("?" + "&".join(f"{n}={v}" for n, v in parameters) if parameters else "")
    ),
    st.lists(_SEGMENT, max_size=5),
    st.lists(
        st.tuples(
            st.sampled_from(["id", "page", "q", "s", "sid", "view", "filter[]", "a.b"]),
            st.text(alphabet="abc XYZ019-_~+%/:é", max_size=10).map(str.strip),
        ),
        max_size=4,
    ),
)


@given(_ORDINARY, st.data())
def test_equivalent_spellings_meet(target: str, data: st.DataObject) -> None:
    plain = canonicalize(f"http://example.org{target}")
    path, mark, query = target.partition("?")
    escaped = "".join(
        f"%{ord(char):02x}" if char.isalnum() and char.isascii() and data.draw(st.booleans()) else char for char in path
    )
    assert canonicalize(f"HTTP://EXAMPLE.org:80{target}#fragment") == plain
    assert canonicalize(f"http://user@example.org./x/..{target}") == plain
    assert canonicalize(f"http://example.org{escaped}{mark}{query}") == plain
    assert canonicalize(target, "http://example.org/some/page") == plain or target.startswith("//")


class _Echo(BaseHTTPRequestHandler):
    """Answers with what a server understands of a request: decoded path segments and parameters, in their order."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        seen = [unquote_to_bytes(segment) for segment in parts.path.split("/")]
        asked = parse_qsl(parts.query, keep_blank_values=True, encoding="latin-1")
        body = repr((seen, asked)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def server() -> Iterator[HTTPConnection]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as echo:
        echo.daemon_threads = True
        threading.Thread(target=echo.serve_forever, daemon=True).start()
        connection = HTTPConnection("127.0.0.1", echo.server_port)
        yield connection
        connection.close()
        echo.shutdown()


def _answer(connection: HTTPConnection, target: str) -> bytes:
    connection.request("GET", target)
    return connection.getresponse().read()


@given(target=_ORDINARY)
def test_a_server_answers_the_canonical_form_as_it_answers_the_browser(server: HTTPConnection, target: str) -> None:
    origin = f"http://127.0.0.1:{server.port}"
    browser = ada_url.normalize_url(origin + target)
    canonical = canonicalize(origin + target)
    assert canonical is not None
    assert canonical.startswith(origin)
    assert _answer(server, canonical.removeprefix(origin)) == _answer(server, browser.removeprefix(origin))

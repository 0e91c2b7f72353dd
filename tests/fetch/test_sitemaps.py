"""Sitemaps as they are found: right ones, broken ones, and ones made to hurt."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nephila.fetch.sitemaps import SitemapEntry, parse_sitemap

BASE = "https://e.com/maps/sitemap.xml"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
MARCH_5 = 1709596800.0


def urlset(inner: str, attributes: str = NAMESPACE) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {attributes}>{inner}</urlset>'.encode()


def locs(body: bytes) -> list[str]:
    return [entry.loc for entry in parse_sitemap(body, BASE).entries]


def test_every_field_of_an_entry_is_read() -> None:
    body = urlset(
        "<url><loc> https://e.com/a?x=1&amp;y=2 </loc><lastmod>2024-03-05</lastmod>"
        "<changefreq>Weekly</changefreq><priority>0.8</priority></url><url><loc>https://e.com/b</loc></url>"
    )
    sitemap = parse_sitemap(body)
    assert sitemap.kind == "urlset"
    assert not sitemap.cut
    assert sitemap.entries == [
        SitemapEntry("https://e.com/a?x=1&y=2", MARCH_5, "weekly", 0.8),
        SitemapEntry("https://e.com/b"),
    ]


def test_an_index_lists_sitemaps() -> None:
    body = f"<sitemapindex {NAMESPACE}>"
    body += "<sitemap><loc>/s1.xml.gz</loc><lastmod>2024-03-05</lastmod></sitemap></sitemapindex>"
    sitemap = parse_sitemap(body.encode(), BASE)
    assert sitemap.kind == "index"
    assert sitemap.entries == [SitemapEntry("https://e.com/s1.xml.gz", MARCH_5)]


def test_extensions_give_their_date_and_not_their_addresses() -> None:
    body = urlset(
        "<url><loc>https://e.com/a</loc>"
        "<image:image><image:loc>https://cdn.e.com/i.jpg</image:loc></image:image>"
        "<video:video><video:player_loc>https://e.com/v</video:player_loc><video:url>https://e.com/v2</video:url></video:video>"
        "<news:news><news:publication><news:name>N</news:name></news:publication>"
        "<news:publication_date>2024-03-05</news:publication_date></news:news>"
        '<xhtml:link rel="alternate" hreflang="de" href="https://e.com/de"/>'
        "<lastmod>2024-03-05</lastmod></url>"
    )
    assert parse_sitemap(body).entries == [SitemapEntry("https://e.com/a", MARCH_5, published=MARCH_5)]


@pytest.mark.parametrize(
    "body",
    [
        urlset("<url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc></url>", ""),
        urlset("<url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc></url>", 'xmlns="urn:wrong"'),
        b"<ns0:urlset><ns0:url><ns0:loc>https://e.com/a</ns0:loc></ns0:url><ns0:url><ns0:loc>https://e.com/b</ns0:loc></ns0:url>",
        b"<URLSET><URL><LOC>https://e.com/a</LOC></URL><Url><Loc>https://e.com/b</Loc></Url></URLSET>",
        b"<urlset><url><loc>https://e.com/a<url><loc>https://e.com/b",
        b"<urlset><loc>https://e.com/a</loc><loc>https://e.com/b</loc></urlset>",
        b"<urlset><url><loc><![CDATA[https://e.com/a]]></loc></url><url><loc>https://e.com/<!-- x -->b</loc></url>",
        b"<urlset><url><loc>\n  https://e.com/a\n</loc></url><url><loc>//e.com/b</loc></url>",
        b"<urlset><url><loc>https://e.com/\n   a</loc></url><url><loc>\t../b</loc></url>",
        b'<urlset><url foo="1>2"><loc>https://e.com/a</loc></url><url><loc a=\'"\'>https://e.com/b</loc></url>',
        b'<urlset><url foo="><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc></url>',
        b"\n\n  <urlset><url><loc>https://e.com/a</loc></url> < > && <url><loc>https://e.com/b</loc></url>",
        b"<urlset><url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc></ur",
        b"<urlset><url><loc>javascript:x</loc></url><url><loc>https://e.com/a</loc></url><loc>https://e.com/b</loc><url/>",
        b"<urlset><loc></loc><loc>https://e.com/a</loc><loc>ftp://e.com/</loc><loc>http://</loc><loc>https://e.com/b</loc>",
    ],
)
def test_faults_cost_no_more_than_themselves(body: bytes) -> None:
    assert locs(body) == ["https://e.com/a", "https://e.com/b"]


def test_bare_ampersands_stay_in_the_address() -> None:
    assert locs(urlset("<url><loc>https://e.com/?a=1&b=2&copy=3&amp;lt=4&#38;c=5&#x26;d</loc></url>")) == [
        "https://e.com/?a=1&b=2&copy=3&lt=4&c=5&d"
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "utf-32", "iso-8859-1", "windows-1252"]
)
def test_encodings_are_understood(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><urlset><url><loc>https://e.com/café</loc></url></urlset>'
    assert locs(text.encode(encoding)) == ["https://e.com/café"]


def test_a_wrong_encoding_declaration_is_survived() -> None:
    for name in ("utf-8", "nonsense", "zlib", "punycode", "utf-7", "idna", "utf-16"):
        text = f'<?xml version="1.0" encoding="{name}"?><urlset><url><loc>https://e.com/café</loc></url></urlset>'
        assert locs(text.encode("cp1252")) == ["https://e.com/café"]


@pytest.mark.parametrize("layers", [1, 2])
def test_gzip_is_unpacked(layers: int) -> None:
    body = urlset("<url><loc>https://e.com/a</loc></url>")
    for _ in range(layers):
        body = gzip.compress(body)
    assert locs(body) == ["https://e.com/a"]


def test_gzip_in_many_members_is_read_whole() -> None:
    body = urlset("".join(f"<url><loc>https://e.com/{i}</loc></url>" for i in range(3000)))
    packed = b"".join(gzip.compress(body[i : i + 1000]) for i in range(0, len(body), 1000))
    assert len(locs(packed)) == 3000
    assert len(locs(packed + b"\0" * 512)) == 3000


def test_of_a_broken_off_gzip_the_beginning_is_read() -> None:
    packed = gzip.compress(urlset("".join(f"<url><loc>https://e.com/{i * 7919}</loc></url>" for i in range(5000))))
    sitemap = parse_sitemap(packed[: len(packed) // 2])
    assert sitemap.cut
    assert 1000 < len(sitemap.entries) < 5000


def test_plain_text_is_a_list_of_addresses() -> None:
    sitemap = parse_sitemap(
        b"\xef\xbb\xbfhttps://e.com/a\r\n\r\n# note\rHTTPS://e.com/b\nstray\nhttps://e.com/c d\nhttps://e.com/c"
    )
    assert sitemap.kind == "text"
    assert [entry.loc for entry in sitemap.entries] == ["https://e.com/a", "HTTPS://e.com/b", "https://e.com/c"]


def test_a_feed_serves_as_a_sitemap() -> None:
    body = b"<rss><channel><item><link>/a</link><pubDate>Tue, 05 Mar 2024 00:00:00 GMT</pubDate></item></channel></rss>"
    sitemap = parse_sitemap(body, BASE)
    assert sitemap.kind == "feed"
    assert sitemap.entries == [SitemapEntry("https://e.com/a", MARCH_5)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"\0" * 100,
        b"<html><body><a href='https://e.com/'>x</a></body></html>",
        b"Not found\n" * 50,
        b"{}",
        b"\x1f\x8b",
        b"\x1f\x8bgarbage",
        b"<",
        b"<?xml",
        b"<!-- <urlset><url><loc>https://e.com/</loc>",
    ],
)
def test_what_is_no_sitemap_is_empty(body: bytes) -> None:
    sitemap = parse_sitemap(body, BASE)
    assert (sitemap.kind, sitemap.entries) == ("unknown", [])


def test_limits_are_kept_and_told() -> None:
    body = urlset("".join(f"<url><loc>https://e.com/{i}</loc></url>" for i in range(100)))
    by_count = parse_sitemap(body, max_entries=10)
    assert (len(by_count.entries), by_count.cut) == (10, True)
    by_size = parse_sitemap(gzip.compress(body), max_bytes=1000)
    assert by_size.cut
    assert 0 < len(by_size.entries) < 100


def test_a_gzip_bomb_is_cut_at_the_limit() -> None:
    packed = io.BytesIO()
    with gzip.open(packed, "wb", compresslevel=9) as bomb:
        bomb.write(b"<urlset><url><loc>https://e.com/a</loc></url>")
        for _ in range(50):
            bomb.write(b" " * 2**20)
    tracemalloc.start()
    sitemap = parse_sitemap(packed.getvalue(), max_bytes=2**20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sitemap.cut
    assert len(sitemap.entries) == 1
    assert peak < 10 * 2**20


ENTITY_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(20))
    + "]><urlset><url><loc>https://e.com/&u;&u;</loc></url></urlset>"
)
EXTERNAL = '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://e.com/&x;</loc></url></urlset>'


def test_entities_are_not_expanded() -> None:
    assert locs(ENTITY_BOMB.encode()) == ["https://e.com/&u;&u;"]
    assert locs(EXTERNAL.encode()) == ["https://e.com/&x;"]


SIZE = 1_000_000
HOSTILE = {
    "tags never closed": b"<" * SIZE,
    "comments never closed": b"<urlset>" + b"<!--" * (SIZE // 4),
    "sections never closed": b"<urlset>" + b"<![CDATA[" * (SIZE // 9),
    "many sections": b"<urlset><url><loc>" + b"<![CDATA[x]]>" * (SIZE // 13),
    "many comments": b"<urlset><url><loc>" + b"<!---->y" * (SIZE // 8),
    "quotes never closed": b'<urlset><a b="' * (SIZE // 14),
    "quotes without end": b"<urlset " + b"\"'" * (SIZE // 2),
    "one endless name": b"<" + b"a" * SIZE,
    "deep nesting": b"<urlset>" + b"<a>" * (SIZE // 3),
    "deep nesting closed": b"<urlset><url>" + b"<a>" * (SIZE // 8) + b"</b>" * (SIZE // 8),
    "ampersands": b"<urlset><url><loc>https://e.com/" + b"&#" * (SIZE // 2) + b"</loc></url>",
    "endless date": b"<urlset><url><loc>https://e.com/</loc><lastmod>" + b"1" * SIZE + b"</lastmod></url>",
    "processing": b"<urlset>" + b"<?x?>" * (SIZE // 5),
    "empty gzip members": gzip.compress(b"") * (SIZE // 20),
    "attributes": b"<urlset " + b"a='b' " * (SIZE // 6) + b">",
    "names": b"".join(b"<n%d>" % i for i in range(SIZE // 8)),
    "text lines": b"http://\n" * (SIZE // 8),
    "doctype comments": b"<!-- -->" * 600 + b"<",
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_cost_time_in_proportion_to_their_size(body: bytes) -> None:
    """Each is minutes or hours for a reader that looks at bytes again and again."""
    parse_sitemap(body, BASE)


urls = st.from_regex(r"https?://[a-z]{1,8}\.com/[!-~]{0,30}", fullmatch=True)


@given(st.lists(urls, max_size=20), st.booleans())
@example(["https://a.com/[;"], False)
def test_any_list_of_addresses_comes_back(listed: list[str], section: bool) -> None:
    wrapped = [f"<![CDATA[{url}]]>" if section and "]]>" not in url else escape(url) for url in listed]
    assert locs(urlset("".join(f"<url><loc>{text}</loc></url>" for text in wrapped))) == listed


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(body: bytes) -> None:
    parse_sitemap(body, BASE)
    parse_sitemap(b"<urlset><url><loc>" + body, BASE)

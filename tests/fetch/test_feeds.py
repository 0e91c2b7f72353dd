"""Feeds as they are found, in every dialect, and telling them from sitemaps and pages."""

from __future__ import annotations

import gzip

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.feeds import FeedEntry, parse_feed, sniff

BASE = "https://e.com/blog/feed.xml"
MARCH_5 = 1709596800.0
MARCH_6 = MARCH_5 + 86400

RSS_2 = b"""<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><!-- c -->
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>Blog</title><link>https://e.com/</link><atom:link rel="self" href="https://e.com/feed.xml"/>
<image><title>Logo</title><link>https://e.com/logo</link></image>
<item><media:group><link>https://e.com/wrong</link><title>Wrong</title></media:group>
<title><![CDATA[One &amp; <b>two</b>]]></title><atom:link rel="self" href="/wrong"/><link>https://e.com/1?a=1&amp;b=2</link>
<media:title>Picture</media:title>
<description>&lt;a href="https://e.com/wrong"&gt;x</description><guid isPermaLink="false">17</guid>
<source url="https://other.example/feed">Other</source><pubDate>Tue, 05 Mar 2024 00:00:00 +0000</pubDate></item>
<item><guid>https://e.com/2</guid><dc:date>2024-03-05</dc:date></item>
<item><guid isPermaLink="false">https://e.com/not-a-page</guid><title>No address</title></item>
<item><title/><link/><feedburner:origLink>https://e.com/3</feedburner:origLink><link>https://proxy.example/3</link></item>
</channel></rss>"""

ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://e.com/base/"><title>T</title><link href="https://e.com/"/>
<updated>2025-01-01T00:00:00Z</updated>
<entry><source><link href="/wrong"/><updated>2030-01-01</updated></source>
<title type="html">A &amp;amp; B</title><link rel="edit" href="/edit"/><link rel="alternate" href="1"/>
<link href="/late"/>
<id>tag:e.com,2024:1</id><published>2024-03-05T00:00:00Z</published><updated>2024-03-06T00:00:00Z</updated>
<content type="xhtml"><div><link href="/wrong"/><title>Wrong</title><p>x<br></div></content>
</entry>
<entry xml:base="/other/"><link href="2"/></entry>
<entry><id>https://e.com/3</id></entry></feed>"""

RSS_1 = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://e.com/"><link>https://e.com/</link><items><rdf:Seq><rdf:li resource="https://e.com/1"/></rdf:Seq></items>
</channel><item rdf:about="https://e.com/1"><title>One</title><link>https://e.com/1</link><dc:date>2024-03-05T00:00:00Z</dc:date></item>
<item rdf:about="https://e.com/2"><title>Two</title></item></rdf:RDF>"""

JSON_FEED = orjson.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [
            {"id": "1", "url": "/1", "title": "One", "date_published": "2024-03-05", "date_modified": "2024-03-06"},
            {"id": "2", "external_url": "https://other.example/2"},
            {"id": "https://e.com/3", "url": None, "title": 7},
            {"id": "4"},
            "nonsense",
        ],
    }
)


def test_rss_2_is_read() -> None:
    feed = parse_feed(RSS_2, BASE)
    assert feed.kind == "rss"
    assert feed.entries == [
        FeedEntry("https://e.com/1?a=1&b=2", MARCH_5, "One & two"),
        FeedEntry("https://e.com/2", MARCH_5, None),
        FeedEntry("https://e.com/3", None, None),
    ]


def test_atom_is_read() -> None:
    feed = parse_feed(ATOM, BASE)
    assert feed.kind == "atom"
    assert feed.entries == [
        FeedEntry("https://e.com/base/1", MARCH_6, "A & B"),
        FeedEntry("https://e.com/other/2"),
        FeedEntry("https://e.com/3"),
    ]


def test_atom_with_a_prefix_is_read() -> None:
    body = b"<a:feed><a:entry><a:title>T</a:title><a:link href='https://e.com/1'/><a:updated>2024-03-05</a:updated></a:entry></a:feed>"
    assert parse_feed(body).entries == [FeedEntry("https://e.com/1", MARCH_5, "T")]


def test_rss_1_is_read() -> None:
    feed = parse_feed(RSS_1, BASE)
    assert feed.kind == "rdf"
    assert feed.entries == [FeedEntry("https://e.com/1", MARCH_5, "One"), FeedEntry("https://e.com/2", None, "Two")]


def test_json_feed_is_read() -> None:
    feed = parse_feed(JSON_FEED, BASE)
    assert feed.kind == "json"
    assert feed.entries == [
        FeedEntry("https://e.com/1", MARCH_6, "One"),
        FeedEntry("https://other.example/2"),
        FeedEntry("https://e.com/3"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"<rss><channel><item><link>https://e.com/a?x=1&y=2</link></item><item><link>https://e.com/b</link>",
        b"<rss><channel><item><link>https://e.com/a?x=1&y=2</link><item><link>https://e.com/b</link></channel></rss>",
        b"<rss><item><description>x < y & z</description><link>https://e.com/a?x=1&amp;y=2</link></item><item><link>\n/b\n</link></item>",
        gzip.compress(
            b"<rss><item><link>https://e.com/a?x=1&y=2</link></item><item><link>https://e.com/b</link></item></rss>",
            mtime=0,
        ),
        "\ufeff<rss><item><link>https://e.com/a?x=1&y=2</link></item><item><link>/b</link></item></rss>".encode(
            "utf-16"
        ),
        b"<rss><item><content><p>raw <b>markup</content><link>/a?x=1&y=2</link></item><item><link href='/b'></item>",
    ],
)
def test_faults_cost_no_more_than_themselves(body: bytes) -> None:
    assert [entry.url for entry in parse_feed(body, BASE).entries] == ["https://e.com/a?x=1&y=2", "https://e.com/b"]


def test_limits_are_kept_and_told() -> None:
    body = b"<rss>" + b"<item><link>https://e.com/</link></item>" * 50 + b"</rss>"
    feed = parse_feed(body, max_entries=10)
    assert (len(feed.entries), feed.cut) == (10, True)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"items":7}', b"plain", b"<html><p>x</p></html>", b"[" * 100_000, b'{"a":' * 50_000]
)
def test_what_is_no_feed_is_empty(body: bytes) -> None:
    feed = parse_feed(body, BASE)
    assert (feed.kind, feed.entries) == ("unknown", [])


SITEMAP = b"<?xml version='1.0'?>\n<!-- made by x -->\n<urlset><url><loc>https://e.com/</loc></url></urlset>"
RDF_VOCABULARY = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description/></rdf:RDF>'


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (SITEMAP, "text/html", "sitemap"),
        (gzip.compress(SITEMAP, mtime=0), "application/x-gzip", "sitemap"),
        (b"\xef\xbb\xbf" + SITEMAP, "", "sitemap"),
        (SITEMAP.decode().encode("utf-16"), "application/xml", "sitemap"),
        (b"<sitemapindex>", "text/xml; charset=utf-8", "sitemap"),
        (b"https://e.com/a\nhttps://e.com/b\n", "text/plain", "sitemap"),
        (b"https://e.com/a is down\n", "text/plain", "other"),
        (RSS_2, "text/html", "feed"),
        (ATOM, "application/atom+xml", "feed"),
        (RSS_1, "application/xml", "feed"),
        (JSON_FEED, "application/json", "feed"),
        (JSON_FEED.replace(b"/", b"\\/"), "", "feed"),
        (RDF_VOCABULARY, "application/rdf+xml", "other"),
        (b'{"a": 1}', "application/json", "other"),
        (b"<!DOCTYPE html><html>", "application/rss+xml", "html"),
        (b"<!-- a --><!-- - -- b -->\n<!doctype HTML PUBLIC>", "", "html"),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "", "html"),
        (b"<div>x", "", "html"),
        (b"hello", "text/html", "html"),
        (b"<custom>", "text/html", "html"),
        (b"<svg>", "image/svg+xml", "other"),
        (b"%PDF-1.7", "application/pdf", "other"),
        (b"", "", "other"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "image/png", "other"),
    ],
)
def test_a_body_is_known_by_what_it_holds(body: bytes, content_type: str, kind: str) -> None:
    assert sniff(body, content_type) == kind


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"<rss><item><link>", b"<feed><entry><link ", b"{", b"<rdf:RDF><item>"]),
)
def test_any_bytes_are_survived(body: bytes, start: bytes) -> None:
    parse_feed(start + body, BASE)
    sniff(start + body, "text/xml")

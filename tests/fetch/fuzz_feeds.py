"""Any bytes as a feed: read without an error, and only web addresses and sane dates come out."""

from __future__ import annotations

from nephila.fetch.feeds import parse_feed, sniff
from tests.fetch.fuzzing import main

SEEDS = [
    b"<rss><item><title><![CDATA[A & B]]></title><link>/1?a=1&b=2</link><pubDate>Tue, 05 Mar 2024 10:11 GMT</pubDate>",
    b"<rss version='2.0'><channel><link>/</link><item><guid isPermaLink='true'>/x</guid></item></channel></rss>",
    b'<feed xml:base="/b/"><entry><link rel="alternate" href="1"/><id>https://e.com/1</id><updated>2024-03-05</updated></entry></feed>',
    b'<rdf:RDF xmlns="http://purl.org/rss/1.0/"><item rdf:about="https://e.com/1"><dc:date>2024-03-05</dc:date></item></rdf:RDF>',
    b'{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","url":"/1","date_published":"2024-03-05"}]}',
    b"<!-- x --><!DOCTYPE html><html><head><title>x</title></head></html>",
]


def target(data: bytes) -> None:
    assert sniff(data, "text/html") in ("sitemap", "feed", "html", "other")
    for entry in parse_feed(data, "https://e.com/feed").entries:
        assert entry.url.lower().startswith(("http://", "https://"))
        assert entry.date is None or -86400 <= entry.date < 5e9
        assert entry.title is None or 0 < len(entry.title) <= 500


if __name__ == "__main__":
    main(target, SEEDS)

"""Any bytes as a sitemap: read without an error, and only web addresses and sane dates come out."""

from __future__ import annotations

import gzip

from nephila.fetch.sitemaps import parse_sitemap
from tests.fetch.fuzzing import main

_PLAIN = (
    b'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>'
    b"<loc>https://e.com/?a=1&amp;b=2</loc><lastmod>2024-03-05T10:11:12+00:00</lastmod><priority>0.5</priority>"
    b"<image:image><image:loc>/i.jpg</image:loc></image:image></url><url><loc><![CDATA[/b]]></loc></url></urlset>"
)
SEEDS = [
    _PLAIN,
    gzip.compress(_PLAIN),
    _PLAIN.decode().encode("utf-16"),
    b"<sitemapindex><sitemap><loc>/s.xml.gz</loc><lastmod>2024-03</lastmod></sitemap></sitemapindex>",
    b"https://e.com/a\r\nhttps://e.com/b\n",
    b'<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>https://e.com/&a;</loc></url></urlset>',
]


def target(data: bytes) -> None:
    sitemap = parse_sitemap(data, "https://e.com/sitemap.xml", max_entries=50, max_bytes=100_000)
    assert len(sitemap.entries) <= 50
    for entry in sitemap.entries:
        assert entry.loc.lower().startswith(("http://", "https://"))
        assert not any(ord(character) < 32 for character in entry.loc)
        assert entry.lastmod is None or -86400 <= entry.lastmod < 5e9
        assert entry.priority is None or 0 <= entry.priority <= 1


if __name__ == "__main__":
    main(target, SEEDS)

"""What the newspaper says to machines: robots.txt, the sitemap index, gzipped sitemaps, RSS."""

from __future__ import annotations

import gzip
from email.utils import format_datetime

from nephila.demo.kit.markup import escape
from nephila.demo.news.content import LANGUAGES, Edition, edition


def robots(origin: str) -> str:
    return (
        "User-agent: *\n"
        "Disallow: /_control/\n"
        "Disallow: /subscribe\n"
        "Disallow: /share\n"
        "Disallow: /*/search\n"
        f"\nSitemap: {origin}/sitemap.xml\n"
    )


def sitemap_index(origin: str) -> str:
    entries = "".join(
        f"<sitemap><loc>{origin}/sitemaps/{code}.xml.gz</loc>"
        f"<lastmod>{max(article.modified for article in edition(code).articles):%Y-%m-%d}</lastmod></sitemap>"
        for code in LANGUAGES
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>\n'
    )


def sitemap(paper: Edition, origin: str) -> bytes:
    """Gzipped; with a fixed time inside, so that the same articles give the same bytes."""
    entries = "".join(
        f"<url><loc>{escape(origin + article.path)}</loc><lastmod>{article.modified.isoformat()}</lastmod></url>\n"
        for article in paper.articles
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )
    return gzip.compress(text.encode(), mtime=0)


def rss(paper: Edition, origin: str) -> str:
    """The fifteen newest stories."""
    items = "".join(
        f"<item><title>{escape(article.title)}</title><link>{escape(origin + article.path)}?utm_source=rss</link>"
        f'<guid isPermaLink="true">{escape(origin + article.path)}</guid>'
        f"<pubDate>{format_datetime(article.published, usegmt=True)}</pubDate>"
        f"<description>{escape(article.paragraphs[0])}</description></item>\n"
        for article in paper.articles[:15]
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{escape(paper.words['name'])}</title><link>{origin}/{paper.language}/</link>"
        f"<description>{escape(paper.words['motto'])}</description><language>{paper.language}</language>\n"
        f"{items}</channel></rss>\n"
    )

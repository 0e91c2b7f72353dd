"""Pages that list other pages: sitemaps and feeds, told apart by what they are and not by how they were announced."""

from __future__ import annotations

from dataclasses import dataclass, field

from nephila.fetch.feeds import parse_feed, sniff
from nephila.fetch.sitemaps import parse_sitemap
from nephila.page import Page


@dataclass(frozen=True, slots=True)
class SourceLinks:
    pages: list[tuple[str, float | None]] = field(default_factory=list)
    """URL and newest known date."""
    sitemaps: list[str] = field(default_factory=list)


def links_of_source(page: Page) -> SourceLinks:
    kind = sniff(page.body, page.content_type)
    if kind == "feed":
        feed = parse_feed(page.body, page.final_url)
        return SourceLinks(pages=[(entry.url, entry.date) for entry in feed.entries])
    if kind == "sitemap":
        sitemap = parse_sitemap(page.body, page.final_url)
        listed = [(entry.loc, entry.lastmod) for entry in sitemap.entries]
        if sitemap.kind == "index":
            return SourceLinks(sitemaps=[url for url, _ in listed])
        return SourceLinks(pages=listed)
    return SourceLinks()

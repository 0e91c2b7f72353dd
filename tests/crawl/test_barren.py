"""A wiki: a page in ten is text, the others are forms that ask not to be kept."""

from __future__ import annotations

from pathlib import Path

from tests.crawl.crawling import Place
from tests.fetch.echo import EchoSite, echo_site

PAGES, FORMS = 60, ("edit", "history", "info")


def wiki(site: EchoSite) -> set[str]:
    """Gives the addresses of its pages."""
    for number in range(PAGES):
        links = "".join(f'<a href="/w/Page{other}">page</a> ' for other in (number * 2 + 1, number * 2 + 2))
        forms = "".join(f'<a href="/w?title=Page{number}&amp;action={form}">{form}</a> ' for form in FORMS)
        said = f"<h1>Page {number}</h1><p>What is known of spider number {number}, and of the web that it made.</p>"
        site.pages[f"/w/Page{number}"] = (200, {}, f"<html><body>{said}{links}{forms}</body></html>")
        for form in FORMS:
            head = '<head><meta name="robots" content="noindex,nofollow"></head>'
            site.pages[f"/w?title=Page{number}&action={form}"] = (200, {}, f"<html>{head}<body>A form</body></html>")
    return {f"{site.url}/w/Page{number}" for number in range(PAGES)}


def test_forms_that_bring_nothing_are_soon_left_alone(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with echo_site() as site:
        pages = wiki(site)
        site.pages |= {f"/w/Page{number}": (404, {}, "") for number in range(PAGES, PAGES * 2 + 2)}
        done = place.crawl(f"{site.url}/w/Page0")
        asked = [request.path for request in site.requests if "action=" in request.path]
    assert done.status == 0, done.err
    assert set(place.urls) == pages
    assert len(pages) * len(FORMS) > 2 * len(asked)
    skipped = place.summary["labelled"]["skipped"]
    assert skipped["noindex"] == len(asked)
    assert skipped["not fetched: all of the kind are noindex"] == PAGES * len(FORMS) - len(asked)
    assert "no record" in done.err

"""A shop whose links say where they were clicked, and whose lists come in several views: each page once or nearly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawl.crawling import Place
from tests.fetch.echo import EchoSite, echo_site

ITEMS, PLACES, BRANDS, VIEWS = 120, ("home", "list", "mail"), 12, ("grid", "rows", "large")
SKIPPED = "not fetched: the same page was, under another address"


def word(number: int) -> str:
    """Numbers count for nothing where pages are told apart."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def shop(site: EchoSite) -> tuple[set[str], set[str]]:
    """Gives what its items and its lists say: a line that no other page has."""
    front = "".join(f'<a href="/list?brand={brand}">brand {brand}</a> ' for brand in range(BRANDS))
    site.pages["/"] = (200, {}, f"<html><body><h1>Front page</h1><p>{front}</p></body></html>")
    for brand in range(BRANDS):
        items = range(brand * ITEMS // BRANDS, (brand + 1) * ITEMS // BRANDS)
        ways = "".join(f'<a href="/list?brand={brand}&amp;view={view}">{view}</a> ' for view in VIEWS)
        cards = "".join(
            f'<li><a href="/item/{item}?ref={place}">Item {word(item)}, the one and only, in a good state</a></li>'
            for item in items
            for place in PLACES
        )
        body = f"<html><body><h1>All of brand {word(brand)}</h1>{ways}<ul>{cards}</ul></body></html>"
        for query in ("", *(f"&view={view}" for view in VIEWS)):
            site.pages[f"/list?brand={brand}{query}"] = (200, {}, body)
    for item in range(ITEMS):
        said = f"What is to be said of item {word(item)} was never said of another one. " * 5
        body = f"<html><body><h1>Item {word(item)}</h1><p>{said}</p></body></html>"
        for query in ("", *(f"?ref={place}" for place in PLACES)):
            site.pages[f"/item/{item}{query}"] = (200, {}, body)
    return {f"Item {word(item)}" for item in range(ITEMS)}, {f"All of brand {word(brand)}" for brand in range(BRANDS)}


@pytest.mark.parametrize("workers", [1, 2])
def test_every_page_is_fetched_and_few_of_them_twice(tmp_path: Path, workers: int) -> None:
    place = Place(tmp_path)
    with echo_site() as site:
        items, lists = shop(site)
        # How much is known of a parameter when an address is met must not depend on who is faster, reader or server.
        job = place.job("[politeness]\nparallel = 2\n")
        done = place.crawl(site.url + "/", "--workers", workers, "--job", job)
        asked = [request.path for request in site.requests if request.path.startswith(("/item", "/list"))]
    assert done.status == 0, done.err
    said = {line for record in place.records for line in (record.text or "").split("\n")}
    assert items | lists <= said | {record.title for record in place.records}
    everything = ITEMS * len(PLACES) + BRANDS * (1 + len(VIEWS))
    assert len(asked) < everything
    assert place.summary["labelled"]["skipped"][SKIPPED] > everything // (12 * workers)


def test_no_page_is_left_to_an_address_that_is_out_of_scope(tmp_path: Path) -> None:
    place = Place(tmp_path)
    # Of the first items both addresses are met, of the others only the longer ones are wanted.
    (tmp_path / "job.toml").write_text("[scope]\nexclude = ['re:/item/([4-9].|1..)$']\n")
    with echo_site() as site:
        items, _ = shop(site)
        for item in range(40):
            path = f"/list?brand={item * BRANDS // ITEMS}"
            body = site.pages[path][2].replace("</ul>", f'<li><a href="/item/{item}">item</a></li></ul>')
            site.pages[path] = (200, {}, body)
        done = place.crawl(site.url + "/", "--job", str(tmp_path / "job.toml"))
    assert done.status == 0, done.err
    said = {line for record in place.records for line in (record.text or "").split("\n")}
    assert items <= said | {record.title for record in place.records}


def test_who_wants_every_address_gets_it(tmp_path: Path) -> None:
    place = Place(tmp_path)
    (tmp_path / "job.toml").write_text("[scope]\naliases = false\n")
    with echo_site() as site:
        shop(site)
        done = place.crawl(site.url + "/", "--job", str(tmp_path / "job.toml"))
    assert done.status == 0, done.err
    assert len(place.records) == 1 + ITEMS * len(PLACES) + BRANDS * (1 + len(VIEWS))
    assert SKIPPED not in place.summary["labelled"].get("skipped", {})

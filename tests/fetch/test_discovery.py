"""From links to entries: scope, depth, traps, and what is remembered of it."""

from __future__ import annotations

from typing import Any

import pytest

import nephila.fetch.discovery as discovery_module
from nephila.fetch.discovery import SEED_PRIORITY, SOURCE_PRIORITY, Discovery, seed_entries
from nephila.job import Job

SEED = "https://news.example.org/"


def discovery(traps: list[str] | None = None, **job: Any) -> Discovery:
    found = traps if traps is not None else []
    return Discovery(Job.from_dict({"seeds": [SEED], **job}), lambda reason, url: found.append(url))


def urls(entries: list[Any]) -> list[str]:
    return [entry.url for entry in entries]


def test_links_of_a_page_become_entries_once() -> None:
    made = discovery()
    links = [SEED + "a", None, "https://other.example.com/", SEED + "b", SEED + "a"]
    entries = made.page_links(links, 1)
    assert urls(entries) == [SEED + "a", SEED + "b"]
    assert {(entry.depth, entry.host, entry.priority) for entry in entries} == {(1, "news.example.org", 0)}
    assert made.page_links([SEED + "b", SEED + "c"], 2)[0].url == SEED + "c"
    assert all(entry.family is not None for entry in entries)


def test_a_link_that_is_too_deep_here_is_taken_from_a_nearer_page() -> None:
    made = discovery(limits={"depth": 2}, sites={"deep.example.org": {"depth": 5}})
    assert made.page_links([SEED + "x"], 3) == []
    assert urls(made.page_links([SEED + "x"], 2)) == [SEED + "x"]
    assert urls(made.page_links(["https://deep.example.org/x"], 5)) == ["https://deep.example.org/x"]
    assert made.page_links(["https://deep.example.org/y"], 6) == []


def test_traps_are_counted_and_left_out() -> None:
    traps: list[str] = []
    endless = SEED + "a/b/" * 30
    assert discovery(traps).page_links([endless], 1) == []
    assert traps == [endless]


def test_a_seed_that_leads_to_another_site_widens_the_scope() -> None:
    made = discovery()
    link = "https://www.example.com/page"
    assert made.page_links([link], 1) == []
    assert made.redirect(link, 0, 20, {}) is None
    assert made.widen("https://www.example.com/")
    assert not made.widen("https://www.example.com/")
    assert urls(made.page_links([link], 1)) == [link]
    target = made.redirect(link, 0, 20, {"from": SEED})
    assert target is not None
    assert (target.depth, target.priority, target.meta) == (0, 20, {"from": SEED})


def test_listed_pages_bring_dates_each_time_and_are_not_held_for_traps() -> None:
    made = discovery()
    listed = [(f"{SEED}article/{number}", 1e9 + number) for number in range(1000)]
    for _ in range(2):
        entries = made.dated_links([*listed, ("https://elsewhere.example/", None), ("nonsense", None)], 1)
        assert [(entry.url, entry.modified) for entry in entries] == listed
        assert {entry.family for entry in entries} == {None}


def test_sources_go_first_wherever_they_stand() -> None:
    made = discovery()
    sitemap = made.source("https://cdn.example.net/sitemap.xml", "sitemap", 0, guessed=True)
    assert sitemap is not None
    assert (sitemap.priority, sitemap.meta) == (SOURCE_PRIORITY, {"source": "sitemap", "guessed": True})
    assert made.source("javascript:void(0)", "feed", 0) is None
    moved = made.redirect("https://cdn.example.net/sitemap2.xml", 0, SOURCE_PRIORITY, {"source": "sitemap"})
    assert moved is not None


def test_seeds_are_judged_by_nobody() -> None:
    [entry] = seed_entries(["HTTPS://Example.org:443/a/../b#c", "mailto:nobody@example.org"])
    assert (entry.url, entry.depth, entry.priority) == ("https://example.org/b", 0, SEED_PRIORITY)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery_module, "_REMEMBERED", 1000)
    made = discovery()
    for start in range(0, 5000, 100):
        made.page_links((f"{SEED}?n={number}" for number in range(start, start + 100)), 1)
    assert len(made._pushed) <= 1000
    assert made.page_links([f"{SEED}?n=4999"], 1) == []


def test_references_of_a_page_become_entries_once_for_their_folder() -> None:
    made = discovery()
    page, neighbour = SEED + "news/1.html", SEED + "news/2.html"
    assert urls(made.references(page, ["2.html", "/about", "2.html#end"], 1)) == [SEED + "news/2.html", SEED + "about"]
    assert made.references(neighbour, ["2.html", "/about", SEED + "about"], 2) == []
    # The same words in another folder, or as a query of the page itself, are other links.
    assert urls(made.references(SEED + "old/1.html", ["2.html", "/about"], 2)) == [SEED + "old/2.html"]
    assert urls(made.references(page, ["?p=2"], 2)) == [page + "?p=2"]
    assert urls(made.references(neighbour, ["?p=2"], 2)) == [neighbour + "?p=2"]


def test_references_that_were_too_deep_or_out_of_scope_are_looked_at_again() -> None:
    made = discovery(limits={"depth": 2})
    assert made.references(SEED, ["/x", "https://www.example.com/page"], 3) == []
    assert urls(made.references(SEED, ["/x", "https://www.example.com/page"], 2)) == [SEED + "x"]
    assert made.widen("https://www.example.com/")
    assert "https://www.example.com/page" in urls(made.references(SEED, ["https://www.example.com/page"], 2))


def test_what_was_forgotten_is_pushed_again() -> None:
    made = discovery()
    assert urls(made.references(SEED, ["/x"], 1)) == [SEED + "x"]
    made.forget()
    assert urls(made.references(SEED, ["/x"], 1)) == [SEED + "x"]

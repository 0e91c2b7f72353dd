"""The catalogue says nothing without its script, and its script's JSON agrees with the gold."""

from __future__ import annotations

import json
import re

from tests.sites import Served, lighthouses
from tests.sites.client import ask

GOLD = lighthouses.gold()


def test_about_thirty_pages_of_four_kinds() -> None:
    assert 28 <= len(GOLD) <= 40
    assert {leaf.kind for leaf in GOLD.values()} == {"script", "embedded", "scroll", "plain"}


def test_only_plain_pages_have_their_text_in_the_markup(served: Served) -> None:
    for url, leaf in lighthouses.gold(served["lighthouses"]).items():
        reply = ask(url, patience=10)
        assert reply.status == 200
        markup = re.sub(r"<script.*?</script>", "", reply.body.decode(), flags=re.DOTALL)
        assert all((text in markup) != leaf.needs_browser for text in leaf.paragraphs)


def test_the_json_that_the_script_draws_agrees_with_the_gold(served: Served) -> None:
    root = served["lighthouses"]
    for leaf in GOLD.values():
        if leaf.kind == "script":
            data = json.loads(ask(f"{root}api/leaf?path={leaf.path}", patience=10).body)
            assert (data["title"], tuple(data["paragraphs"])) == (leaf.title, leaf.paragraphs)
            assert tuple(link["path"] for link in data["links"]) == leaf.links


def test_embedded_data_and_batches_of_the_logbook_hold_the_text(served: Served) -> None:
    root = served["lighthouses"]
    page = ask(root + "almanac", patience=10).body.decode()
    embedded = re.search(r'id="__NEXT_DATA__" type="application/json">(.*?)</script>', page)
    assert embedded
    leaf = json.loads(embedded[1])["props"]["pageProps"]["leaf"]
    assert tuple(leaf["paragraphs"]) == GOLD["/almanac"].paragraphs
    entries: list[str] = []
    while True:
        batch = json.loads(ask(f"{root}api/logbook?after={len(entries)}", patience=10).body)
        entries += batch["entries"]
        if not batch["more"]:
            break
    assert tuple(entries) == GOLD["/logbook"].paragraphs


def test_every_page_is_linked_from_another() -> None:
    linked = {path for leaf in GOLD.values() for path in leaf.links} | {"/", "/about", "/visit", "/colophon"}
    assert linked == set(GOLD)

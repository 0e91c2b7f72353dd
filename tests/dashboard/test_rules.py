"""Learned rules reviewed, tried, edited and mended over the REST interface: a real crawl of the sample shop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.dashboard.chromium import Browser, assert_accessible, browser, picture
from tests.dashboard.conftest import Dashboard
from tests.sites import Served, serve

__all__ = ["browser"]


@pytest.fixture(scope="module")
def crawled(dashboard: Dashboard) -> Iterator[Served]:
    with serve("shop") as served:
        job = {
            "seeds": [served["shop"]],
            "limits": {"max_pages": 60},
            "http": {"allow_private": True},
            "politeness": {"delay": 0},
        }
        assert dashboard.ask("/api/v1/crawls", "POST", {"job": job, "name": "shop"})[0] == 201
        dashboard.wait("shop", "done")
        yield served


def largest(dashboard: Dashboard) -> tuple[dict[str, Any], str]:
    template = dashboard.ask("/api/v1/crawls/shop/rules")[1][0]
    return template, f"/api/v1/crawls/shop/rules/{quote(template['site'])}/{template['group']}"


def test_a_person_tests_renames_and_accepts_rules(browser: Browser, dashboard: Dashboard, crawled: Served) -> None:
    template, _ = largest(dashboard)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(60_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{dashboard.url}#shop")
    page.get_by_role("tab", name="Rules").click()
    rules = page.locator("details.rules").first
    rules.locator("summary").first.click()
    rules.get_by_role("button", name="Test on stored pages").click()
    rules.get_by_role("button", name="/p/").first.wait_for()
    rules.get_by_role("button", name="Test on stored pages").evaluate("node => node.scrollIntoView()")
    picture(page, "rules")
    assert_accessible(page)
    name = template["fields"][0]["name"]
    rules.get_by_label(f"Name of {name}").fill("my own name")
    rules.get_by_role("button", name="Accept and save").click()
    page.get_by_text("Saved.").wait_for()
    page.get_by_label("Name of my own name").first.wait_for()
    assert "my own name" in [field["name"] for field in largest(dashboard)[0]["fields"]]
    page.get_by_role("tab", name="Sites").click()
    page.get_by_text("pages seen").first.wait_for()
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.get_by_role("tab", name="Rules").click()
    page.locator("details.rules").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    assert not faults
    page.close()


def test_rules_are_listed_tried_edited_mended_and_forgotten(dashboard: Dashboard, crawled: Served) -> None:
    template, path = largest(dashboard)
    assert template["pages"] >= 4
    names = [field["name"] for field in template["fields"]]
    assert all(rule["xpath"].startswith(("/", "(")) for field in template["fields"] for rule in field["rules"])

    tried = dashboard.ask(f"{path}/test?limit=5")[1]
    assert len(tried) == 5
    assert set(tried[0]["values"]) == set(names)
    assert all(any(value is not None for value in page["values"].values()) for page in tried)

    old = next(name for name in names if tried[0]["values"][name] is not None)
    status, edited, _ = dashboard.ask(path, "PATCH", {"rename": {old: "renamed"}, "drop": [names[-1]]})
    assert status == 200
    assert (edited["version"], edited["origin"]) == (template["version"] + 1, "edited")
    assert "renamed" in [field["name"] for field in edited["fields"]]
    again = dashboard.ask(f"{path}/test?limit=1")[1][0]
    assert again["values"]["renamed"] == tried[0]["values"][old]
    assert names[-1] not in again["values"]

    page = dashboard.ask(f"/api/v1/crawls/shop/records/{tried[0]['record']}")[1]
    correction = {"record": tried[0]["record"], "field": "heading", "value": page["title"]}
    status, mended, _ = dashboard.ask(f"{path}/fix", "POST", correction)
    assert status == 200, mended
    values = [page["values"]["heading"] for page in dashboard.ask(f"{path}/test?limit=5")[1]]
    assert values[0] == page["title"]
    assert len(set(values)) == 5

    assert dashboard.ask(path, "DELETE")[0] == 204
    assert dashboard.ask(f"{path}/test")[0] == 404


def test_what_cannot_be_is_refused(dashboard: Dashboard, crawled: Served) -> None:
    rules = dashboard.ask("/api/v1/crawls/shop/rules")[1]
    path = f"/api/v1/crawls/shop/rules/{quote(rules[0]['site'])}/{rules[0]['group']}"
    first, second = (field["name"] for field in rules[0]["fields"][:2])
    for change, status in (
        ({"rename": {"nobody": "x"}}, 422),
        ({"rename": {first: second}}, 422),
        ({"rename": {first: "a\nb"}}, 422),
        ({"types": {first: "colour"}}, 422),
        ({"price": 1}, 422),
    ):
        assert dashboard.ask(path, "PATCH", change)[0] == status, change
    wrong = {"record": 2**40, "field": "price", "value": "1"}
    assert dashboard.ask(f"{path}/fix", "POST", wrong)[0] == 409
    assert dashboard.ask("/api/v1/crawls/shop/rules/no.example/none", "PATCH", {})[0] == 404


def test_what_was_learned_of_the_sites_is_told_in_words(dashboard: Dashboard, crawled: Served) -> None:
    told = {fact["what"]: fact["words"] for fact in dashboard.ask("/api/v1/crawls/shop/sites")[1]}
    assert "pages seen" in told["what repeats"]
    assert "kinds of pages" in told["templates"]
    assert "cannot be read" not in " ".join(told.values())

"""A person at the dashboard: real Chromium, from starting a crawl to looking at a page with its marked text."""

from __future__ import annotations

from tests.crawl.crawling import PATIENCE
from tests.dashboard.chromium import Browser, assert_accessible, browser, picture
from tests.dashboard.conftest import Dashboard
from tests.sites import Served

__all__ = ["browser"]


def test_a_walk_through_the_dashboard(browser: Browser, dashboard: Dashboard, news: Served) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 820})
    page.set_default_timeout(PATIENCE * 1000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(dashboard.url)

    page.get_by_role("button", name="New crawl").click()
    page.get_by_label("URLs, one a line").fill(news["news"])
    page.get_by_label("Name").fill("walk")
    page.get_by_label("Most pages").first.fill("150")
    page.get_by_label("Seconds between requests").first.fill("2")  # not over before it is paused
    page.get_by_label("private addresses too").check()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("heading", name="walk").wait_for()

    page.get_by_role("tab", name="Records").click()
    page.locator("[data-record]").first.wait_for()
    written = dashboard.ask("/api/v1/crawls/walk/records?limit=1000")[1]
    page.locator(f"[data-record='{written[0]['id']}']").wait_for(state="attached")
    page.get_by_role("tab", name="Live").click()
    page.locator("#state.running").wait_for()

    page.get_by_role("button", name="Pause").click()
    page.locator("#state.paused").wait_for()
    assert dashboard.ask("/api/v1/crawls/walk", "PATCH", {"politeness": {"delay": 0}})[0] == 200
    page.get_by_role("button", name="Resume").click()
    page.locator("#state.done").wait_for()
    picture(page, "light")

    page.get_by_role("tab", name="Records").click()
    page.locator("[data-record]").nth(3).click()
    inside = page.frame_locator("#record-page")
    inside.locator("body").wait_for()
    assert page.locator("#record-text").text_content()
    picture(page, "page")
    page.get_by_role("button", name="Close").last.click()

    page.get_by_role("tab", name="Records").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="Hosts").get_attribute("aria-selected") == "true"
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    assert_accessible(page)
    page.get_by_role("tab", name="Live").click()
    picture(page, "dark")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, "phone")
    assert not faults
    page.close()


def test_a_dead_letter_is_tried_again(browser: Browser, dashboard: Dashboard, news: Served) -> None:
    dashboard.start(news["hostile"] + "nothing-here", "given-up", depth=0, max_attempts=1)
    dashboard.wait("given-up", "done")
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{dashboard.url}#given-up")
    page.get_by_role("heading", name="given-up").wait_for()
    page.get_by_role("tab", name="Given up").click()
    page.get_by_role("button", name="Try all again").click()
    page.get_by_text("1 queued again").wait_for()
    page.close()

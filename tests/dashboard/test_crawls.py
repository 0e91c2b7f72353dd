"""Crawls started, steered and looked into over the REST interface."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from tests.crawl.crawling import PATIENCE
from tests.dashboard.conftest import Dashboard, launch
from tests.sites import Served


def test_a_crawl_from_its_start_to_its_records(dashboard: Dashboard, news: Served) -> None:
    dashboard.start(news["news"], "whole", max_pages=12)
    crawl = dashboard.wait("whole", "done", pages=12)
    assert crawl["records"] == 12
    assert crawl["set_aside"] == {}
    assert crawl["copies"] >= 0
    records = dashboard.ask("/api/v1/crawls/whole/records?limit=100")[1]
    assert len(records) == 12
    assert [each["id"] for each in records] == sorted((each["id"] for each in records), reverse=True)
    lines = (dashboard.root / "whole" / "records.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["url"] for line in lines) == sorted(each["url"] for each in records)
    titled = next(each for each in records if each["title"] and len(each["title"]) > 5)
    found = dashboard.ask(f"/api/v1/crawls/whole/records?search={quote(titled['title'].split()[0])}")[1]
    assert titled["id"] in [each["id"] for each in found]
    assert dashboard.ask("/api/v1/crawls/whole/records?search=wordthatnobodysaid")[1] == []
    whole = dashboard.ask(f"/api/v1/crawls/whole/records/{titled['id']}")[1]
    assert whole["url"] == titled["url"]
    status, html, headers = dashboard.ask(f"/api/v1/crawls/whole/records/{titled['id']}/page")
    assert status == 200
    assert "<mark id=" in html
    assert "<script" not in html
    assert headers["content-security-policy"].startswith("sandbox; default-src 'none'")


def test_pause_change_and_resume(dashboard: Dashboard, news: Served) -> None:
    dashboard.start(news["news"], "steered", delay=0.5, max_pages=200)
    dashboard.wait("steered", "running", pages=1)
    assert dashboard.ask("/api/v1/crawls/steered/resume", "POST")[0] == 409
    status, crawl, _ = dashboard.ask("/api/v1/crawls/steered/pause", "POST")
    assert (status, crawl["state"]) == (200, "paused")
    assert dashboard.ask("/api/v1/crawls/steered/pause", "POST")[0] == 409
    bound = crawl["pages"] + 5
    assert dashboard.ask("/api/v1/crawls/steered", "PATCH", {"limits": {"max_pages": bound}})[0] == 200
    assert dashboard.ask("/api/v1/crawls/steered", "PATCH", {"limits": {"max_page": 1}})[0] == 422
    assert dashboard.ask("/api/v1/crawls/steered/resume", "POST")[0] == 200
    crawl = dashboard.wait("steered", "done")
    assert crawl["records"] == bound
    assert dashboard.ask("/api/v1/crawls/steered", "DELETE")[0] == 204
    assert dashboard.ask("/api/v1/crawls/steered")[0] == 404


def test_dead_letters_are_shown_and_tried_again(dashboard: Dashboard, news: Served) -> None:
    dashboard.start(news["hostile"] + "no-such-page", "dead", depth=0, max_attempts=1)
    dashboard.wait("dead", "done")
    (letter,) = dashboard.ask("/api/v1/crawls/dead/dead")[1]
    assert letter["reason"] == "HTTP 404"
    chosen = {"fingerprints": [letter["fingerprint"]]}
    assert dashboard.ask("/api/v1/crawls/dead/dead/replay", "POST", chosen)[1] == {"queued": 1}
    dashboard.wait("dead", "done")
    assert len(dashboard.ask("/api/v1/crawls/dead/dead")[1]) == 1


def test_a_job_that_cannot_be_is_refused_with_a_reason(dashboard: Dashboard, news: Served) -> None:
    for job, said in (
        ({"seeds": []}, "seeds"),
        ({"seeds": ["ftp://a/"]}, "not an http"),
        ({"seeds": [news["news"]], "limit": {}}, "did you mean limits?"),
        ({"seeds": [news["news"]], "state": "/etc"}, "state"),
        ({"seeds": [news["news"]], "outputs": ["/etc/passwd.jsonl"]}, "outputs"),
        ({"seeds": [news["news"]]}, "private address"),
    ):
        status, answer, headers = dashboard.ask("/api/v1/crawls", "POST", {"job": job})
        assert status == 422
        assert headers["content-type"] == "application/problem+json"
        assert said in answer["detail"]


def test_crawls_outlive_the_dashboard(tmp_path: Path, news: Served) -> None:
    process, first = launch(tmp_path / "crawls", "--allow-private")
    first.start(news["news"], "long", delay=0.1, max_pages=60)
    first.wait("long", "running")
    process.kill()
    process.wait()
    process, second = launch(tmp_path / "crawls", "--allow-private")
    try:
        assert second.wait("long", "done", "running")["steerable"]
        assert second.wait("long", "done")["records"] == 60
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_private_addresses_need_the_dashboard_to_allow_them(tmp_path: Path, news: Served) -> None:
    process, closed = launch(tmp_path / "crawls")
    try:
        job = {"seeds": [news["news"]], "http": {"allow_private": True}}
        status, answer, _ = closed.ask("/api/v1/crawls", "POST", {"job": job})
        assert status == 422
        assert "--allow-private" in answer["detail"]
    finally:
        process.terminate()
        process.wait(PATIENCE)

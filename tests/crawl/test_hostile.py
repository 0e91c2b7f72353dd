"""The hostile site: the crawl ends by itself within its bounds, and the summary tells each cause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import orjson
import pytest

from nephila.record import Record
from tests.crawl.crawling import Done, Place, nephila
from tests.sites import Served, serve
from tests.sites.hostile import EXPECTED

JOB = """
[limits]
timeout = 4
stall = 2
max_attempts = 2
retry_base = 0.2
max_body = "8MB"
family_budget = 50
max_time = "120s"
"""

CAUSES = {
    "timeout": {"timeout", "stalled"},
    "reset": {"connection lost", "body cut short"},
    "truncated": {"body cut short", "broken content encoding"},
    "protocol": {"broken HTTP", "body cut short"},
    "too-large": {"body too large", "decompression bomb", "broken HTTP", "body cut short"},
    "bad-encoding": {"broken content encoding"},
    "redirect-loop": {"redirects to itself"},
    "too-many-redirects": {"too many redirects"},
    "bad-location": {"redirect to a bad target"},
    "bad-scheme": {"redirect to a bad target"},
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve("hostile", log=tmp_path_factory.mktemp("hostile") / "requests.jsonl") as served:
        yield served


@pytest.fixture(scope="module")
def crawled(hostile: Served, tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Done]:
    place = Place(tmp_path_factory.mktemp("crawl"))
    return place, place.crawl(hostile["hostile"], "--job", place.job(JOB))


@pytest.fixture(scope="module")
def records(crawled: tuple[Place, Done]) -> dict[str, Record]:
    return {unquote(urlsplit(record.url).path): record for record in crawled[0].records}


@pytest.fixture(scope="module")
def reasons(crawled: tuple[Place, Done]) -> dict[str, str]:
    """Why each path was given up."""
    listed = nephila("dead", "list", "--state", crawled[0].state, "--limit", 1000, "--json")
    letters = [orjson.loads(line) for line in listed.out.splitlines()]
    return {unquote(urlsplit(letter["url"]).path): letter["reason"] for letter in letters}


def test_the_crawl_ends_by_itself(crawled: tuple[Place, Done]) -> None:
    place, done = crawled
    assert done.status == 0, done.err
    assert "Traceback" not in done.err
    assert place.summary["stopped"] == "finished", done.err
    assert place.summary["complete"]
    assert place.summary["restarts"] == 0
    assert place.workers_log == ""


def test_good_pages_are_read(records: dict[str, Record]) -> None:
    """Redirects lead to pages that are recorded under the address that was met first."""
    for path, expected in EXPECTED.items():
        if expected.outcome == "ok" and not expected.either and not path.startswith("/redirect/"):
            assert path in records or path == "/seite/größe-日本", path
            record = records.get(path)
            if record is not None and expected.contains and path not in ("/shape/nested", "/shape/unclosed"):
                assert expected.contains in (record.text or ""), path


def test_each_failure_has_its_cause(reasons: dict[str, str], records: dict[str, Record]) -> None:
    assert {"/redirect/loop-a", "/redirect/loop-b"} & set(reasons)  # a circle is reported where it closed
    elsewhere = {"/redirect/loop-a", "/redirect/loop-b", "/redirect/no-host"}  # http:///x is http://x/ to a browser
    for path, expected in EXPECTED.items():
        if expected.outcome == "failed" and expected.cause in CAUSES and not expected.prefix:
            if path in elsewhere or (expected.either and path in records):
                continue
            reason = reasons.get(path, "")
            assert any(reason.startswith(cause) for cause in CAUSES[expected.cause]), (path, reason)


def test_statuses_are_reported(reasons: dict[str, str], crawled: tuple[Place, Done]) -> None:
    statuses = crawled[0].summary["labelled"]["responses"]
    for path, expected in EXPECTED.items():
        if expected.outcome == "status":
            assert str(expected.status) in statuses, path
            if expected.status not in (204, 304) and not path.startswith("/redirect/"):
                assert reasons.get(path, "").startswith(f"HTTP {expected.status}"), path


def test_the_summary_names_every_cause(reasons: dict[str, str], crawled: tuple[Place, Done]) -> None:
    place, _ = crawled
    counted = Counter(reason.split(":")[0] for reason in reasons.values())
    assert {error["cause"]: error["count"] for error in place.summary["errors"]} == counted
    assert place.summary["dead"] == len(reasons)


def test_what_robots_txt_forbids_is_never_asked_for(hostile: Served, crawled: tuple[Place, Done]) -> None:
    asked = [request.path for request in hostile.requests("hostile")]
    assert [path for path in asked if path.startswith("/forbidden/")] == ["/forbidden/allowed"]
    assert not [path for path in asked if path.startswith("/follow/target-")]
    assert crawled[0].summary["counters"]["robots_denied"] >= 1


def test_what_asks_not_to_be_kept_is_not_kept(records: dict[str, Record], crawled: tuple[Place, Done]) -> None:
    assert "/follow/noindex" not in records
    assert "/kind/204" not in records
    assert crawled[0].summary["labelled"]["skipped"] == {"noindex": 1, "no content": 1}


def test_traps_are_bounded(hostile: Served, crawled: tuple[Place, Done]) -> None:
    asked = Counter(
        match[0] for request in hostile.requests("hostile") if (match := re.match(r"/trap/\w+", request.path))
    )
    bounds = {path.rstrip("/"): expected.at_most for path, expected in EXPECTED.items() if expected.outcome == "trap"}
    for path, most in bounds.items():
        assert most is not None
        # Twice what the site's author holds for enough: a family has its budget before it is known for a trap.
        assert 1 <= asked[path] <= 2 * most, (path, asked)


def test_redirects_off_the_site_are_not_followed(reasons: dict[str, str], records: dict[str, Record]) -> None:
    for record in records.values():
        assert (record.final_url or "").startswith("http://127.0.0.1:")
    assert not [path for path in reasons if path.startswith("/latest/meta-data")]


def test_a_page_behind_a_cookie_is_reached(records: dict[str, Record]) -> None:
    assert "cookie came back" in (records["/redirect/cookie"].text or "")

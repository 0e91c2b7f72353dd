"""Strangers, forged requests and bent names get nowhere."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from nephila.cli.serving_dashboard import serve
from nephila.dashboard.guards import Rate
from nephila.errors import ConfigError
from tests.crawl.crawling import PATIENCE
from tests.dashboard.conftest import Dashboard, launch

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    process, running = launch(tmp_path_factory.mktemp("closed"), "--token", TOKEN)
    yield running
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.parametrize("path", ["/api/v1/crawls", "/api/v1/openapi.json", "/static/app.js"])
def test_without_the_token_nothing_is_told(closed: Dashboard, path: str) -> None:
    assert closed.ask(path)[0] == 401
    assert closed.ask(path, headers={"authorization": "Bearer wrong"})[0] == 401
    assert closed.ask(path, headers={"authorization": f"Basic {TOKEN}"})[0] == 401
    assert closed.ask(path, headers={"cookie": "nephila_session=forged"})[0] == 401
    assert closed.ask(path, headers={"authorization": f"Bearer {TOKEN}"})[0] == 200


def test_the_token_opens_a_session_that_scripts_cannot_read(closed: Dashboard) -> None:
    assert "Token" in closed.ask("/")[1]
    place = urlsplit(closed.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port)

    def login(token: str) -> http.client.HTTPResponse:
        form = {"content-type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/login", f"token={token}", form)
        answer = connection.getresponse()
        answer.read()
        return answer

    assert login("wrong").status == 401
    answer = login(TOKEN)
    assert answer.status == 303
    cookie = answer.getheader("set-cookie") or ""
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert closed.ask("/api/v1/crawls", headers={"cookie": cookie.partition(";")[0]})[0] == 200


def test_another_name_for_our_address_is_refused(dashboard: Dashboard) -> None:
    assert dashboard.ask("/api/v1/crawls", headers={"host": "evil.example"})[0] == 421
    assert dashboard.ask("/api/v1/crawls", headers={"host": "localhost:1"})[0] == 200


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}]
)
def test_a_request_of_another_site_changes_nothing(dashboard: Dashboard, headers: dict[str, str]) -> None:
    body = {"job": {"seeds": ["http://example.org/"]}, "name": "forged"}
    assert dashboard.ask("/api/v1/crawls", "POST", body, headers=headers)[0] == 403
    assert dashboard.ask("/api/v1/crawls/forged")[0] == 404


def test_every_answer_forbids_what_a_page_must_not_do(dashboard: Dashboard) -> None:
    for path in ("/", "/api/v1/crawls", "/static/app.js", "/nowhere"):
        headers = dashboard.ask(path)[2]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2f..%2fetc", "a%00b", "x" * 300])
def test_no_path_leads_out_of_the_root(dashboard: Dashboard, name: str) -> None:
    assert dashboard.ask(f"/api/v1/crawls/{name}")[0] in (404, 422)


def test_too_much_is_refused(dashboard: Dashboard) -> None:
    place = urlsplit(dashboard.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port)
    connection.putrequest("POST", "/api/v1/crawls")
    connection.putheader("content-length", "2000000")
    connection.endheaders()
    assert connection.getresponse().status == 413


def test_who_asks_too_often_has_to_wait() -> None:
    rate = Rate(second=0.0, burst=3.0, most_clients=2)
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")


def test_a_short_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="too short"):
        serve(tmp_path, None, tmp_path, "127.0.0.1", 0, "short", [], allow_private=False)

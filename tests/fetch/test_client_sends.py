"""What the client sends, to whom and by which way: headers, cookies, secrets, proxies."""

from __future__ import annotations

import asyncio

import pytest

from nephila.fetch.client import Client
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.identity import client_options, user_agent
from nephila.job import Job
from tests.fetch.asking import OPTIONS, cause_of, client, with_server
from tests.fetch.rawserver import Asked, answer
from tests.servers.ports import free_port

# --- headers and cookies ---------------------------------------------------------------------------------------------


def test_the_request_says_who_asks_and_carries_what_it_was_given() -> None:
    async def visit(url: str, asked: list[Asked]) -> Asked:
        async with client(headers={"X-Job": "j", "Accept": "text/html"}, cookies={"token": "t"}) as made:
            await made.get(f"{url}a%2Fb?q=%C3%A4&x", headers={"If-None-Match": '"e"', "X-Job": "mine"})
        return asked[0]

    asked = with_server(answer(), visit)
    assert asked.line == "GET /a%2Fb?q=%C3%A4&x HTTP/1.1"
    assert asked.headers["user-agent"] == "Test/1"
    assert asked.headers["if-none-match"] == '"e"'
    assert asked.headers["x-job"] == "mine"
    assert asked.headers["accept"] == "text/html"
    assert asked.headers["cookie"] == "token=t"
    assert "br" in asked.headers["accept-encoding"]


def test_cookies_come_back_within_bounds() -> None:
    flood = [f"Set-Cookie: c{n}={'x' * 50}; Path=/p{n}" for n in range(100)]

    async def visit(url: str, asked: list[Asked]) -> list[str]:
        async with client() as made:
            for path in ("login", "x", "p50"):
                await made.get(url + path)
        return [request.headers.get("cookie", "") for request in asked]

    async def reply(request: Asked, writer: asyncio.StreamWriter) -> None:
        more = ["Set-Cookie: session=s1", "Set-Cookie: huge=" + "h" * 5000] if request.target == "/login" else flood
        writer.write(answer(200, b"", *more))

    first, second, third = with_server(reply, visit)
    assert first == ""
    assert second == "session=s1"
    assert set(third.split("; ")) == {"session=s1", f"c50={'x' * 50}"}


def test_a_job_gives_its_options_to_the_client() -> None:
    job = Job.from_dict(
        {
            "http": {"contact": "https://me.example/bot", "proxy": "http://one.example:1"},
            "sites": {"a.example": {"proxy": "http://two.example:2"}, "b.example": {}},
            "limits": {"timeout": "1m", "max_body": "2M"},
        }
    )
    options = client_options(job)
    assert options.user_agent == user_agent(job)
    assert options.user_agent.startswith("Nephila/")
    assert "https://me.example/bot" in options.user_agent
    assert (options.timeout, options.max_body) == (60.0, 2 * 2**20)
    assert (options.proxy, options.proxies) == ("http://one.example:1", ("http://two.example:2",))


# --- proxies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", [False, True], ids=["of-the-job", "of-the-request"])
def test_a_private_proxy_is_used_with_its_credentials_though_private_addresses_are_refused(own: bool) -> None:
    async def visit(url: str, asked: list[Asked]) -> Asked:
        proxy = url.replace("http://", "http://user:secret@")
        options = {"proxies": (proxy,)} if own else {"proxy": proxy}
        async with client(allow_private=False, **options) as made:
            await made.get("http://site.example/page", proxy=proxy if own else None)
            with pytest.raises(FetchError) as failure:
                await made.get("http://10.0.0.1/")
            assert failure.value.cause is Cause.ADDRESS
        return asked[0]

    asked = with_server(answer(), visit)
    assert asked.line == "GET http://site.example/page HTTP/1.1"
    assert asked.headers["proxy-authorization"] == "Basic dXNlcjpzZWNyZXQ="
    assert "authorization" not in asked.headers


def test_a_proxy_that_is_down_or_unwilling() -> None:
    assert cause_of("http://site.example/", proxy=f"http://127.0.0.1:{free_port()}") is Cause.PROXY

    async def visit(url: str, _: list[Asked]) -> Cause:
        async with client(proxy=url) as made:
            with pytest.raises(FetchError) as failure:
                await made.get("https://site.example/")
            return failure.value.cause

    assert with_server(answer(403, b""), visit) is Cause.PROXY


def test_a_closed_client_opens_again() -> None:
    async def visit(url: str, _: list[Asked]) -> None:
        made = Client(OPTIONS)
        for _turn in range(2):
            assert (await made.get(url)).body == b"fine"
            await made.close()

    with_server(answer(), visit)


@pytest.mark.parametrize(("home", "told"), [(frozenset({"127.0.0.1"}), True), (frozenset({"home.example"}), False)])
def test_secrets_go_to_the_sites_of_the_seeds_alone(home: frozenset[str], told: bool) -> None:
    headers = {"Authorization": "Bearer xyzzy", "X-Api-Key": "xyzzy", "Accept-Language": "pl"}

    async def visit(url: str, asked: list[Asked]) -> str:
        async with client(headers=headers, cookies={"session": "xyzzy"}, home=home) as made:
            await made.get(url)
            assert ("xyzzy" in str(made.cookies(url))) is told
        return str(asked[0].headers)

    sent = with_server(answer(), visit)
    assert sent.count("xyzzy") == (3 if told else 0)
    assert "pl" in sent


def test_the_seeds_are_home() -> None:
    options = client_options(Job(seeds=("https://news.example.co.uk/a", "http://127.0.0.1:8080/")))
    assert options.home == {"example.co.uk", "127.0.0.1"}

from __future__ import annotations

import string
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.telemetry import redact

CORE = "Zq7Xw9Kv3"
"""Marks the secret; in no template below."""
VISIBLE = string.ascii_letters + string.digits + string.punctuation


def secrets(alphabet: str) -> st.SearchStrategy[str]:
    """Anything around the mark, so that no character before it can end the redaction early."""
    around = st.text(alphabet, max_size=12)
    return st.builds(lambda before, after: before + CORE + after, around, around)


SURROUNDINGS = st.sampled_from(["", "fetching ", "GET https://a.example/x?y=1 -> ", "line one\n", "(referer: None) "])
USERINFO = secrets("".join(set(VISIBLE) - set("/?#")))
LINE = secrets(VISIBLE + " \t")
VALUE = secrets("".join(set(VISIBLE) - set("&")))
NAMES = st.sampled_from(
    (
        *("password", "passwd", "pwd", "pass", "token", "access_token", "accessToken", "user[password]", "api_key"),
        *("apikey", "client_secret", "signature", "sid", "PHPSESSID", "session_id", "auth", "jwt"),
        *("Password", "TOKEN"),
    )
)
HEADERS = st.sampled_from(
    [
        "Authorization",
        "authorization",
        "Proxy-Authorization",
        "Cookie",
        "Set-Cookie",
        "COOKIE",
        "X-Auth-Token",
        "X-Api-Key",
    ]
)


@given(SURROUNDINGS, st.sampled_from(["https", "redis", "socks5", "postgresql+psycopg"]), USERINFO)
def test_user_information_of_a_url(before: str, scheme: str, secret: str) -> None:
    shown = redact(f"{before}{scheme}://{secret}@host.example:8080/path and more")
    assert CORE not in shown
    assert "@host.example:8080/path and more" in shown


@given(USERINFO)
def test_user_information_of_a_url_within_a_query(secret: str) -> None:
    assert CORE not in redact("https://a.example/?next=" + quote(f"https://{secret}@host.example/", safe=""))


@given(SURROUNDINGS, HEADERS, st.sampled_from([": ", ":", "=", " = "]), LINE)
def test_header_as_on_the_wire(before: str, name: str, separator: str, secret: str) -> None:
    shown = redact(f"{before}{name}{separator}Basic {secret}\r\nAccept: text/html")
    assert CORE not in shown
    assert shown.endswith("\r\nAccept: text/html")


@given(HEADERS, LINE)
def test_header_in_a_mapping_as_python_shows_it(name: str, secret: str) -> None:
    mapping = {"Accept": "x", name: secret, "Host": "y"}
    for shape in (
        mapping,
        {key.encode(): value.encode() for key, value in mapping.items()},
        {key.encode(): [value.encode(), value.encode()] for key, value in mapping.items()},
        list(mapping.items()),
        [(key.encode(), value.encode()) for key, value in mapping.items()],
    ):
        shown = redact(f"headers {shape!r} end")
        assert CORE not in shown
        assert CORE not in redact(repr(shape)[:-8])


@given(SURROUNDINGS, NAMES, VALUE)
def test_query_value_with_a_telling_name(before: str, name: str, secret: str) -> None:
    shown = redact(f"{before}https://a.example/login?q=1&{name}={secret}&page=2")
    assert CORE not in shown
    if secret[0].isalnum() and "'" not in secret[:2] and '"' not in secret[:2]:  # else it may be a quoted value
        assert shown.endswith("&page=2")


@given(NAMES, LINE)
def test_value_in_json_or_a_mapping(name: str, secret: str) -> None:
    import json

    assert CORE not in redact(repr({"user": "u", name: secret, "z": 1}))
    assert CORE not in redact(json.dumps({"user": "u", name: secret, "z": 1}))


@given(secrets(string.ascii_letters + string.digits + "!$%*+-_"))
def test_password_in_prose(secret: str) -> None:
    assert CORE not in redact(f"login failed, password: {secret}")


@given(st.text(st.characters(exclude_characters="@:=%,"), max_size=300))
def test_text_that_assigns_nothing_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "https://medium.example/@writer/a-post-1?page=2#top",
        "Crawled (200) <GET https://a.example/passage/keyboards/1?key=5> (referer: https://a.example/)",
        "mail to someone@site.example please",
        "3 pages, 2 errors: timeout, dns",
        "robots.txt of a.example: no rule for /author/asides",
        "https://a.example/?passenger=2&inside=1&design=x",
    ],
)
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece",
    [
        *("token", "a", "//", "//a", "%2f%2f", "%2f%2fa", "cookie", "cookie \t", "'cookie': [", "'cookie': ['a', "),
        *("password='", "password=\\", "a.-_", "x-a", "x-api-", "secret: ", "api", "b'"),
    ],
)
def test_hostile_text_takes_no_more_than_its_length(piece: str) -> None:
    """A pattern that is not linear would take hours for these."""
    for end in ("", "@", "secret", "=", "%40"):
        redact(piece * 8_000 + end)

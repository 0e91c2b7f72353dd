"""RFC 9309's own examples, the faults that real files have, and files made to hurt."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.fetch.robots_rules import PARSE_LIMIT, Robots, product_token

AGENT = "Nephila/0.1 (+https://nephila.example/about)"


def allows(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    body = text.encode() if isinstance(text, str) else text
    return Robots.parse(body).allows(f"https://www.example.com{path}", agent)


RFC_EXAMPLE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("anybot", "/publications/x.html", True),
        ("anybot", "/example/x", False),
        ("anybot", "/pictures/a.gif", False),
        ("anybot", "/pictures/a.gif?x", True),
        ("foobot", "/", False),
        ("foobot", "/example/page.html", True),
        ("FooBot/2.1", "/example/allowed.gif", True),
        ("foobot", "/publications/", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/example/a.gif", True),
        ("quxbot", "/example/page.html", True),
        ("foobotnews", "/", True),
        ("foo", "/", True),
    ],
)
def test_simple_example_of_the_rfc(agent: str, path: str, expected: bool) -> None:
    assert allows(RFC_EXAMPLE, path, agent) is expected


def test_longest_match_example_of_the_rfc() -> None:
    text = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
    assert not allows(text, "/example/page/disallowed.gif", "foobot")
    assert allows(text, "/example/page/else", "foobot")


@pytest.mark.parametrize(
    ("rule", "path", "matched"),
    [
        # RFC 9309, 2.2.2: table of encodings
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", True),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/foo/bar/baz", "/foo/bar/%62%61%7a", True),
        # 2.2.3: special characters
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-b.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-", False),
        ("/path/foo-$", "/path/foo-", True),
        ("/path/foo-$", "/path/foo-x", False),
        ("/a$b", "/a$b", True),
        # a reserved character and its escape differ in a path
        ("/a%2Fb", "/a/b", False),
        ("/a&b", "/a%26b", False),
        ("/caf%E9", "/caf%E8", False),
        ("/caf%E9", "/caf%e9", True),
        # wildcards
        ("*", "/", True),
        ("/*", "/x", True),
        ("/fish*", "/fishheads/yummy.html", True),
        ("/fish", "/Fish.asp", False),
        ("/*.php$", "/folder/filename.php", True),
        ("/*.php$", "/filename.php?parameters", False),
        ("/*.php$", "/filename.php.php", True),
        ("/fish*.php", "/fishheads/catfish.php?parameters", True),
        ("/fish*.php", "/Fish.PHP", False),
        ("/a*b*c$", "/abbbc", True),
        ("/a*bc*bc$", "/abc", False),
        ("/*?sort=", "/list?page=2&sort=asc", False),
        ("/*&sort=", "/list?page=2&sort=asc", True),
        ("/*?*sort=", "/list?page=2&sort=asc", True),
        ("***/x***", "/a/x", True),
        # what is not of the grammar, but meant
        ("admin/", "/admin/x", True),
        ("https://www.example.com/private/*x", "/private/yx", True),
        ("%zz%", "/%zz%", True),
    ],
)
def test_a_rule_matches_as_the_rfc_says(rule: str, path: str, matched: bool) -> None:
    assert allows(f"User-agent: *\nDisallow: {rule}\n", path) is not matched


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        (["Disallow: /page", "Allow: /page"], "/page", True),
        (["Allow: /p", "Disallow: /"], "/page", True),
        (["Allow: /folder", "Disallow: /folder"], "/folder/page", True),
        (["Allow: /page", "Disallow: /*.htm"], "/page.htm", False),
        (["Allow: /page", "Disallow: /*.ph"], "/page.php5", True),
        (["Allow: /$", "Disallow: /"], "/", True),
        (["Allow: /$", "Disallow: /"], "/page.htm", False),
        (["Disallow: /a$", "Allow: /*a$"], "/a", True),
        (["Disallow: /*a", "Allow: /*ab"], "/xab", True),
        (["Allow: /*a", "Disallow: /*ab"], "/xab", False),
        (["Disallow:"], "/x", True),
        (["Disallow: /"], "/robots.txt", True),
        (["Disallow: /"], "", False),
        (["Disallow: /?"], "?q=1", False),
        (["Disallow: /x"], "/#/x", True),
    ],
)
def test_the_longest_rule_decides_and_allow_wins_a_tie(rules: list[str], path: str, expected: bool) -> None:
    for order in (rules, rules[::-1]):
        assert allows("\n".join(["User-agent: *", *order]), path) is expected


def test_groups_of_the_same_agent_are_merged() -> None:
    text = "User-agent: nephila\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: NEPHILA/2.0\nDisallow: /b\n"
    assert [allows(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_other_lines_do_not_part_a_group_but_a_crawl_delay_does() -> None:
    parted = "User-agent: nephila\nSitemap: https://e.com/s.xml\nHost: e.com\n\nFoo: bar\nUser-agent: b\nDisallow: /\n"
    assert not allows(parted, "/x")
    assert allows("User-agent: *\nCrawl-delay: 5\nUser-agent: badbot\nDisallow: /\n", "/x")


def test_rules_before_any_agent_are_ignored() -> None:
    assert allows("Disallow: /\nUser-agent: *\nDisallow: /x", "/y")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n\r"])
def test_every_line_end_and_mark_is_understood(end: str) -> None:
    text = end.join(
        ["# comment", "user-AGENT : *  # all", "  Disallow /no-colon", "DISALLOW:\t/x#y", "Disalow: /typo", ""]
    )
    for body in (
        text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("utf-16"),
        b"\xfe\xff" + text.encode("utf-16-be"),
    ):
        assert [allows(body, path) for path in ("/no-colon", "/x", "/typo", "/fine")] == [False, False, False, True]


def test_bytes_that_are_not_utf8_become_the_escapes_of_a_url() -> None:
    body = b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /\xff\x00x\n"
    assert not allows(body, "/caf%E9")
    assert allows(body, "/caf%C3%A9")
    assert not allows(body, "/%FF%00x")


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        (AGENT, "nephila"),
        ("Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", "mj12bot"),
        ("my-bot_2", "my-bot_2"),
        ("", ""),
    ],
)
def test_the_product_token_is_found_in_a_user_agent(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 10", 10),
        ("User-agent: *\nCrawl-delay: 0,5\nCrawl-delay: x\nCrawl-delay: -1\nCrawl-delay: inf\nCrawl-delay: nan", 0.5),
        ("User-agent: nephila\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 9\nUser-agent: nephila\nCrawl-delay: 3", 3),
        ("User-agent: nephila\nDisallow: /x\nUser-agent: *\nCrawl-delay: 9", None),
        ("Crawl-delay: 9", None),
    ],
)
def test_the_crawl_delay_of_the_matching_group_is_told(text: str, delay: float | None) -> None:
    assert Robots.parse(text.encode()).crawl_delay(AGENT) == delay


def test_sitemaps_are_listed_wherever_they_stand() -> None:
    body = b"Sitemap: https://e.com/a.xml\nUser-agent: *\nsitemap:/b.xml\nSITEMAP :\nSitemap: https://[e.com/\n"
    assert Robots.parse(body, url="https://e.com/robots.txt").sitemaps == ["https://e.com/a.xml", "https://e.com/b.xml"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 499, 301, 304])
def test_a_missing_file_allows_everything(status: int) -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /", status)
    assert robots.allows("https://e.com/x", AGENT)
    assert not robots.unreachable


@pytest.mark.parametrize("status", [0, 429, 500, 503, 599, 999])
def test_an_unreachable_file_allows_nothing_but_itself(status: int) -> None:
    robots = Robots.parse(b"User-agent: *\nAllow: /", status)
    assert robots.unreachable
    assert not robots.allows("https://e.com/x", AGENT)
    assert robots.allows("https://e.com/robots.txt", AGENT)


def test_a_file_is_cut_between_lines_at_the_limit() -> None:
    head = b"User-agent: *\nDisallow: /first\n"
    filler = b"# " + b"x" * (PARSE_LIMIT - len(head) - 2 - 1 - len(b"Disallow: /")) + b"\n"
    body = head + filler + b"Disallow: /private\n"
    assert body[:PARSE_LIMIT].endswith(b"Disallow: /")
    assert not allows(body, "/first")
    assert allows(body, "/private")
    assert allows(body, "/x")


HOSTILE = {
    "agents times rules": "".join(f"User-agent: b{i}\n" for i in range(20_000)) + "Disallow: /\n" * 18_000,
    "many wildcards": "User-agent: *\n" + "".join(f"Disallow: /*{i}*x$\n" for i in range(30_000)),
    "one endless pattern": "User-agent: *\nDisallow: /" + "*a" * 250_000 + "$\n",
    "repeated letters": "User-agent: *\n" + "".join(f"Disallow: /*{'a' * (50 + i % 49)}b{i}\n" for i in range(5_700)),
    "many prefixes": "User-agent: *\n" + "".join(f"Disallow: /{'p' * (i % 700)}{i}\n" for i in range(1_400)),
    "escapes": "User-agent: *\nDisallow: /" + "%4" * 250_000,
    "no lines": "a" * PARSE_LIMIT,
    "stars": "User-agent: *\nDisallow: " + "*" * 500_000 + "x",
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_read_and_matched_in_bounded_time(body: str) -> None:
    """Minutes with a reader that multiplies agents by rules, or with backtracking; a fraction of a second here."""
    robots = Robots.parse(body.encode())
    for path in ("/", "/" + "a" * 2000, "/" + "a" * 2000 + "x", "/" + "p" * 700):
        robots.allows("https://e.com" + path, AGENT)


patterns = st.tuples(st.text("aab/*", max_size=6), st.sampled_from(["", "", "$"])).map(
    lambda parts: "/" + "".join(parts)
)


def matches_by_the_book(pattern: str, path: str) -> bool:
    """The RFC's wildcards by plain recursion, for patterns without escapes."""
    if pattern == "$":
        return not path
    if not pattern:
        return True
    if pattern[0] == "*":
        return matches_by_the_book(pattern[1:], path) or (bool(path) and matches_by_the_book(pattern, path[1:]))
    return bool(path) and path[0] == pattern[0] and matches_by_the_book(pattern[1:], path[1:])


@settings(max_examples=400)
@given(st.lists(st.tuples(patterns, st.booleans()), max_size=6), st.text("aab/", max_size=8))
def test_any_rules_decide_as_the_book_does(rules: list[tuple[str, bool]], tail: str) -> None:
    rules = [(re.sub(r"\*+", "*", pattern), allow) for pattern, allow in rules]
    path = "/" + tail
    text = "User-agent: *\n" + "".join(f"{'Allow' if allow else 'Disallow'}: {pattern}\n" for pattern, allow in rules)
    met = [(len(pattern), allow) for pattern, allow in rules if matches_by_the_book(pattern, path)]
    assert allows(text, path) is max(met, default=(0, True))[1]

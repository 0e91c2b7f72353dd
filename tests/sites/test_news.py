"""The newspaper's pages agree with its gold, and it answers as a newspaper's server does."""

from __future__ import annotations

import gzip
import re
from collections import Counter

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.sites import Served, news, serve
from tests.sites.client import Reply, ask, words

GOLD = news.gold()


def get(url: str, **headers: str) -> Reply:
    return ask(url, headers={name.replace("_", "-"): value for name, value in headers.items()}, patience=10)


def article_tree(served: Served, article: news.Article) -> LexborHTMLParser:
    reply = get(served["news"].rstrip("/") + article.path)
    assert reply.status == 200
    return LexborHTMLParser(reply.body.decode(article.encoding))


def test_there_are_thirty_articles_in_each_script() -> None:
    assert Counter(article.language for article in GOLD.values()) == dict.fromkeys(["en", "ru", "zh", "ar"], 30)
    letters = {"en": r"[a-z]", "ru": r"[а-я]", "zh": r"[\u4e00-\u9fff]", "ar": r"[\u0621-\u064a]"}
    for article in GOLD.values():
        share = len(re.findall(letters[article.language], article.text.lower())) / len(article.text)
        assert share > 0.5, article.path


def test_no_paragraph_stands_in_two_articles() -> None:
    counted = Counter(text for article in GOLD.values() for text in article.paragraphs)
    assert [text for text, count in counted.items() if count > 1] == []


def test_no_gap_of_a_pattern_is_left_open() -> None:
    assert not [article.path for article in GOLD.values() if "{" in article.text or "}" in article.text]


@pytest.mark.parametrize("language", ["en", "ru", "zh", "ar"])
def test_article_pages_say_what_the_gold_says(served: Served, language: str) -> None:
    for article in GOLD.values():
        if article.language != language:
            continue
        tree = article_tree(served, article)
        title, body = tree.css_first("h1"), tree.css_first(".story-body")
        assert title is not None
        assert body is not None
        assert title.text() == article.title
        assert tuple(node.text() for node in body.css("p")) == article.paragraphs
        page = words(tree.body.text()) if tree.body else ""
        assert article.author in page
        assert str(article.published.year) in page
        assert [words(node.text()) for node in tree.css(".comment p")] == [comment.text for comment in article.comments]


def test_two_articles_are_not_in_utf8(served: Served) -> None:
    others = {article.encoding: article for article in GOLD.values() if article.encoding != "utf-8"}
    assert set(others) == {"gb18030", "windows-1251"}
    for encoding, article in others.items():
        reply = get(served["news"].rstrip("/") + article.path)
        assert article.title.encode(encoding) in reply.body
    assert "charset" not in str(get(served["news"].rstrip("/") + others["gb18030"].path).header("Content-Type"))


def test_machine_readable_facts_are_given_by_some_sections_only(served: Served) -> None:
    given: dict[str, set[str]] = {}
    for article in [article for article in GOLD.values() if article.language == "en"]:
        tree = article_tree(served, article)
        marks = {
            "json-ld": 'script[type="application/ld+json"]',
            "og": 'meta[property="og:title"]',
            "time": ".meta time",
        }
        given.setdefault(article.section, set()).update(name for name, css in marks.items() if tree.css_first(css))
    assert given == {
        "harbour": {"json-ld"},
        "science": {"json-ld", "og"},
        "culture": set(),
        "sport": {"time"},
        "city": {"og", "time"},
    }


def test_the_sitemaps_name_every_article_with_its_date(served: Served) -> None:
    root = served["news"]
    assert f"Sitemap: {root}sitemap.xml" in get(root + "robots.txt").body.decode()
    parts = re.findall(r"<loc>(.+?)</loc>", get(root + "sitemap.xml").body.decode())
    entries: dict[str, str] = {}
    for part in parts:
        text = gzip.decompress(get(part).body).decode()
        entries.update(re.findall(r"<loc>(.+?)</loc><lastmod>(.+?)</lastmod>", text))
    assert entries == {url: article.modified.isoformat() for url, article in news.gold(root).items()}


def test_a_known_page_is_answered_with_304(served: Served) -> None:
    url = next(iter(news.gold(served["news"])))
    first = get(url)
    etag, modified = first.header("ETag"), first.header("Last-Modified")
    assert etag
    assert modified
    assert get(url, If_None_Match=etag).status == 304
    assert get(url, If_Modified_Since=modified).status == 304
    assert get(url, If_None_Match='"other"', If_Modified_Since=modified).status == 200


def test_a_correction_changes_the_page_and_its_validators() -> None:
    article = list(GOLD.values())[-1]
    with serve("news") as served:
        url = served["news"].rstrip("/") + article.path
        before = get(url)
        assert ask(f"{served['news']}_control/correct?path={article.path}", method="POST", patience=10).status == 200
        assert get(url, If_None_Match=str(before.header("ETag"))).status == 200
        assert get(url).header("Last-Modified") != before.header("Last-Modified")


def test_every_article_can_be_reached_by_links_and_the_furniture_is_there(served: Served) -> None:
    root = served["news"].rstrip("/")
    queue, seen = ["/"], {"/"}
    while queue:
        reply = get(root + queue.pop())
        assert reply.status == 200
        tree = LexborHTMLParser(reply.body)
        if tree.css_first("nav"):
            assert len(tree.css("nav a")) >= 28
        for node in tree.css("a[href]"):
            href = str(node.attributes["href"])
            fresh = href.startswith("/") and href not in seen and not href.endswith(".xml")
            if fresh and "utm_" not in href and not re.match(r"/(share|print|\w\w/search)", href):
                seen.add(href)
                if not href.endswith(".html"):
                    queue.append(href)
    assert {article.path for article in GOLD.values()} <= seen

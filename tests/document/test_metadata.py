"""Metadata: from JSON-LD with all its faults, OpenGraph, microdata, RDFa, meta and time elements."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.document import Limits, Metadata, parse
from nephila.document.dates import to_iso
from nephila.document.jsonld import parse_json

URL = "https://example.org/a"


def metadata(html: str) -> Metadata:
    return parse(html, URL).metadata


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_absent_is_none() -> None:
    found = metadata("<p>Some text.</p>")
    fields = (
        "title",
        "description",
        "language",
        "published",
        "modified",
        "author",
        "site_name",
        "image",
        "generator",
        "tags",
    )
    assert [getattr(found, name) for name in fields] == [None] * len(fields)


def test_json_ld_of_an_article() -> None:
    found = metadata(
        json_ld(
            """{"@context": "https://schema.org", "@graph": [
            {"@type": "WebSite", "name": "The Site"},
            {"@type": "WebPage", "datePublished": "2020-01-01"},
            {"@type": ["NewsArticle"], "datePublished": "2024-05-06T07:08:09+02:00", "dateModified": "2024-05-07",
             "author": [{"@type": "Person", "name": "Ada L."}, {"name": "Bob M."}], "inLanguage": "en-GB",
             "image": {"url": "/pic.jpg"}, "keywords": "one, two", "description": "What it is."}]}"""
        )
    )
    assert (found.published, found.modified) == ("2024-05-06T07:08:09+02:00", "2024-05-07")
    assert (found.author, found.site_name, found.language) == ("Ada L., Bob M.", "The Site", "en-GB")
    assert (found.image, found.tags, found.description) == (
        "https://example.org/pic.jpg",
        ["one", "two"],
        "What it is.",
    )


def test_open_graph_and_meta() -> None:
    found = metadata(
        """<html lang="pt-BR"><head><title> A  title </title><meta property="og:title" content="OG title">
        <meta property="og:site_name" content="Site"><meta property="og:image" content="https://e.org/i.png">
        <meta name="description" content="About it"><meta name="author" content="Ana">
        <meta name="generator" content="G 1">
        <meta property="article:published_time" content="2023-02-03T04:05:06Z"><meta property="article:tag" content="x">
        <meta property="article:tag" content="y"><meta name="keywords" content="y; z">
        <meta name="twitter:card" content="c">"""
    )
    assert (found.title, found.language, found.author, found.generator) == ("A title", "pt-BR", "Ana", "G 1")
    assert (found.published, found.tags) == ("2023-02-03T04:05:06+00:00", ["x", "y", "z"])
    assert found.open_graph["og:title"] == "OG title"
    assert found.twitter == {"twitter:card": "c"}
    assert (found.site_name, found.image) == ("Site", "https://e.org/i.png")


def test_microdata_and_rdfa_are_flattened() -> None:
    found = metadata(
        """<article itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">H</h1>
        <span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Cy</b></span>
        <time itemprop="datePublished" datetime="2022-03-04">March</time></article>
        <div vocab="https://schema.org/" typeof="Product"><span property="name">Thing</span></div>"""
    )
    assert found.microdata[0]["headline"] == ["H"]
    assert found.microdata[1] == {"@type": ["Person"], "name": ["Cy"]}
    assert found.rdfa == [{"@type": ["Product"], "name": ["Thing"]}]
    assert (found.published, found.author) == ("2022-03-04", "Cy")


def test_a_time_element_dates_the_article_but_one_of_many_is_no_guess() -> None:
    assert metadata("<article><time datetime='2021-01-02'>x</time></article>").published == "2021-01-02"
    assert metadata("<time datetime='2021-01-02'>x</time><time datetime='2021-01-03'>x</time>").published is None


@pytest.mark.parametrize(
    ("html", "published"),
    [
        ("<article><time datetime='2021-01-02'>x</time></article><time datetime='2020-01-02'>y</time>", "2021-01-02"),
        # Of several articles none is the page's own.
        ("<article><time datetime='2021-01-02'>x</time></article>" * 2 + "<time datetime='2020-01-02'>y</time>", None),
        ("<time datetime='2020-01-02'>y</time><main><time datetime='2021-01-02'>x</time></main>", "2021-01-02"),
        (
            "<main><time>now</time><time datetime='2021-01-02'>x</time></main><time datetime='2020-01-02'>y",
            "2021-01-02",
        ),
        # All posts of a thread follow its first.
        ("".join(f"<p><time datetime='2021-01-0{day}'>x</time>" for day in (2, 5, 4)), "2021-01-02"),
        ("".join(f"<p><time datetime='2021-01-0{day}'>x</time>" for day in (4, 5, 2)), None),
    ],
)
def test_one_of_many_time_elements_is_the_pages_where_its_place_says_so(html: str, published: str | None) -> None:
    assert metadata(html).published == published


def test_a_question_is_dated_by_itself_and_not_by_its_answers() -> None:
    page = """{"@type": "QAPage", "mainEntity": {"@type": "Question", "dateCreated": "2021-01-02",
        "acceptedAnswer": {"@type": "Answer", "datePublished": "2021-01-05"}}}"""
    assert metadata(json_ld(page)).published == "2021-01-02"
    assert metadata(json_ld('{"@type": "Comment", "datePublished": "2021-01-05"}')).published is None


def test_what_readers_said_does_not_date_a_page() -> None:
    comment = """<div itemscope itemtype="https://schema.org/Comment">
        <meta itemprop=datePublished content=2021-01-05><meta itemprop=dateModified content=2021-01-06></div>"""
    found = metadata(comment)
    assert (found.published, found.modified) == (None, None)
    made = '<div itemscope itemtype="https://schema.org/Question"><meta itemprop=dateCreated content=2021-01-02></div>'
    assert metadata(comment + made).published == "2021-01-02"


def test_authors_are_those_of_the_page_and_each_is_named_once() -> None:
    of_another = """{"@graph": [{"@type": "Article", "author": {"name": "Ada Moor"}},
        {"@type": "ImageObject", "author": {"name": "Bo Fen"}}]}"""
    assert metadata(json_ld(of_another)).author == "Ada Moor"
    listed = "".join(f"<meta name=author content='{names}'>" for names in ("Ada Moor, Joanna Fen", "Joanna Fen", "Ann"))
    assert metadata(listed).author == "Ada Moor, Joanna Fen, Ann"
    linked = """{"@type": "Article", "author": "<a href='/ada'>Ada Moor</a>"}"""
    assert metadata(json_ld(linked)).author == "Ada Moor"


def test_a_name_of_tags_without_end_takes_linear_time() -> None:
    spent = []
    for count in (20_000, 80_000):
        page = json_ld(f'{{"@type": "Article", "author": "{"<" * count}"}}')
        start = time.process_time()
        metadata(page)
        spent.append(time.process_time() - start)
    assert spent[1] < 12 * max(spent[0], 0.005)


def test_works_that_an_article_refers_to_have_other_authors() -> None:
    work = "<div itemscope itemtype='https://schema.org/ScholarlyArticle'><meta itemprop=author content='{}'></div>"
    page = "".join(map(work.format, ("Ada Moor", "Bo Fen", "Cy Dale")))
    assert metadata(page).author == "Ada Moor"
    assert metadata(f"<meta name=citation_author content='Di Lee'>{page}").author == "Di Lee"


def test_language_from_the_header_when_the_page_says_nothing() -> None:
    assert parse("<p>x", URL, headers={"content-language": "de, en"}).metadata.language == "de"
    assert metadata('<meta property="og:locale" content="zh_CN">').language == "zh-CN"
    assert metadata('<html lang="not a language">').language is None


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2,], "b": "x, }",}',
        '{"a": [1, 2], "b": "x, }"};',
        '<!-- {"a": [1, 2], "b": "x, }"} -->',
        '//<![CDATA[\n{"a": [1, 2], "b": "x, }"}\n//]]>',
        '/* note */ {"a": [1, 2], /* here */ "b": "x, }"}',
        "{&quot;a&quot;: [1, 2], &quot;b&quot;: &quot;x, }&quot;}",
        '\ufeff{"a": [1, 2], "b": "x, }"}',
    ],
)
def test_the_usual_faults_of_json_are_repaired(text: str) -> None:
    assert parse_json(text) == [{"a": [1, 2], "b": "x, }"}]


def test_raw_line_breaks_bad_escapes_and_several_objects() -> None:
    assert parse_json('{"a": "line\nbreak\ttab"}') == [{"a": "line\nbreak\ttab"}]
    assert parse_json(r'{"a": "it\'s", "b": "\u00e9"}') == [{"a": r"it\'s", "b": "é"}]
    assert parse_json('{"a": 1}\n{"b": 2}') == [{"a": 1}, {"b": 2}]


def test_a_broken_script_does_not_lose_the_others() -> None:
    found = metadata(json_ld('{"a": nonsense') + json_ld('{"b": 2}'))
    assert found.json_ld == [{"b": 2}]


def test_json_ld_is_bounded_in_depth_and_size() -> None:
    deep = "[" * 5000 + "]" * 5000
    assert metadata(json_ld(deep)).json_ld == []
    assert metadata(json_ld('{"a":' * 100 + "1" + "}" * 100)).json_ld == []
    limits = Limits(max_metadata_bytes=100)
    assert parse(json_ld('{"a": 1}') + json_ld(f'{{"b": "{"x" * 200}"}}'), limits=limits).metadata.json_ld == [{"a": 1}]


@pytest.mark.parametrize(
    "script",
    [
        "null",
        "1",
        '"x"',
        '[[{"@type": 5}]]',
        '{"@graph": {"@type": null}, "author": [[1], {"name": {}}]}',
        '{"image": [3], "keywords": 7}',
        '{"datePublished": {"a": 1}, "publisher": "P", "inLanguage": ["en", 1]}',
    ],
)
def test_json_ld_of_any_shape_is_read(script: str) -> None:
    metadata(json_ld(script))


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T07:08", "2024-05-06T07:08:00"),
        ("2024-05-06 07:08:09", "2024-05-06T07:08:09"),
        ("2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09+00:00"),
        ("2024-05-06T07:08:09-0530", "2024-05-06T07:08:09-05:30"),
        ("2024/5/6", "2024-05-06"),
        ("20240506", "2024-05-06"),
        ("2024-05", "2024-05"),
        ("Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09+00:00"),
        ("1714979289", "2024-05-06T07:08:09+00:00"),
        ("yesterday", None),
        ("2024-13-45", None),
        ("0001-01-01T00:00:00Z", None),
        ("", None),
        (None, None),
        (True, None),
    ],
)
def test_dates_become_iso_8601(text: object, iso: str | None) -> None:
    assert to_iso(text) == iso


@given(st.one_of(st.text(max_size=70), st.integers(), st.from_regex(r"\d{4}-\d\d-\d\d[T ]?[\d:]{0,8}[+-]?\d{0,5}")))
def test_no_text_breaks_the_reading_of_dates(value: object) -> None:
    to_iso(value)

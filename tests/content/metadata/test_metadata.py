"""What a reader sees tells title, author and date where the markup does not."""

from __future__ import annotations

import pytest

from nephila.content.metadata.byline import written_author, written_date
from nephila.content.metadata.description import describe
from nephila.content.metadata.language import guess_language, language_of
from nephila.content.metadata.scripted import scripted_date
from nephila.content.metadata.title import title_of
from nephila.content.metadata.written_dates import date_in_url, find_date
from nephila.document import parse
from nephila.extraction import extract


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Posted November 4th, 2012 / By Jean", "en", "2012-11-04"),
        ("12 Apr 2020, 09:06", "en", "2020-04-12"),
        ("am 21. März 2020 um 7 Uhr", "de", "2020-03-21"),
        ("发布时间：2011年12月5日", "zh", "2011-12-05"),
        ("2018-06-08 17:35", "zh", "2018-06-08"),
        ("6 października 2012", "pl", "2012-10-06"),
        ("7 listopada 2011", "pl", "2011-11-07"),
        ("28 Νοεμβρίου 2011", "el", "2011-11-28"),
        ("06 января 2012", "ru", "2012-01-06"),
        ("le 1er juillet 2019", "fr", "2019-07-01"),
        ("3 de mayo de 2020", "es", "2020-05-03"),
        ("2 Ağustos 2020", "tr", "2020-08-02"),
        ("3/4/2012", "en", "2012-03-04"),
        ("3/4/2012", "en-GB", "2012-04-03"),
        ("3.4.2012", "en", "2012-04-03"),
        ("31/12/2012", "en", "2012-12-31"),
        ("May 2020", "en", None),
        ("Version 31.2.2020", "en", None),
        ("call 555-2020-12345", "en", None),
        ("", None, None),
    ],
)
def test_written_dates(text: str, language: str | None, expected: str | None) -> None:
    assert find_date(text, language) == expected


def test_dates_in_addresses() -> None:
    assert date_in_url("https://a.example/2016/02/09/story") == "2016-02-09"
    assert date_in_url("https://a.example/id/20161399") is None
    assert date_in_url("https://a.example/2024/may/06/story") == "2024-05-06"
    assert date_in_url("https://a.example/2024/5/6/story") == "2024-05-06"
    assert date_in_url("https://a.example/2024/spider/06/story") is None


_TELLING = "All that golden spiders weave of their silk in a garden"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<title>A long story of spiders | Web News</title><h1>A long story of spiders</h1>",
            "A long story of spiders",
        ),
        ("<title>Spiders - Web News</title><h1>Web News</h1><h2>Spiders</h2>", "Spiders"),
        (
            "<title>Spiders of the north - News</title><h1>Our spiders</h1><h1>Spiders of the north</h1>",
            "Spiders of the north",
        ),
        ("<title>How spiders weave - site</title>", "How spiders weave"),
        ("<meta property='og:site_name' content='Web News'><title>Web News: Spiders</title>", "Web News: Spiders"),
        ("<meta property='og:site_name' content='Web News'><title>Web News | Golden spiders</title>", "Golden spiders"),
        (
            "<title>The Garden » Archive » How spiders weave</title><h1>The Garden</h1><h2>How spiders weave</h2>",
            "The Garden",
        ),
        (
            "<title>The Garden » How golden spiders weave</title><h1>The Garden</h1><h2>How golden spiders weave</h2>",
            "How golden spiders weave",
        ),
        (
            f"<title>Out of the earth | {_TELLING}</title><h1>Out of the earth</h1><h2>{_TELLING}</h2>",
            "Out of the earth",
        ),
        (
            f"<title>Silk</title><h2>{_TELLING}?</h2><meta property=og:title content='{_TELLING}'><h1>{_TELLING}!",
            f"{_TELLING}!",
        ),
        ("<title>Weave</title><meta property=og:title content='The Garden'><h1>Weave</h1><h2>The Garden</h2>", "Weave"),
        ("<h1>Only a headline</h1>", "Only a headline"),
        ("<p>nothing</p>", None),
    ],
)
def test_titles_lose_the_name_of_the_site(html: str, expected: str | None) -> None:
    assert title_of(parse(html, "https://www.webnews.example/")) == expected


@pytest.mark.parametrize(
    ("byline", "name"),
    [
        ("By Ada Lovelace", "Ada Lovelace"),
        ("Written by Ada Lovelace | 3 min read", "Ada Lovelace"),
        ("Von Anna Müller", "Anna Müller"),
        ("作者：王小明", "王小明"),
        ("Автор: Иван Петров", "Иван Петров"),
        ("by the way, it rains", None),
        ("Posted on 3 May 2020", None),
    ],
)
def test_bylines(byline: str, name: str | None) -> None:
    document = parse(f"<h1>Headline</h1><p>{byline}</p><p>{'text ' * 100}</p>")
    assert written_author(document.blocks, 0) == name


def test_a_date_far_from_the_headline_is_not_the_pages() -> None:
    body = "".join(f"<p>paragraph {number} with words</p>" for number in range(20))
    document = parse(f"<h1>Headline</h1>{body}<p>On 3 May 2020 it rained.</p>")
    assert written_date(document.blocks, 0, "en") is None
    near = parse(f"<h1>Headline</h1><p class=date>3 May 2020</p>{body}")
    assert written_date(near.blocks, 0, "en") == "2020-05-03"


def test_markup_comes_before_what_is_written() -> None:
    html = """<html lang=de><meta name=author content=Ada><meta property="article:published_time" content="2020-01-02">
    <title>Titel</title><h1>Titel</h1><p>By Somebody Else, 3 May 2021</p>"""
    known = describe(parse(html, "https://a.example/2020/01/01/"), "")
    assert (known.title, known.author, known.published, known.language) == ("Titel", "Ada", "2020-01-02", "de")


def test_absent_is_none() -> None:
    known = describe(parse("<p>words only</p>"), "words only")
    assert (known.title, known.author, known.published, known.modified, known.tags) == (None,) * 5


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The quick brown fox jumps over the lazy dog and is not seen by it.", "en"),
        ("Der schnelle Fuchs springt über den faulen Hund und wird nicht gesehen.", "de"),
        ("他们在北京的大学里学习中文，每天都要写很多汉字，也要读书看报。", "zh"),
        ("これは日本語の文章です。毎日ひらがなとカタカナを使います。", "ja"),
        ("Это длинный текст на русском языке, и он не был переведён на другие.", "ru"),
        ("Nie jest to łatwe, ale się uda, że tak jest dla nas także lepiej.", "pl"),
        ("xyz", None),
    ],
)
def test_languages(text: str, language: str | None) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("en-US", "Nie wiem, czy to jest możliwe, ale może się uda, bo nie ma już nic do stracenia. " * 4, "pl"),
        ("en", "Это было давно, и никто не знает, что из этого правда и как это было на самом деле. " * 4, "ru"),
        ("en", "Das ist nicht wahr, und die Leute von der Post wissen das auch.", "en"),  # too short to be believed
        ("en", "The tide comes in, and nobody in the town asks why it is so. " * 5, "en"),
        ("en", "Zzyzx qwrtp bnmlk. " * 20, "en"),
        ("de", "The tide comes in, and nobody in the town asks why it is so. " * 5, "de"),
        (None, "The tide comes in, and nobody in the town asks why it is so. " * 5, "en"),
    ],
)
def test_english_is_what_templates_say(declared: str | None, text: str, language: str) -> None:
    assert language_of(declared, text) == language


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (
            '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Ada Moor">',
            "Ada Moor",
        ),
        (
            """<script type="application/ld+json">{"@graph": [{"@type": "Article", "author": {"@id": "#a"}},
            {"@type": ["Person"], "@id": "#a", "name": "Ada Moor"}]}</script>""",
            "Ada Moor",
        ),
        ('<p>3 May <a href="/u/1" rel="author">Ada Moor</a> in News</p>', "Ada Moor"),
        ('<p>News | <span class="author vcard"><a class="url fn" href="/x">by Ada Moor</a></span> | 3</p>', "Ada Moor"),
        ('<div class="comment-author">Ada Moor</div>', None),
        (
            "".join(f'<p>12 notes <a rel="author" href="/{n}">{n} Moor</a> and more</p>' for n in ("Ada", "Bo", "Cy")),
            None,
        ),
    ],
)
def test_a_signature_is_found_where_it_is_marked(html: str, author: str | None) -> None:
    assert extract(f"<title>On tides</title>{html}<h2>Other things</h2><p>{'Some words. ' * 30}</p>").author == author


def test_the_day_in_the_address_is_that_of_the_first_publication() -> None:
    html = '<meta property="article:published_time" content="2019-06-17T18:28:00+02:00"><p>Words.</p>'
    assert extract(html, "https://example.org/2017/07/12/tides").published == "2017-07-12"
    assert extract(html, "https://example.org/2019/06/16/tides").published == "2019-06-17T18:28:00+02:00"
    assert extract(html, "https://example.org/tides").published == "2019-06-17T18:28:00+02:00"


def test_the_only_date_of_a_page_is_its_own() -> None:
    words = f"<p>{'Some words. ' * 30}</p>"
    assert extract(f"{words}<footer><p>Last changed on 3 May 2024</p></footer>").published == "2024-05-03"
    assert extract(f"{words}<p>3 May 2024</p><p>4 May 2024</p>").published is None


def test_a_date_in_words_dates_a_page_from_its_head() -> None:
    words = f"<title>Tides</title><p>{'Some words. ' * 30}</p>"
    assert extract(f'<meta name="date" content="July 17, 2025">{words}').published == "2025-07-17"
    assert extract(f'<meta name="date" content="some day">{words}').published is None


def test_the_day_beside_the_text_is_its_own_where_the_headline_is_far() -> None:
    menu = "".join(f"<p>Part {number}" for number in range(40))
    page = (
        f"<title>On tides</title><h1>On tides</h1>{menu}{{}}<p>The tide comes in.<p>The moon.<p>{{}}{menu}<p>9 May 2019"
    )

    def published(before: str, after: str, *, span: bool = True) -> str | None:
        document = parse(page.format(before, after))
        first = document.layout.texts.index("The tide comes in.")
        return describe(document, "", (first, first + 1) if span else None).published

    assert published("", "3 May 2020") == "2020-05-03"
    assert published("<p>3 May 2020", "") == "2020-05-03"
    assert published("<p>1 May 2020", "3 May 2020") is None
    assert published("", "3 May 2020", span=False) is None


def test_the_day_on_which_a_member_came_is_not_that_of_the_post() -> None:
    page = "<title>On tides</title><h1>On tides</h1><p>{}<p>And so on."
    assert describe(parse(page.format("Ada | Joined: 3 May 2011 | Posts: 12")), "").published is None
    assert describe(parse(page.format("Ada, Mitglied seit 3. Mai 2011 | 4. Mai 2020")), "").published == "2020-05-04"


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("Posted on September 21, 2020 by Ada Lovelace", "Ada Lovelace"),
        ("22. Dezember 2019 von Ada Lovelace", "Ada Lovelace"),
        ("Accueil | Par Ada Lovelace | 30 septembre 2018", "Ada Lovelace"),
        ("Von Ada Lovelace am Samstag, 19. Oktober 2019 um 11:14 Uhr", "Ada Lovelace"),
        ("Ein Artikel von Ada Lovelace | 27.01.2022 - 12:45", "Ada Lovelace"),
        ("The bridge was built by the river in 1987 and 1988", None),
    ],
)
def test_a_byline_with_a_date_names_its_author(line: str, author: str | None) -> None:
    document = parse(f"<title>Spiders</title><h1>Spiders</h1><p>{line}<p>And so on.")
    assert describe(document, "").author == author


def test_a_person_is_named_before_the_publisher() -> None:
    meta = "<meta name=author content='news.example.de'>"
    page = "<title>Spiders</title><h1>Spiders</h1><p>{}<p>And so on."
    assert describe(parse(meta + page.format("Von Ada Lovelace")), "").author == "Ada Lovelace"
    assert describe(parse(meta + page.format("Words.")), "").author == "news.example.de"
    inside = "<span class=date>today</span> <a class='author-name' href=/ada>Ada Lovelace</a> 3 min"
    assert describe(parse(meta + page.format(inside)), "").author == "Ada Lovelace"


def test_the_day_that_readers_see_counts_around_midnight() -> None:
    meta = "<meta property='article:published_time' content='2019-10-18T22:04:00Z'>"
    page = "<title>Spiders</title><h1>Spiders</h1><p>{}<p>And so on."
    assert describe(parse(meta + page.format("19. Oktober 2019")), "").published == "2019-10-19"
    assert describe(parse(meta + page.format("25. Oktober 2019")), "").published == "2019-10-18T22:04:00+00:00"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<script>x = {"publishedAt":"2019-03-02T06:22:28+01:00"}</script>', "2019-03-02T06:22:28+01:00"),
        ('<script>{"created_at":"2019-03-02"},{"created_at":"2020-01-01"}</script>', None),
        ('<span class="updated" title="2013-04-04T18:52:11+00:00"></span>', "2013-04-04T18:52:11+00:00"),
    ],
)
def test_a_date_that_only_scripts_are_told(html: str, expected: str | None) -> None:
    assert scripted_date(html.encode()) == expected


def test_short_years_count_where_a_date_is_expected() -> None:
    assert find_date("31.10.23") is None
    assert find_date("31.10.23", short_years=True) == "2023-10-31"
    assert find_date("Version 1.2.345", short_years=True) is None
    assert find_date("Compatibility: 2.4.19 and later", short_years=True) is None
    page = parse("<title>Spiders</title><h1>Spiders</h1><p>31.10.23<p>And so on.")
    assert describe(page, "").published == "2023-10-31"


def test_days_in_addresses_of_archives_are_not_the_page_s() -> None:
    assert date_in_url("https://web.archive.org/web/20131110121040/http://a.example/story") is None
    assert date_in_url("https://a.example/news/29-10-2021") == "2021-10-29"

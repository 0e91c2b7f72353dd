"""When a browser is needed: by what a page shows with one and without."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.document import parse
from nephila.fetch.browser.blocking import AD_HOSTS, blocker
from nephila.rendering.need import Look, is_suspicious, missing, runs_scripts

URL = "https://example.org/page"
ARTICLE = "<main>" + "".join(f"<p>Sentence number {n} of the article tells a thing or two.</p>" for n in range(20))
_is_ad = blocker(AD_HOSTS)


def look(html: str) -> Look:
    return Look.at(parse(f"<html><body>{html}</body></html>", URL))


def test_a_shell_lacks_everything() -> None:
    lacks = missing(look("<div id=root></div>"), look(ARTICLE))
    assert lacks.much
    assert lacks.most


def test_the_same_page_lacks_nothing() -> None:
    lacks = missing(look(ARTICLE), look(ARTICLE))
    assert not lacks.much
    assert lacks.little


def test_a_notice_that_a_script_adds_is_not_missed() -> None:
    notice = "<p>We use cookies. Accept all of them?</p>"
    assert not missing(look(ARTICLE), look(ARTICLE + notice)).much


def test_comments_that_a_script_adds_are_missed() -> None:
    comments = "".join(f"<p>Reader {n} says that this is quite another matter, if you ask them.</p>" for n in range(9))
    assert missing(look(ARTICLE), look(ARTICLE + comments)).much


def test_text_in_scripts_without_spaces_between_words_counts_by_characters() -> None:
    assert missing(look("<p>短い文</p>"), look(f"<main><p>{'これは長い記事の本文です。' * 20}</p></main>")).most


def test_links_are_missed_unless_the_site_showed_them_before() -> None:
    links = "".join(f'<a href="/item/{n}">{n}</a> ' for n in range(30))
    plain, drawn = look(ARTICLE), look(ARTICLE + links)
    assert missing(plain, drawn).much
    assert not missing(plain, drawn, drawn.links).much


@pytest.mark.parametrize(
    ("markup", "runs"),
    [
        ("<p>Nothing.</p>", False),
        ('<script type="application/ld+json">{}</script>', False),
        ('<script type="application/json" id="__NEXT_DATA__">{}</script>', False),
        ('<script async src="https://www.googletagmanager.com/gtag.js"></script>', False),
        ("<script>x()</script>", True),
        ('<script type="module" src="/app.js"></script>', True),
        ("<SCRIPT TYPE='text/javascript' SRC=/a.js></SCRIPT>", True),
        ('<script src="https://[bad/"></script>', True),
    ],
)
def test_only_scripts_of_the_page_s_own_make_it_worth_a_look(markup: str, runs: bool) -> None:
    assert runs_scripts(markup.encode(), _is_ad) is runs


def test_a_page_of_hardly_a_word_or_that_asks_for_scripts_is_suspicious() -> None:
    assert is_suspicious(b"<div id=app></div>", look("<div id=app></div>"))
    assert is_suspicious(b"<noscript>Please turn JavaScript on.</noscript>", look(ARTICLE))
    assert not is_suspicious(ARTICLE.encode(), look(ARTICLE))


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_can_be_judged(body: bytes) -> None:
    runs_scripts(body, _is_ad)
    is_suspicious(body, look(""))

"""The door of the room: pages of several kinds and scripts, hostile ones, and what a user gets wrong."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from nephila import extraction
from nephila.content import METHODS, SiteMemory, main_content
from nephila.content.extract import Content, _comments, _dated_span
from nephila.document import parse
from nephila.errors import InputError
from nephila.extraction import extract

SENTENCE = "The golden orb-weaver spins a web of yellow silk, which shines in the sun, and repairs it every night. "
SECTIONS = "".join(f"<li><a href=/s{number}>Section {number}</a></li>" for number in range(12))
OTHERS = "".join(f"<li><a href=/r{number}>Another story of the day {number}</a></li>" for number in range(8))
ARTICLE = f"""<!doctype html><html lang=en><head><title>The golden orb-weaver | Spider News</title>
<meta property="og:site_name" content="Spider News"><meta name=author content="Ada Weaver">
<meta property="article:published_time" content="2024-05-06T07:08:09Z"></head><body>
<header><a href=/>Spider News</a><nav><ul>{SECTIONS}</ul></nav></header>
<main><article><h1>The golden orb-weaver</h1><p class=byline>By Ada Weaver, 6 May 2024</p>
<p>{SENTENCE * 3}</p><h2>Its silk</h2><p>{SENTENCE * 2}It is <b>strong</b>.</p>
<ul><li>{SENTENCE}</li><li>{SENTENCE}</li></ul><p>{SENTENCE * 4}</p></article></main>
<aside class=related><h3>Read more</h3><ul>{OTHERS}</ul></aside>
<footer><p>© 2024 Spider News. All rights reserved. <a href=/privacy>Privacy</a> <a href=/terms>Terms</a></p></footer>
</body></html>"""


def test_an_article_gives_its_text_and_what_is_known_of_it() -> None:
    record = extract(ARTICLE, "https://spiders.example/2024/orb")
    assert record.title == "The golden orb-weaver"
    assert (record.author, record.language, record.site_name) == ("Ada Weaver", "en", "Spider News")
    assert record.published == "2024-05-06T07:08:09+00:00"
    assert record.kind == "article"
    assert record.extractor == "auto"
    assert record.confidence is not None
    assert 0 < record.confidence <= 1
    assert record.text is not None
    assert record.markdown is not None
    assert record.text.count("golden orb-weaver spins") == 11
    assert "Its silk" in record.text
    for furniture in ("Section 3", "Another story", "rights reserved", "Privacy"):
        assert furniture not in record.text
    assert "## Its silk" in record.markdown
    assert "**strong**" in record.markdown
    assert "- The golden" in record.markdown


def test_what_is_kept_as_text_is_no_comment_besides() -> None:
    document = parse("<p>First post<p>Second post<p>Third post<p>Fourth post")
    likely, kept = np.array([0.9, 0.9, 0.9, 0.2], np.float32), np.array([False, True, False, False])
    assert _comments(document, likely, kept) == [{"text": "First post"}, {"text": "Third post"}]


def test_comments_amid_the_elements_of_a_post_are_told_apart_and_none_is_lost() -> None:
    said = [
        "I was on one of those boats, and we spoke of nothing else all the way home, from the cape to the pier.",
        "You should have seen the waves near the lighthouse, they went over the gallery and took the lamp with them.",
        "Great pictures as always! Will there be more of them next week, or is the camera still wet from last time?",
        "My grandfather kept that light for thirty years and never lost a lamp, so I find this hard to believe.",
        "Well, believe it, since the lamp lies in my garden now, and the children play with it every single day.",
    ]
    names = ["Ann", "Bob", "Cora", "Dan", "Eve", "Finn", "Gus", "Hana", "Ian", "Jo"]
    comments = "".join(
        f"<p>{text}</p>"
        f"<p class=posted>Posted by: <a href=http://{name}.example/>{name}</a> at May 3, 2012 {hour}:14 PM</p>"
        for hour, (text, name) in enumerate(zip(said * 2, names, strict=True), 8)
    )
    post = (
        "The harbour was quiet when the first boats came in, and the light on the water had the colour of old brass. "
        "Nobody spoke of the storm that had kept them out for two days and a night."
    )
    html = f"""<title>Two days out - Harbour Blog</title><div id=header><a href=/>Harbour Blog</a></div>
    <div id=content><h2>Two days out</h2><p>{post}</p><p>{SENTENCE * 2}</p>
    <p class=posted>Posted by Mary on May 2, 2012</p><h2>10 Comments</h2>{comments}</div><ul>{SECTIONS}</ul>"""
    record = extract(html, "https://blog.example/2012/05/two-days.html")
    assert record.text is not None
    assert record.comments is not None
    assert post in record.text
    together = "\n".join(comment["text"] for comment in record.comments)
    assert [text in record.text for text in said] == [False] * 5
    assert [text in together for text in said] == [True] * 5
    assert "10 Comments" not in record.text + together


def test_bytes_in_any_encoding() -> None:
    text = "这是一篇关于蜘蛛的文章，它讲述了金色圆网蛛如何织网，以及它的丝为什么是黄色的。" * 6
    html = (
        f"<html><head><meta charset=gbk><title>蜘蛛</title></head><body><h1>蜘蛛</h1><p>{text}</p><p>{text}</p></body>"
    )
    record = extract(html.encode("gbk"))
    assert record.text is not None
    assert text in record.text
    assert record.language == "zh"


def test_system_a_is_there_by_name() -> None:
    record = extract(ARTICLE, method="lines")
    assert record.extractor == "lines"
    assert "golden orb-weaver spins" in (record.text or "")
    assert set(METHODS) == {"auto", "lines"}


def test_what_cannot_be_read_says_what_to_do() -> None:
    with pytest.raises(InputError, match="auto, lines"):
        extract("<p>x</p>", method="magic")
    with pytest.raises(InputError, match="PNG"):
        extract(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10)


@pytest.mark.parametrize("html", ["", " ", "<p></p>", "\x00" * 100, "<!-- only -->", "<script>x</script>"])
def test_an_empty_page_has_no_text(html: str) -> None:
    record = extract(html)
    assert (record.text, record.markdown, record.comments) == (None, None, None)


def test_the_site_tells_furniture_that_looks_like_text() -> None:
    notice = (
        "This story is brought to you by our partners, who wish you a pleasant day, and hope that you come back. " * 2
    )

    def page(number: int) -> str:
        letters = random.Random(number)
        starts = ["".join(letters.choices("aeioulmnrst ", k=24)) for _ in range(5)]
        body = "".join(f"<p>{start} {SENTENCE * 2}</p>" for start in starts)
        return f"<body><h1>Story {number}</h1><div class=text>{body}<div class=x><p>{notice}</p></div></div></body>"

    memory = SiteMemory()
    for number in range(30):
        content = main_content(parse(page(number)), memory)
        assert content.view is not None
        assert content.likely is not None
        memory.learn(content.view, content.likely)
    after = main_content(parse(page(99)), memory)
    assert "brought to you" not in after.text
    assert SENTENCE.strip() in after.text


def pieces(rng: random.Random) -> str:
    tags = (
        "p",
        "div",
        "table",
        "tr",
        "td",
        "li",
        "ul",
        "ol",
        "a href=/x",
        "b",
        "pre",
        "h1",
        "blockquote",
        "article",
        "br",
    )
    parts = []
    for _ in range(rng.randrange(1, 200)):
        tag = rng.choice(tags)
        parts.append(
            rng.choice((f"<{tag}>", f"</{tag.split()[0]}>", SENTENCE, "x", "&#0;", "\ufffd", "<!--", "-->", "<", "𠀀"))
        )
    return "".join(parts)


def test_any_markup_gives_a_record() -> None:
    rng = random.Random(7)
    for _ in range(150):
        record = extract(pieces(rng), "https://a.example/")
        assert record.to_json()


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 30_000 + "x",
        "<p>word</p>" * 40_000,
        "<table><tr>" + "<td>cell" * 40_000,
        "<ol>" + "<li>item <b>x</b>" * 20_000,
        "<p>" + "word " * 400_000,
        "<p>" + "<a href=/x>w</a> " * 20_000,
        "<b>" * 3_000 + "<p>x" * 3_000,
        "<ul><li>" * 2_000 + "x",
        "<blockquote>" * 2_000 + "<p>quoted</p>" * 2_000,
        "<h1>" + "By " * 100_000,
        f"<p>{'1' * 300_000}</p><p>{'.' * 300_000}</p>",
        f"<div class='{'a-' * 100_000}'>x</div>" * 5,
    ],
    ids=["deep", "blocks", "cells", "items", "words", "links", "bold", "lists", "quotes", "by", "runs", "classes"],
)
def test_no_page_takes_long(html: str) -> None:
    start = time.process_time()
    extract(html, "https://a.example/")
    # A real page takes milliseconds; these hold megabytes. What matters is that none takes minutes.
    assert time.process_time() - start < 30


def test_a_page_that_says_little_keeps_it() -> None:
    html = '<html><body><p>Do not follow this: <a href="/follow/target">target</a></p></body></html>'
    assert extract(html, url="https://e.org/little").text == "Do not follow this: target"


def test_comments_that_the_model_does_not_see_are_read_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    prose = "".join(
        f"<p>Paragraph {n} has quite a lot to say about kettles, and says it at its leisure.</p>" for n in range(6)
    )
    page = f"""<h1>The kettle</h1>{prose}<section><h3>2 Comments</h3>
    <div class=comment><b>Bob</b> <time datetime=2026-03-05>5 March</time><p>Mine hums.</p></div>
    <div class=comment><b>Ann</b> <time datetime=2026-03-06>6 March</time><p>Mine sings.</p></div></section>"""
    record = extract(page)
    assert record.text is not None
    assert "hums" not in record.text
    assert record.comments == [
        {"text": "Mine hums.", "author": "Bob", "published": "2026-03-05"},
        {"text": "Mine sings.", "author": "Ann", "published": "2026-03-06"},
    ]
    monkeypatch.setattr(extraction, "MOST_BLOCKS", 3)
    assert extract(page).comments is None


@pytest.mark.parametrize(
    ("kind", "dated"), [("article", True), ("thread", True), ("product", False), ("listing", False)]
)
def test_only_what_is_published_on_a_day_is_dated_by_the_line_beside_its_text(kind: str, dated: bool) -> None:
    blocks = parse("<p>Part one<p>Part two<p>Part three").blocks
    span = _dated_span(Content(list(blocks)[1:], "", "", kind))
    assert span == ((1, 2) if dated else None)
    assert _dated_span(Content([], "", "", kind)) is None

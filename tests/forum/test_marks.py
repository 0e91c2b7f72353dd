"""What a thread's posts say of each block of the page."""

from __future__ import annotations

import pytest

from nephila.content.talk.posts import Mark
from nephila.document import parse
from nephila.forum import marks, read_posts
from nephila.forum.marks import are_dated, post_marks

WHO = ["Anna", "Bert", "Chidi", "Dora", "Emil"]


def post(number: int, quote: str = "") -> str:
    who = WHO[number % 5]
    return (
        f'<div class="post" id="p{700 + 3 * number}"><div class="side"><a class="user" href="/users/{who}">{who}</a>'
        f'<p>Senior kettle member</p></div><time datetime="2024-05-0{number + 1}T10:10:00Z">May {number + 1}</time>'
        f'<div class="body">{quote}<p>Answer {number}: mine hums in G, and did so from the first day.</p></div></div>'
    )


QUOTE = "<blockquote><cite>Anna wrote:</cite><p>It hums whenever it rains in the next village.</p></blockquote>"
POSTS = post(0) + post(1, QUOTE) + "".join(map(post, range(2, 5)))
THREAD = (
    "<html><head><title>Why does it hum?</title></head><body><p>Welcome to the board of kettles</p>"
    f"<h1>Why does it hum?</h1>{POSTS}<p>Powered by steam</p></body></html>"
)


def marks_by_text(html: str) -> dict[str, set[Mark]]:
    document = parse(html, "https://board.example/t/12")
    told = post_marks(document)
    assert told is not None
    found: dict[str, set[Mark]] = {}
    for text, mark in zip(document.layout.texts, told.tolist(), strict=True):
        found.setdefault(text, set()).add(Mark(mark))
    return found


def test_each_block_is_told_by_what_it_is_in_a_post() -> None:
    told = marks_by_text(THREAD)
    for number in range(5):
        assert told[f"Answer {number}: mine hums in G, and did so from the first day."] == {Mark.WRITTEN}
    assert told["It hums whenever it rains in the next village."] == {Mark.QUOTED}
    assert told["Senior kettle member"] == {Mark.BESIDE}
    assert told["Welcome to the board of kettles"] == told["Powered by steam"] == {Mark.OUTSIDE}


def test_a_page_without_posts_has_no_marks() -> None:
    assert post_marks(parse("<h1>The kettle</h1><p>It hums in G, and nobody has ever asked why.</p>")) is None


def test_posts_that_hold_little_of_the_page_have_no_say() -> None:
    article = "".join(f"<p>Paragraph {n}: {'the paper has a great deal to say. ' * 9}</p>" for n in range(9))
    assert post_marks(parse(THREAD.replace("<p>Powered", f"{article}<p>Powered"))) is None


def test_what_comes_again_mostly_without_dates_is_no_post() -> None:
    found = read_posts(parse(THREAD, "https://board.example/t/12"))
    assert found is not None
    assert are_dated(found.posts)
    for post in found.posts[:3]:
        post.when = None
    assert not are_dated(found.posts)


def test_a_page_of_thousands_of_blocks_is_not_read_for_posts() -> None:
    def long(times: int) -> str:
        return THREAD.replace("</p></div></div>", "</p>" + "<p>It hums and hums and hums.</p>" * times + "</div></div>")

    assert post_marks(parse(long(9))) is not None
    assert post_marks(parse(long(900))) is None


def test_posts_without_dates_have_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "are_dated", lambda _: False)
    assert post_marks(parse(THREAD, "https://board.example/t/12")) is None

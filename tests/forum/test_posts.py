"""Pages with posts that are no threads of a board: comments under an article, a question with its answers."""

from __future__ import annotations

import time

from nephila.document import parse
from nephila.forum import Kind, read_posts
from nephila.forum.model import SiteModel
from nephila.forum.reading import read
from nephila.forum.records import tag_of

_WHO = ["Anna", "Bert", "Chidi", "Dora", "Emil"]


def _comment(number: int, name: str = "comment", mark: str = "") -> str:
    who = _WHO[number % 5]
    text = f"Remark {number}: the kettle hums in every key but the one that was written on its lid. " * (1 + number % 3)
    when = f'<time datetime="2024-05-0{number + 1}T10:1{number}:00Z">May {number + 1}</time>'
    return (
        f'<div class="{name} {mark}" id="{name}-{700 + 3 * number}"><a class="user" href="/users/{who}">{who}</a>{when}'
        f'<div class="body"><p>{text}</p></div><button>Reply</button></div>'
    )


_PARAGRAPHS = "".join(
    f"<p>Paragraph {n} of what the paper has to say about kettles, which is a great deal indeed.</p>" for n in range(9)
)
ARTICLE = (
    "<html><head><title>The kettle</title></head><body><h1>The kettle</h1><p class='by'>By Jun, 2024-05-01</p>"
    f"{_PARAGRAPHS}<h2>Comments</h2>{''.join(map(_comment, range(5)))}</body></html>"
)
QUESTION = (
    "<html><head><title>Why does it hum?</title></head><body><h1>Why does it hum?</h1>"
    + _comment(0, "post") + _comment(1, "post") + _comment(2, "post", "accepted-answer") + _comment(3, "post")
    + "</body></html>"
)  # fmt: skip


def test_comments_under_an_article_are_read_and_make_no_thread() -> None:
    url = "https://paper.example/2024/kettle"
    reading = read(parse(ARTICLE.encode(), url), url, SiteModel(), time.time())
    assert (reading.kind, reading.comments) == (Kind.THREAD, True)
    assert reading.found is not None
    assert [post.author for post in reading.found.posts] == _WHO
    assert [post.id for post in reading.found.posts] == ["700", "703", "706", "709", "712"]
    assert reading.found.posts[1].published == "2024-05-02T10:11:00+00:00"
    assert all(post.text.startswith(f"Remark {number}:") for number, post in enumerate(reading.found.posts))


def test_an_article_is_told_before_its_comments_are_read() -> None:
    url = "https://paper.example/2024/kettle"
    reading = read(parse(ARTICLE.encode(), url), url, SiteModel(), time.time(), whole=False)
    assert (reading.kind, reading.comments, reading.found) == (Kind.OTHER, True, None)


def test_the_answer_that_the_asker_took_is_marked() -> None:
    found = read_posts(parse(QUESTION.encode(), "https://ask.example/q/12"))
    assert found is not None
    assert [post.accepted for post in found.posts] == [False, False, True, False]


def test_a_button_on_every_answer_marks_none() -> None:
    page = QUESTION.replace("<button>", '<button class="accepted">')
    found = read_posts(parse(page.replace("accepted-answer", "").encode(), "https://ask.example/q/12"))
    assert found is not None
    assert not any(post.accepted for post in found.posts)


def test_a_key_tells_the_tag_of_its_elements() -> None:
    keys = ["div.post", "x-card", "x-card.a^b", "section.posts>ul>li", "table.t>tbody>tr^1", "li.a.b"]
    assert [tag_of(key) for key in keys] == ["div", "x-card", "x-card", "li", "tr", "li"]

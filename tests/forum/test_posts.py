"""Pages with posts that are no threads of a board: comments under an article, a question with its answers."""

from __future__ import annotations

import time

import pytest

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


def _answer(number: int, remarks: list[int]) -> str:
    under = "".join(
        f'<li class="remark" id="remark-{6900 + 7 * n}"><span class="copy">Said in short: case {n} of the kettle.'
        "</span> – "
        f'<a class="who" href="/users/{_WHO[n % 5]}">{_WHO[n % 5]}</a> '
        f'<span class="date" title="2024-06-0{n + 1} 10:15:00Z">Jun {n + 1}</span></li>'
        for n in remarks
    )
    return _comment(number, "post").removesuffix("</div>") + f"<ul>{under}</ul></div>"


def test_comments_under_answers_are_posts_of_their_own() -> None:
    page = f"<h1>Why?</h1>{_answer(0, [])}{_answer(1, [0, 1])}{_answer(2, [])}{_answer(3, [2])}"
    found = read_posts(parse(page.encode(), "https://ask.example/q/12"))
    assert found is not None
    assert [post.depth for post in found.posts] == [0, 0, 1, 1, 0, 0, 1]
    remark = found.posts[3]
    assert (remark.id, remark.author, remark.text) == ("6907", "Bert", "Said in short: case 1 of the kettle.")
    assert remark.published == "2024-06-02T10:15:00+00:00"


def test_what_every_post_has_once_is_no_comment_under_it() -> None:
    page = "<h1>Why?</h1>" + "".join(_answer(n, [n]) for n in range(4))
    found = read_posts(parse(page.encode(), "https://ask.example/q/12"))
    assert found is not None
    assert len(found.posts) == 4


@pytest.mark.parametrize(
    "quoted",
    [
        "<blockquote><cite>Anna wrote: <small>Mon Apr 01, 2024 10:15 am</small></cite>Is it the lid?</blockquote>",
        "<blockquote><cite><span>(04-01-2024, 10:15 AM)</span>Anna Wrote:</cite>Is it the lid?</blockquote>",
        '<blockquote><cite><a href="#p1">Quote from: Anna on April 01, 2024</a></cite>Is it the lid?</blockquote>',
        '<div class="quoteheader">Quote from: Anna on April 01</div><blockquote>Is it the lid?</blockquote>',
        '<div class="quote"><div class="by">Originally posted by <b>Anna</b></div><div>Is it the lid?</div></div>',
        '<blockquote><p class="citation">On 4/1/24, <a href="/u/4">Anna</a> said:</p>Is it the lid?</blockquote>',
        '<aside class="quote"><div class="title">Anna:</div><blockquote><p>Is it the lid?</p></blockquote></aside>',
        '<blockquote>Anna 发表于 2024-3-1 10:00<br>Is it the lid?</blockquote>',
        '<blockquote data-username="Anna"><p>Is it the lid?</p></blockquote>',
    ],
)  # fmt: skip
def test_whom_a_quote_quotes_is_told_by_its_head(quoted: str) -> None:
    page = QUESTION.replace("<p>Remark 1:", f"{quoted}<p>Remark 1:")
    found = read_posts(parse(page.encode(), "https://ask.example/q/12"))
    assert found is not None
    assert [(quote.author, quote.text) for quote in found.posts[1].quotes] == [("Anna", "Is it the lid?")]
    assert found.posts[1].text.startswith("Remark 1:")


def test_a_key_tells_the_tag_of_its_elements() -> None:
    keys = ["div.post", "x-card", "x-card.a^b", "section.posts>ul>li", "table.t>tbody>tr^1", "li.a.b"]
    assert [tag_of(key) for key in keys] == ["div", "x-card", "x-card", "li", "tr", "li"]


def test_posts_of_many_looks_are_told_by_what_the_page_declares_them_to_be() -> None:
    """Each but the first shows the beginning of the post that it answers, in an element of one look."""
    shown = 'itemprop="comment" itemtype="https://schema.org/Comment" itemscope'
    looks = ["owner", "pt-4", "pt-4 owner", "pt-4 staff", "pt-4 new"]
    said = [f"Answer {n}: mine hums in G, and did so from the first day on, rain or shine." for n in range(5)]

    def post(number: int) -> str:
        when = f'<time datetime="2024-05-0{number + 1}T10:10:00Z">May {number + 1}</time>'
        before = f'<time datetime="2024-05-0{number}T10:10:00Z">May {number}</time>'
        preview = (
            f'<div class="mb-3"><div class="btn"><a class="semi" href="/u/{number}">Ann{number}</a>{before}</div>'
            f'<div class="muted">{said[number - 1]}</div></div>'
        )
        return (
            f'<li {shown} class="{looks[number]}" data-pid="{900 + number}"><div class="flex">'
            f'<a class="bold" href="/u/{number + 1}">Ann{number + 1}</a>{when}</div>{preview if number else ""}'
            f'<div class="content"><p>{said[number]}</p></div></li>'
        )

    page = f"<ul class=posts>{''.join(map(post, range(5)))}</ul>"
    found = read_posts(parse(page, "https://board.example/topic/12"))
    assert found is not None
    assert [post.text for post in found.posts] == said
    assert [post.author for post in found.posts] == ["Ann1", "Ann2", "Ann3", "Ann4", "Ann5"]

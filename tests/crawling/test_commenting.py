"""Comments under an article: each once, told by its own mark; an edited one is a new version, a missing one is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from nephila.crawling.commenting import Commented, Commenting
from nephila.document import parse
from nephila.forum import Archive
from nephila.memory import SqliteMemory
from nephila.page import Page

URL = "https://paper.example/2024/kettle"
TEXTS = ("It hums in every key.", "Mine does not hum at all.", "Has anybody asked the kettle?")


def comment(number: int, text: str, mark: str = "comment") -> str:
    return (
        f'<li class="{mark}" id="{mark}-{7 + number}"><b class="who">Anna {number}</b> '
        f'<span class="when">{number + 1} May 2024, 10:0{number}</span><p>{text}</p><a href="#reply">Reply</a></li>'
    )


def article(comments: str, canonical: str = "") -> bytes:
    lines = "".join(f"<p>Paragraph {n} of what the paper has to say about kettles, a great deal.</p>" for n in range(9))
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return (
        f"<html><head><title>Kettles</title>{link}</head><body><h1>Kettles</h1><p>By Jun, 1 May 2024</p>{lines}"
        f'<section class="comments"><h3>Comments</h3><ul>{comments}</ul>'
        "<form class=comment-form><textarea></textarea></form></section></body></html>"
    ).encode()


def read(place: Path, *bodies: bytes, urls: Sequence[str] = ()) -> list[Commented | None]:
    """The pages one after the other, as one worker sees them."""

    async def go() -> list[Commented | None]:
        memory = SqliteMemory(place / "memory.sqlite")
        commenting = Commenting(Archive(memory))
        found = []
        for body, url in zip(bodies, urls or [URL] * len(bodies), strict=True):
            page = Page(url, url, 200, body, 1715000000.0, {})
            found.append(await commenting.comments(page, parse(body, url)))
        await memory.close()
        return found

    return asyncio.run(go())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_comment_has_author_date_text_and_a_mark(count: int, tmp_path: Path) -> None:
    (found,) = read(tmp_path, article("".join(map(comment, range(count), TEXTS))))
    assert found is not None
    told = [(post["id"], post["author"], post["published"], post["text"]) for post in found.posts]
    assert told == [
        (f"comment-{7 + n}", f"Anna {n}", f"2024-05-0{n + 1}T10:0{n}:00+00:00", TEXTS[n]) for n in range(count)
    ]


def test_an_edited_comment_is_a_new_version_and_a_missing_one_is_gone(tmp_path: Path) -> None:
    whole = article("".join(map(comment, range(3), TEXTS)))
    edited = article(comment(0, TEXTS[0]) + comment(1, "I take it back.") + comment(2, TEXTS[2]))
    shorter = article(comment(0, TEXTS[0]) + comment(2, TEXTS[2]))
    seen = read(tmp_path, whole, whole, edited, shorter, shorter)
    first, again, second, third, last = [one for one in seen if one is not None]
    assert first == again
    assert [post["version"] for post in second.posts] == [1, 2, 1]
    assert second.digest != first.digest
    assert [post["id"] for post in third.posts if post["deleted"]] == ["comment-8"]
    assert not [post for post in last.posts if post["deleted"]]
    assert third.digest == last.digest  # the page is as it was


def test_equal_marks_of_other_articles_are_other_comments(tmp_path: Path) -> None:
    urls = [URL, f"{URL}-2", f"{URL}?print=1"]
    bodies = [article(comment(0, TEXTS[0]), canonical) for canonical in (URL, f"{URL}-2", URL)]
    one, other, printed = read(tmp_path, *bodies, urls=urls)
    assert one is not None
    assert other is not None
    assert [post["version"] for post in other.posts] == [1]
    assert printed is not None
    assert printed.digest == one.digest


@pytest.mark.parametrize(
    "page",
    [
        article(""),
        article("").replace(
            b"<h3>Comments</h3>", b'<div class="comments-link"><a href="#c">2 May 2024: 3 comments</a></div>'
        ),
        article(comment(0, TEXTS[0], "entry") + comment(1, TEXTS[1], "entry")),
        article(f'<div class="recent-comments"><ul>{comment(0, TEXTS[0])}{comment(1, TEXTS[1])}</ul></div>'),
        b'<div class="post comment-status-open"><h2><a href="/a">A</a></h2><p>1 May 2024 by Jun</p><p>Text</p></div>'
        * 9,
    ],
    ids=["none", "a count", "called otherwise", "the newest of all pages", "a list of articles"],
)
def test_no_comments_are_made_of_nothing(page: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, page) == [None]

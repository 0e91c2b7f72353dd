"""Comments of a site whose way to write them is known: they are read in their places alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nephila.document import parse
from nephila.forum import read_comments
from nephila.forum.dates import DateReader, When

NAMES = ("Anna", "Bert", "Cleo")
NOW = datetime(2025, 6, 1, tzinfo=UTC)


def page(*said: str) -> str:
    comments = "".join(
        f'<div class="comment" id="c{10 + n}"><a class="author" href="/u/{n}">{NAMES[n]}</a> '
        f'<span class="date">{n + 1} May 2025 10:0{n}</span><div class="text"><p>{text}</p></div></div>'
        for n, text in enumerate(said)
    )
    return f"<h1>A story</h1><p>It happened on 7 July 2021.</p><div id=comments>{comments}</div>"


def test_what_somebody_wrote_is_not_read_for_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_comments(parse(page("I was there myself.", "So was I, all day.", "Nobody saw you.")), None, NOW)
    assert first is not None
    asked: list[str] = []
    read = DateReader.read

    def noted(self: DateReader, text: str) -> When | None:
        asked.append(text)
        return read(self, text)

    monkeypatch.setattr(DateReader, "read", noted)
    said = ["We met on 3 March 2019.", "No, that was 4 March 2018.", "Both were in 2017."]
    again = read_comments(parse(page(*said)), first.template, NOW)
    assert again is not None
    assert [post.text for post in again.posts] == said
    assert [post.published for post in again.posts] == [f"2025-05-0{n + 1}T10:0{n}:00+00:00" for n in range(3)]
    assert not {*said, "It happened on 7 July 2021."} & {*asked}


def test_without_any_date_there_are_no_comments() -> None:
    first = read_comments(parse(page("I was there myself.", "So was I, all day.", "Nobody saw you.")), None, NOW)
    assert first is not None
    bare = '<div id=comments><div class="comment"><div class="text">Words alone.</div></div></div>'
    assert read_comments(parse(bare), first.template, NOW) is None

"""The tree of a page: elements are made as they are asked for, and are what they would be if made at once."""

from __future__ import annotations

import gc
import weakref
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.document import parse
from nephila.document.markup import Markup, read_markup
from nephila.forum import nesting, outline
from nephila.forum.comments import read_comments
from nephila.forum.fields import path_in
from nephila.forum.nesting import nesting_of
from nephila.forum.outline import read_anchors, rows_of
from nephila.forum.records import Page, Region
from nephila.forum.tree import PageTree

TAGS = st.sampled_from(
    ["<div>", "</div>", "<p>", "</p>", "<br>", "<img>", "<!-- x -->", "<x-a>", "</x-a>", "<b>", "</b>"]
)
DATED = "".join(
    f'<div class="comment" id="c{n}"><b class="author">Anna {n}</b> <time>2024-05-{n:02d} 10:00</time>'
    f'<div class="text"><p>What number {n} has to say about it.</p></div></div>'
    for n in range(1, 9)
)
COMMENTED = f"<html><body><h1>News</h1><p>{'Long writing. ' * 30}</p><div class='comments'>{DATED}</div></body></html>"


def one_by_one(markup: Markup) -> list[tuple[int, int, int]]:
    stop, parent, depth = nesting._one_by_one(markup)
    return list(zip(stop.tolist(), parent.tolist(), depth.tolist(), strict=True))


@given(st.lists(TAGS, max_size=40))
def test_what_holds_what_is_found_at_once_as_it_is_one_by_one(tags: list[str]) -> None:
    markup = read_markup("x".join(tags).encode())
    found = nesting_of(markup)
    assert list(zip(found.stop, found.parent, found.depth, strict=True)) == one_by_one(markup)
    for number, after in enumerate(found.after):
        inside = [other for other in range(number + 1, len(found.tag)) if found.start[other] < found.stop[number]]
        assert list(range(number + 1, after)) == inside


def test_a_page_without_tags_has_no_elements() -> None:
    empty = np.array([], dtype=np.int64)
    found = nesting_of(Markup(b"", empty, empty, empty.astype(np.int16), empty.astype(np.bool_)))
    assert found.tag == found.after == []


def test_an_element_is_the_same_whichever_way_it_is_asked_for() -> None:
    tree = PageTree(parse(COMMENTED, "https://news.example/1"))
    comments = tree.all_at("div.comment")
    assert [node.name for node in comments] == ["div"] * 8
    first = comments[0]
    assert tree.node_at(first.start) is first
    assert all(child.parent is first for child in first.children)
    assert list(first.walk())[1:3] == [first.children[0], tree.element_at(first.children[1].tag_stop)]
    assert first in tree.nodes_between(first.start, first.start + 1)
    assert tree.named("div", "time") == [node for node in tree.nodes if node.name in ("div", "time")]
    assert [node.depth for node in first.ancestors()] == [2, 1, 0]


def test_a_page_that_was_read_leaves_memory_at_once() -> None:
    gc.collect()
    gc.disable()
    try:
        page = parse(COMMENTED, "https://news.example/1")
        found = read_comments(page, None, datetime(2024, 6, 1, tzinfo=UTC))
        assert found is not None
        assert len(found.posts) == 8
        assert page.blocks[2].container.parent is not None
        document, layout = weakref.ref(page), weakref.ref(page.layout)
        del page
        assert document() is None
        assert layout() is None
    finally:
        gc.enable()


def test_links_of_a_stretch_are_found_without_the_rest() -> None:
    html = "<p>1 <a href=/1>one</a> <b>2 <a name=2>two</a></b></p><p><i>3</i> <a href=/3>three</a></p>"
    whole, few = (PageTree(parse(html)) for _ in range(2))
    for start in range(0, len(whole.html), 3):
        for stop in range(start, len(whole.html), 3):
            every = [node.index for node in whole.nodes_between(start, stop) if node.name == "a"]
            assert [node.index for node in few.links_between(start, stop)] == every
    assert not [number for number, node in enumerate(few._made) if node is not None and node.name == "i"]


def test_rows_that_are_asked_for_again_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"<li><a href=/t/{n}>Title of the thread {n}</a> <p>{n} answers</p></li>" for n in range(60))
    document = parse(f"<ul>{rows}</ul>", "https://example.org/")
    page = Page(PageTree(document), datetime(2025, 6, 1, tzinfo=UTC))
    anchors = read_anchors(page, "https://example.org/", frozenset())
    found = rows_of(page, anchors)
    assert [row.facts for row in found] == [f"{n} answers" for n in range(60)]
    again = read_anchors(page, "https://example.org/", frozenset())
    assert all(row.anchor is anchor for row, anchor in zip(rows_of(page, again), again, strict=True))
    monkeypatch.setattr(outline, "_row", None)
    assert rows_of(page, anchors) == found


def test_of_a_record_that_is_declared_the_path_begins_with_that() -> None:
    post = '<li class={} itemtype="https://schema.org/Answer"><b class=who>Ann</b>'
    tree = PageTree(parse("<ul>" + post.format("own") + post.format("other") + "</ul>"))
    records = tree.all_at("li.~post")
    assert len(records) == 2
    for node in records:
        declared, plain = (Region(node, node.start, node.stop, declared=told) for told in (True, False))
        assert path_in(declared, node.children[0]) == ("li.~post", "b.who")
        assert path_in(plain, node.children[0])[0] in ("li.own", "li.other")

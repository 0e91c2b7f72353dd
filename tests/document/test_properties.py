"""What holds for every page: all visible text is in some block, once, in order; no block is empty."""

from __future__ import annotations

import html as html_module

from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.document import Document, parse, plain_text
from nephila.errors import InputError

INLINE = ["span", "b", "i", "em", "a", "code", "font", "label", "time"]
BLOCK = ["div", "p", "ul", "li", "section", "h2", "blockquote", "table", "td", "pre", "nav", "form", "x-card", "button"]
VOID = ["<br>", "<hr>", "<img>", "<!-- c -->", "<script>s()</script>", " ", "\n"]

# Each word is different, so that a word lost, doubled or out of order is seen.
pieces = st.recursive(
    st.one_of(st.just("WORD"), st.sampled_from(VOID), st.just("WORD WORD")),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(INLINE + BLOCK),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


def numbered(html: str) -> tuple[str, list[str]]:
    words: list[str] = []
    while "WORD" in html:
        words.append(f"w{len(words)}.")
        html = html.replace("WORD", words[-1], 1)
    return html, words


def check(document: Document) -> None:
    for index, block in enumerate(document.blocks):
        assert block.index == index
        assert block.text.strip()
        assert block.container in document.containers
        assert 0 <= block.link_length <= len(block.text)
        assert block.container.start <= index < block.container.end
        assert block.html
        block.html_length()
    for index, container in enumerate(document.containers):
        assert container.index == index
        assert 0 <= container.start < container.end <= len(document.blocks)
        assert (
            container.parent is None
            or container.parent.start <= container.start < container.end <= container.parent.end
        )
    for link in document.links:
        assert link.url.startswith("http")
        assert link.block is None or document.blocks[link.block].link_count > 0
    plain_text(document)


@given(st.lists(pieces, max_size=6))
@settings(max_examples=300, deadline=None)
def test_every_word_is_in_one_block_in_document_order(parts: list[str]) -> None:
    html, words = numbered("<body>" + "".join(parts) + "</body>")
    document = parse(html, "https://e.org/")
    check(document)
    # A table throws what is not in a cell out before itself: then the order is the tree's, not the source's.
    found = [word for block in document.blocks for word in block.text.replace(".", ". ").split()]
    assert sorted(found) == sorted(words)
    if "<table>" not in html:
        assert found == words


@given(st.text(min_size=1, max_size=80))
@settings(deadline=None)
def test_the_text_of_a_paragraph_is_its_words(text: str) -> None:
    document = parse(
        f"<p>{html_module.escape(text)}</p>".encode("utf-8", "replace"), content_type="text/html; charset=utf-8"
    )
    written = text.encode("utf-8", "replace").decode().replace("\x00", "")
    assert " ".join(document.text().split()) == " ".join(written.split())


@given(st.binary(max_size=300).map(lambda tail: b"<div><p>x" + tail))
@settings(deadline=None)
def test_no_bytes_break_the_invariants(body: bytes) -> None:
    try:
        document = parse(body, "https://e.org/", content_type="text/html; charset=utf-8")
    except InputError:
        return
    check(document)

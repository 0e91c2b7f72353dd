"""Text that a page carries as data is written into it, by rules learned from one drawn page."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.document import parse, plain_text
from nephila.rendering.embedded import learn, leaves, with_data

URL = "https://example.org/story/1"


def _data(number: int) -> dict[str, object]:
    return {
        "id": f"a{number}",
        "title": f"The story of number {number}",
        "body": [
            {"kind": "text", "text": f"It began, {number} told us, on a long and rainy night in March & went on."},
            {"kind": "html", "text": f"<p>Then <b>{number}</b> of them came over the hill, all of them singing.</p>"},
        ],
        "more": [{"href": f"/story/{number + 1}", "name": f"Number {number + 1}"}],
        "secret": "This text is in the data, it is long, and no reader ever gets to see it.",
    }


def _page(data: str) -> bytes:
    return f"<html><head><title>Shell</title></head><body><div id=root></div>{data}</body></html>".encode()


def _drawn(number: int) -> bytes:
    data = _data(number)
    first, second = (part["text"] for part in data["body"])  # type: ignore[attr-defined]
    first = first.replace("&", "&amp;")
    links = f'<a href="/story/{number + 1}">Number {number + 1}</a>'
    return f"<html><body><main><h1>{data['title']}</h1><p>{first}</p>{second}{links}</main></body></html>".encode()


FORMS = {
    "next": lambda data: f'<script id="__NEXT_DATA__" type="application/json">{json.dumps({"props": data})}</script>',
    "window": lambda data: f"<script>window.__STATE__ = {json.dumps(data)}; start()</script>",
    "bracket": lambda data: f'<script>window["__STATE__"]={json.dumps(data)}</script>',
    "ld": lambda data: f'<script type="application/ld+json">{json.dumps([data])}</script>',
}


@pytest.mark.parametrize("form", FORMS)
def test_the_rules_of_one_page_read_another(form: str) -> None:
    wrap = FORMS[form]
    body, other = _page(wrap(_data(1))), _page(wrap(_data(2)))
    rules = learn(parse(body, URL), body, parse(_drawn(1), URL))
    written = with_data(parse(other, URL), other, rules)
    assert written is not None
    document = parse(written, URL)
    text = plain_text(document)
    assert "It began, 2 told us, on a long and rainy night in March & went on." in text
    assert "Then 2 of them came over the hill" in text
    assert "no reader ever" not in text
    assert document.title == "The story of number 2"
    assert "https://example.org/story/3" in {link.url for link in document.links}


def test_a_page_without_the_data_is_not_written() -> None:
    body = _page(FORMS["next"](_data(1)))
    rules = learn(parse(body, URL), body, parse(_drawn(1), URL))
    empty = _page("")
    assert with_data(parse(empty, URL), empty, rules) is None


def test_what_the_page_says_in_its_own_encoding_is_kept() -> None:
    body = "<html><head><meta charset=koi8-r></head><body>Привет</body></html>".encode("koi8-r")
    data = '<script type="application/json">{"t": "Длинный текст, который показан читателю"}</script>'.encode("koi8-r")
    page = body.replace(b"</body>", data + b"</body>")
    drawn = parse("<main><p>Длинный текст, который показан читателю</p></main>", URL)
    rules = learn(parse(page, URL), page, drawn)
    written = with_data(parse(page, URL), page, rules)
    assert written is not None
    assert "Длинный текст, который показан читателю" in plain_text(parse(written, URL))


def test_hostile_data_is_bounded() -> None:
    deep = _page(f'<script type="application/json">{"[" * 500}"x"{"]" * 500}</script>')
    assert leaves(parse(deep, URL), deep) == []
    wide = _page(f'<script type="application/json">{json.dumps(["a"] * 60_000)}</script>')
    assert len(leaves(parse(wide, URL), wide)) == 50_000
    broken = _page("<script>window.A = {unquoted: 1}; window.B = [[[[</script>")
    assert leaves(parse(broken, URL), broken) == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(_JSON, st.text(max_size=100))
def test_any_data_and_any_page_can_be_tried(data: object, text: str) -> None:
    safe = json.dumps(data).replace("</", "<\\/")
    body = _page(f'<script type="application/json">{safe}</script><script>window.x = {safe}</script>')
    plain = parse(body, URL)
    rules = learn(plain, body, parse(f"<p>{text}</p>", URL))
    written = with_data(plain, body, rules)
    assert written is None or len(written) > len(body)

"""What stands beside the main text: captions of its pictures, and links to pages that are called related."""

from __future__ import annotations

import numpy as np
import pytest

from nephila import extract
from nephila.content.asides import captions_of, related_of
from nephila.content.features.page import page_features
from nephila.document import parse

TEXT = "The silk of a golden orb weaver holds more than steel of its own weight."
CAPTION = "A web at dawn, with dew on it"


def _asides(html: str) -> tuple[list[str] | None, list[dict[str, str]] | None]:
    document = parse(html, "http://site.example/spiders/silk")
    page = page_features(document)
    kept = np.array([text == TEXT for text in document.layout.texts])
    return captions_of(document, page, kept), related_of(document, page, kept)


@pytest.mark.parametrize(
    "picture",
    [
        f"<figure><img src=web.jpg><figcaption>{CAPTION}</figcaption></figure>",
        f'<div class="wp-caption"><img src=web.jpg><p class="wp-caption-text">{CAPTION}</p></div>',
        f'<div class="image"><img src=web.jpg><div class="photo-caption">{CAPTION}</div></div>',
    ],
)
def test_what_is_said_below_a_picture_in_the_text_is_a_caption(picture: str) -> None:
    assert _asides(f"<article><p>{TEXT}</p>{picture}<p>{TEXT}</p></article>")[0] == [CAPTION]


@pytest.mark.parametrize(
    "other",
    [
        f'<div class="gallery"><p>{CAPTION}</p></div>',
        f"<table><caption>{CAPTION}</caption><tr><td>1</table>",
        f'<div class="caption-bar">{"word " * 120}</div>',
    ],
)
def test_other_texts_are_none(other: str) -> None:
    assert _asides(f"<article><p>{TEXT}</p>{other}<p>{TEXT}</p></article>")[0] is None


def test_a_picture_far_from_the_text_is_not_its_own() -> None:
    menu = "".join(f"<li>Entry {n}" for n in range(9))
    html = f"<p>{TEXT}</p><ul>{menu}</ul><figure><figcaption>{CAPTION}</figcaption></figure>"
    assert _asides(html)[0] is None


@pytest.mark.parametrize("name", ["related-posts", "RELATED-POSTS", "seeAlso", "related " + "wide " * 150])
def test_links_in_a_part_that_is_named_for_it_are_related(name: str) -> None:
    html = f"""<article><p>{TEXT}</p></article>
        <div class="{name}"><h3>You may like</h3>
        <ul><li><a href="orb">Orb weavers of the world</a><li><a href="/jump">Jumping spiders</a>
        <li><a href="orb">Orb weavers of the world</a></ul></div>
        <div class="latest"><a href="/news">Something else entirely</a></div>"""
    assert _asides(html)[1] == [
        {"title": "Orb weavers of the world", "url": "http://site.example/spiders/orb"},
        {"title": "Jumping spiders", "url": "http://site.example/jump"},
    ]


def test_nothing_is_related_where_nothing_is_called_so() -> None:
    assert _asides(f'<p>{TEXT}</p><ul class="menu"><li><a href="/a">Somewhere</a></ul>') == (None, None)


def test_a_link_that_leads_nowhere_is_left_out() -> None:
    assert _asides(f'<p>{TEXT}</p><div class="related"><a href="javascript:more()">More of it</a></div>')[1] is None


def test_a_name_around_the_text_itself_says_nothing() -> None:
    menu = '<ul><li><a href="/a">Somewhere</a></ul>'
    assert _asides(f'<div class="has-related"><p>{TEXT}</p><div class="more">{menu}</div></div>')[1] is None


def test_a_record_has_them_beside_its_text() -> None:
    prose = "".join(f"<p>{TEXT} It is spun in the morning, {n} times, and eaten in the evening.</p>" for n in range(6))
    record = extract(
        f"""<title>Silk</title><article><h1>Silk</h1>{prose}
        <figure><img src=w.jpg><figcaption>{CAPTION}</figcaption></figure>{prose}</article>
        <aside class="related"><ul><li><a href="/orb">Orb weavers</a></ul></aside>""",
        "http://site.example/silk",
    )
    assert TEXT in (record.text or "")
    assert record.captions == [CAPTION]
    assert record.related == [{"title": "Orb weavers", "url": "http://site.example/orb"}]

"""Lists of other pages below an article, told by their shape."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content import main_content
from nephila.content.features.page import page_features
from nephila.content.judgement import KINDS, Judgement
from nephila.content.teasers import without_teasers
from nephila.document import parse
from tests.content.credulous import Credulous

PROSE = "".join(
    f"<p>Paragraph {n}: the kettle hums, has always hummed, and nobody has ever asked why.</p>" for n in range(8)
)
TITLE = "<dt><a href=/{n}>Another story of the day, number {n}</a></dt>"


def entries(count: int = 6, title: str = TITLE) -> str:
    told = (f"{title.format(n=n)}<dd>Teaser {n}: what the paper said of spoons on that day.</dd>" for n in range(count))
    return f"<dl class=news>{''.join(told)}</dl>"


def judged(html: str, kind: str = "article") -> tuple[Judgement, Judgement, list[str]]:
    """Before and after, where the model takes everything for text."""
    document = parse(html)
    page = page_features(document)
    kinds = np.eye(len(KINDS), dtype=np.float32)[KINDS.index(kind)]
    sure = np.full(len(page.weights), 0.8, np.float32)
    before = Judgement(sure, np.zeros_like(sure), kinds)
    return before, without_teasers(before, page, sure > 0), document.layout.texts


def test_linked_titles_with_their_teasers_at_the_end_are_no_text() -> None:
    _, after, texts = judged(f"<h1>The kettle</h1>{PROSE}{entries()}")
    told = dict(zip(texts, after.main.tolist(), strict=True))
    assert told["Teaser 3: what the paper said of spoons on that day."] < 0.1
    assert told["Another story of the day, number 3"] < 0.1
    assert told["Paragraph 7: the kettle hums, has always hummed, and nobody has ever asked why."] > 0.7


def test_titles_go_with_their_teasers_whatever_they_look_like() -> None:
    title = "<div class=of-{n}><h{n} class=top-{n}><a href=/{n}>Another story of the day, number {n}</a></h{n}></div>"
    # One title stands beside the teasers, in a place of the same looks: so four of them are a list of five.
    _, after, texts = judged(f"{PROSE}{entries(4, title)}")
    told = dict(zip(texts, after.main.tolist(), strict=True))
    assert all(told[f"Another story of the day, number {n}"] < 0.1 for n in range(4))
    before, after, _ = judged(f"{PROSE}{entries(3, title)}")
    assert after is before


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (f"{PROSE}{entries()}", "collection"),  # there they are what the page is about
        (f"{PROSE}{entries(3)}", "article"),  # too few
        (f"{PROSE}{entries(title='<dt>Another story of the day, number {n}</dt>')}", "article"),  # no links
        (f"{PROSE}{entries(title='<dt><a href=/{n}>Make it larger, please</a></dt>')}", "article"),  # the same link
        (f"{PROSE}{entries()}{PROSE}", "article"),  # the text goes on behind them
        (f"<p>Ten kettles, and what we think of them.</p>{entries()}", "article"),  # nothing else is said
    ],
)
def test_what_lacks_one_of_the_signs_is_left_to_the_model(page: str, kind: str) -> None:
    before, after, _ = judged(page, kind)
    assert after is before


def test_the_text_is_without_them() -> None:
    text = main_content(parse(f"<h1>The kettle</h1>{PROSE}{entries()}"), model=Credulous()).text
    assert "Paragraph 7" in text
    assert "Teaser" not in text
    assert "Another story" not in text

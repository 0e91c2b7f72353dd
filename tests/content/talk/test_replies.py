"""Comments of articles in any language, told by the word below each of them."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content import main_content
from nephila.content.features.page import page_features
from nephila.content.judgement import KINDS, Judgement
from nephila.content.talk.replies import without_replies
from nephila.document import parse
from tests.content.credulous import Credulous

PROSE = "".join(
    f"<p>Absatz {n}: der Kessel summt, seit es ihn gibt, und niemand hat je gefragt, warum.</p>" for n in range(6)
)


def comments(reply: str, count: int = 4) -> str:
    said = (f"<p>Leser{n}</p><p>Meiner summt in G, Kommentar {n}.</p><p>{reply}</p>" for n in range(count))
    return "".join(said)


def judged(html: str, thread: float = 0.0) -> tuple[Judgement, Judgement, list[str]]:
    """Before and after, where the model takes everything for text."""
    document = parse(html)
    page = page_features(document)
    kinds = np.zeros(len(KINDS), np.float32)
    kinds[KINDS.index("forum")] = thread
    sure = np.full(len(page.weights), 0.9, np.float32)
    before = Judgement(sure, np.zeros_like(sure), kinds)
    return before, without_replies(before, page, document.layout.texts), document.layout.texts


@pytest.mark.parametrize("reply", ["Antworten", "Ответить", "Reply (3)", "· Odpowiedz", "回复"])
def test_what_can_be_replied_to_below_a_head_is_a_comment(reply: str) -> None:
    _, after, texts = judged(f"{PROSE}<h3>Kommentare (4)</h3>{comments(reply)}<p>Impressum und mehr</p>")
    told = dict(zip(texts, zip(after.main.tolist(), after.comment.tolist(), strict=True), strict=True))
    assert told["Meiner summt in G, Kommentar 2."] == pytest.approx((0.02, 0.5))
    assert told["Absatz 5: der Kessel summt, seit es ihn gibt, und niemand hat je gefragt, warum."][0] > 0.8
    assert told["Impressum und mehr"][0] > 0.8


@pytest.mark.parametrize(
    ("page", "thread"),
    [
        (f"{PROSE}{comments('Antworten')}", 0.0),  # nothing heads them
        (f"{PROSE}<h3>Kommentare</h3>{comments('Antworten', 2)}", 0.0),  # too few
        (f"{PROSE}<h3>Kommentare</h3>{comments('Weiterlesen')}", 0.0),  # another word
        (f"{PROSE}<h3>Kommentare</h3>{comments('Antworten')}", 0.9),  # a thread: they are its text
        (f"<p>Kurz.</p><h3>Kommentare</h3>{comments('Antworten')}", 0.0),  # no text of its own
        (f"{PROSE}<h3>Kommentare</h3>" + "<p>Antworten</p>" * 6, 0.0),  # nothing is said between
    ],
)
def test_what_lacks_one_of_the_signs_is_left_to_the_model(page: str, thread: float) -> None:
    before, after, _ = judged(page, thread)
    assert after is before


def test_a_text_is_without_them_and_the_comments_have_them() -> None:
    page = parse(f"{PROSE}<h3>Kommentare (4)</h3>{comments('Antworten')}")
    content = main_content(page, model=Credulous())
    assert "Absatz 5" in content.text
    assert "Kommentar 2" not in content.text
    assert any("Kommentar 2" in comment["text"] for comment in content.comments)

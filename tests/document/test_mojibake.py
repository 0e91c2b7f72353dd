"""Pages that were decoded once too often, and pages that only look a little like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.document import parse
from nephila.document.mojibake import mend

TEXTS = (
    "Zażółć gęślą jaźń — to jest zdanie, w którym są wszystkie polskie znaki.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "«Voilà», dit l’élève : « où est passé le café de l’hôtel ? À côté ! »",
    "Größere Straßen führen über Köln; müde Kühe käuen Gräser wieder — schön.",
    "这是一个用来检查的句子，里面没有别的东西。",
    "It’s “quoted” – and it’s… well, 20 °C, isn’t it? “Yes” — it’s so.",
)
CONTROLS = {0x81, 0x8D, 0x8F, 0x90, 0x9D}


def as_windows(text: str) -> str:
    """As a program reads it that believes in Windows-1252; what that lacks stays a control character."""
    return "".join(chr(byte) if byte in CONTROLS else bytes((byte,)).decode("cp1252") for byte in text.encode())


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_decoded_twice_is_mended(text: str) -> None:
    for wrong in (text.encode().decode("latin-1"), as_windows(text)):
        assert mend(wrong.encode()) == text.encode()


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_not_is_left_alone(text: str) -> None:
    page = f"<p>{text}</p>".encode()
    assert mend(page) is page


def test_a_page_about_it_is_left_alone() -> None:
    about = (
        "<p>I see Ã© and â€™ and Ã¼ where é, ’ and ü should be: © 2024 · why? — Ñandú, naïve, façade, cliché, Øre</p>"
    )
    page = (about * 3).encode()
    assert mend(page) is page


def test_a_few_are_no_proof() -> None:
    page = "<p>Temperature 20 Â°C, 21 Â°C</p>".encode()
    assert mend(page) is page


def test_signs_that_were_added_later_stay() -> None:
    wrong = as_windows("Größe, Öl, Übermut, ähnlich, schön, müßig, Füße, Bögen, Käse, Tür. " * 3)
    assert mend(f"{wrong} © 2026".encode()).decode().endswith("Tür.  © 2026")


def test_a_page_is_read_as_it_was_meant() -> None:
    page = "<title>Żółw</title><p>" + TEXTS[0] * 3
    assert parse(page.encode().decode("latin-1")).title == "Żółw"
    assert parse(page.encode().decode("latin-1").encode()).title == "Żółw"


@given(st.text(st.characters(min_codepoint=0xA1, exclude_categories=("Cs", "Co", "Cn")), min_size=8))
def test_any_text_comes_back(text: str) -> None:
    assert mend(text.encode().decode("latin-1").encode()) == text.encode()


@given(st.binary())
def test_no_bytes_break_it(body: bytes) -> None:
    mend(body * 10)

"""Pages that were decoded once too often, and pages that only look a little like it."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.document import mojibake, parse
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


def test_sequences_are_counted_the_same_with_and_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    first, then = (0x41, 0xC2, 0xC3), (0x00, 0x7F, 0x80, 0x81, 0x82, 0x85, 0x93, 0xB4, 0xB5, 0xBF)
    second, last = (0x41, 0xC2, 0xC3, 0xC5, 0xC6, 0xCB, 0xE2), (0x00, 0x84, 0x86, 0x92, 0x93, 0x9C, 0xA0, 0xBD, 0xBF)
    texts = [bytes(octets) for octets in product(first, then, second, last)]
    texts += [b"".join(texts[start : start + 40]) for start in range(0, len(texts), 20)]
    texts += [text[:cut] for text in texts[-9:] for cut in range(20)]
    counted = [mojibake._begun(text) for text in texts]
    monkeypatch.setattr(mojibake, "load", lambda: None)
    assert counted == [mojibake._begun(text) for text in texts]
    assert max(counted) == mojibake._LEAST

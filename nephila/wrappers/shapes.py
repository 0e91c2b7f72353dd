"""What values look like: shapes (letters, digits), and the kind of thing that a text says. Knows texts alone."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DIGITS = re.compile(r"\d+")
_UPPER = re.compile(r"[^\W\d_]+")

CURRENCIES = r"[$€£¥₹₽₩]|USD|EUR|GBP|CHF|CAD|AUD|JPY|INR|RUB|PLN|SEK|NOK|DKK|CZK|zł|kr|Fr\.|руб|元|円"
_MONTHS = (
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|"
    r"gen|mag|giu|lug|set|ott|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_YEAR = r"'?\d{2,4}"
_PARTS: list[tuple[str, str]] = [
    ("email", r"^[\w.+-]+@[\w-]+\.[\w.-]+$"),
    ("url", r"^(?:https?://|www\.)\S+$"),
    ("url", r"^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|de|fr|uk|io|info)(?:/\S*)?$"),
    ("isbn", r"^(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]$"),
    (
        "phone",
        (
            r"^(?:tel\.?:?\s*)?\+?\d{0,3}[ .-]?\(?\d{2,5}\)?[ ./-]+\d{2,4}[ .-]?\d{2,4}(?:[ .-]?\d{2,4})?"
            r"(?:\s*(?:x|ext\.?)\s*\d+)?$"
        ),
    ),
    ("price", rf"^(?:[a-z ]+:?\s*)?(?:{CURRENCIES})\s*\d[\d.,' ]*$|^\d[\d.,' ]*\s*(?:{CURRENCIES})$"),
    (
        "date",
        (
            rf"^(?:\w+,? )?(?:{_DAY}[ -])?(?:de )?(?:{_MONTHS})[a-zа-яéûô]*\.?,?[ -]?(?:de )?(?:{_DAY},? )?[ -]?{_YEAR}"
            r".{0,16}$"
        ),
    ),
    ("date", r"^\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})\b.{0,14}$|^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}.{0,22}$"),
    ("year", r"^\(?(?:1[89]|20)\d\d\)?$"),
    ("integer", r"^#?[\d,. ]{1,12}$"),
    ("percent", r"^\d[\d.,]*\s*%$"),
    (
        "quantity",
        r"^\d[\d.,/ ½¼¾-]*\s*(?:['\"′″]|[a-zµ°]{1,5}\.?)(?:\s*\d[\d.,/]*\s*(?:['\"′″]|[a-z]{1,5}\.?))?$",
    ),
]
_NOT_WORDS = re.compile(r"[\d@.,/]")
"""What each of these has one of at least."""
_KINDS = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PARTS]
_WITHOUT_DIGITS = [each for each in _KINDS if each[0] in ("email", "url", "integer")]


@lru_cache(maxsize=100_000)
def kind_of(text: str) -> str:
    """The kind of thing: price, date, phone, ..., or by its length: code, word, name, phrase, text."""
    if len(text) <= 60 and _NOT_WORDS.search(text):
        for kind, pattern in _KINDS if _DIGITS.search(text) else _WITHOUT_DIGITS:
            if pattern.search(text):
                return kind
    words = text.split()
    if len(words) == 1:
        return "code" if any(c.isdigit() for c in text) else "word"
    if len(words) <= 5:
        capitals = sum(word[:1].isupper() for word in words)
        return "name" if capitals >= len(words) - 1 else "phrase"
    return "phrase" if len(words) <= 14 else "text"


@lru_cache(maxsize=100_000)
def shape_of(text: str) -> str:
    """`Aa Aa`, `9-9`, `$99.99`: runs of letters by case, digits by their number (up to 4, then `9+`); cut at 24."""

    def letters(match: re.Match[str]) -> str:
        word = match[0]
        return "A" if word.isupper() else "Aa" if word[0].isupper() else "a"

    def digits(match: re.Match[str]) -> str:
        return "9" * len(match[0]) if len(match[0]) <= 4 else f"9+{len(match[0])}"

    return _UPPER.sub(letters, _DIGITS.sub(digits, text[:80]))[:24]


@lru_cache(maxsize=100_000)
def outline_shape(text: str) -> str:
    """The shape with runs collapsed: `Aa*`, `9-9`, `$9.9`."""
    shape = re.sub(r"9\+?\d*", "9", _UPPER.sub("a", text[:80]))
    shape = re.sub(r"\d+", "9", shape)
    return re.sub(r"a(?:[ ,.&'-]*a)+", "a*", shape)[:16]


@lru_cache(maxsize=100_000)
def words_of(text: str) -> tuple[str, ...]:
    """Lower-case words; `datePublished` and `pub_date` are two each."""
    return tuple(word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text)))


@lru_cache(maxsize=100_000)
def label_key(text: str) -> str:
    """A label without its punctuation and case."""
    return " ".join(words_of(text))

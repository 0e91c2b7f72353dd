"""Texts -> typed values: prices with their currency, dates, numbers with their unit, addresses. Knows texts alone.

What cannot be read as its type is absent, never a guess.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

from nephila.content.metadata.written_dates import find_date
from nephila.document.dates import to_iso

TYPES = ("text", "number", "price", "quantity", "date", "url", "image")

_SIGNS = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "zł": "PLN",
    "руб": "RUB",
    "元": "CNY",
    "円": "JPY",
    "fr.": "CHF",
    "kč": "CZK",
    "₺": "TRY",
    "₴": "UAH",
    "c$": "CAD",
    "ca$": "CAD",
    "a$": "AUD",
    "au$": "AUD",
    "us$": "USD",
    "hk$": "HKD",
    "r$": "BRL",
}
_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True)), re.IGNORECASE)
_CODE = re.compile(
    r"\b(USD|EUR|GBP|CHF|CAD|AUD|JPY|INR|RUB|PLN|SEK|NOK|DKK|CZK|CNY|BRL|MXN|KRW|TRY|UAH|HUF|NZD|HKD|SGD|ZAR)\b"
)
_NUMBER = re.compile(r"[-+]?\d[\d.,'\u00a0\u202f ]*\d|[-+]?\d")
_LOOSE = re.compile(r"^[\s|·•,;]+|[\s(\[|·•,;]+$")
"""What stands between a value and the link behind it: `12 ounces (<a>View rates</a>)`."""
_UNIT = re.compile(r"\s*([^\W\d_]{1,12}\.?|[%°\"'′″])")
_FEET = re.compile(r"^(\d)\s*(?:-|'|′|ft\.?|feet)\s*(\d{1,2})(?:\s*(?:\"|″|''|in\.?|inches))?$", re.IGNORECASE)
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_DURATION = re.compile(
    r"^PT?(?:(?P<d>\d+)D)?T?(?:(?P<h>\d+(?:\.\d+)?)H)?(?:(?P<m>\d+(?:\.\d+)?)M)?(?:\d+(?:\.\d+)?S)?$", re.IGNORECASE
)


def typed(text: str, kind: str, base: str | None = None, language: str | None = None) -> Any:
    """The value of the text, or None."""
    text = text.strip()
    if not text:
        return None
    if kind == "number":
        return read_number(text)
    if kind == "price":
        return read_price(text)
    if kind == "quantity":
        return read_quantity(text)
    if kind == "date":
        return read_date(text, language)
    if kind in ("url", "image"):
        return read_url(text, base)
    return _LOOSE.sub("", text) or None


def read_number(text: str) -> float | int | None:
    match = _NUMBER.search(text)
    return decimal(match[0]) if match else None


def decimal(written: str) -> float | int | None:
    """`1.234,50`, `1,234.50`, `1 234,5`, `1'234`: the last mark is the decimal one, unless it parts thousands."""
    digits = re.sub(r"[\s'\u00a0\u202f]", "", written).rstrip(".,")
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0:
        mark, after = digits[last], len(digits) - last - 1
        other = "," if mark == "." else "."
        thousands = digits.count(mark) > 1 or (after == 3 and other not in digits and digits[:last].lstrip("+-") != "0")
        digits = digits.replace(other, "")
        digits = digits.replace(mark, "") if thousands else digits.replace(mark, ".")
    try:
        number = float(digits)
    except ValueError:
        return None
    return int(number) if number.is_integer() and "." not in digits else number


def read_price(text: str) -> dict[str, Any] | None:
    """The first amount of the text; the currency is None where none is written."""
    match = _NUMBER.search(text)
    amount = decimal(match[0]) if match else None
    if match is None or amount is None or amount < 0:
        return None
    around = text[max(0, match.start() - 6) : match.start()] + "\x00" + text[match.end() : match.end() + 6]
    code, sign = _CODE.search(around.upper()), _SIGN.search(around)
    currency = code[1] if code else _SIGNS[sign[0].lower()] if sign else None
    return {"amount": amount, "currency": currency}


def read_quantity(text: str) -> dict[str, Any] | None:
    """A number with its unit; feet and inches become inches, ISO durations minutes."""
    if feet := _FEET.match(text):
        return {"value": int(feet[1]) * 12 + int(feet[2]), "unit": "in"}
    if (duration := _DURATION.match(text)) and any(duration.groupdict().values()):
        days, hours, minutes = (float(duration[part] or 0) for part in "dhm")
        return {"value": days * 1440 + hours * 60 + minutes, "unit": "min"}
    match = _NUMBER.search(text)
    value = decimal(match[0]) if match else None
    if match is None or value is None:
        return None
    unit = _UNIT.match(text, match.end())
    return {"value": value, "unit": unit[1].rstrip(".") if unit else None}


def read_date(text: str, language: str | None = None) -> str | None:
    """ISO 8601, as much of it as is written: a day (with time and zone where they are), else a year."""
    if iso := to_iso(text):
        return iso
    if day := find_date(text, language):
        return day
    years = set(_YEAR.findall(text))
    return years.pop() if len(years) == 1 and len(text) <= 40 else None


def read_url(text: str, base: str | None) -> str | None:
    if " " in text or text.startswith(("javascript:", "#")):
        return None
    if re.match(r"^(?:[\w-]+\.)+[a-z]{2,}(?:/|$)", text, re.IGNORECASE) and "://" not in text:
        return f"http://{text}"
    try:
        return urljoin(base, text) if base else text
    except ValueError:
        return None

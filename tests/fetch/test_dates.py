"""Dates of sitemaps and feeds, with the usual faults."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.dates import parse_date


def at(*parts: int, hours: float = 0) -> float:
    return datetime(*parts, tzinfo=timezone(timedelta(hours=hours))).timestamp()  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-05", at(2024, 3, 5)),
        ("2024-03", at(2024, 3, 1)),
        ("2024-03-05T10:11:12Z", at(2024, 3, 5, 10, 11, 12)),
        ("2024-03-05T10:11:12.345678+02:00", at(2024, 3, 5, 10, 11, 12, 345678, hours=2)),
        ("2024-03-05T10:11+0200", at(2024, 3, 5, 10, 11, hours=2)),
        ("2024-03-05 10:11:12 +0100", at(2024, 3, 5, 10, 11, 12, hours=1)),
        ("2024-03-05 10:11:12 UTC", at(2024, 3, 5, 10, 11, 12)),
        ("2024-3-5 9:05", at(2024, 3, 5, 9, 5)),
        ("2024/03/05", at(2024, 3, 5)),
        ("2024-03-05T24:00:00Z", at(2024, 3, 6)),
        ("2024-12-31T23:59:60Z", at(2025, 1, 1)),
        ("20240305T101112Z", at(2024, 3, 5, 10, 11, 12)),
        ("20240305", at(2024, 3, 5)),
        ("1709633472", 1709633472.0),
        ("1709633472000", 1709633472.0),
        ("Tue, 05 Mar 2024 10:11:12 GMT", at(2024, 3, 5, 10, 11, 12)),
        ("Tue, 5 Mar 2024 10:11:12 +0000", at(2024, 3, 5, 10, 11, 12)),
        ("Tue, 05 Mar 24 10:11 EST", at(2024, 3, 5, 10, 11, hours=-5)),
        ("Tues, 05 March 2024 10:11:12 PDT", at(2024, 3, 5, 10, 11, 12, hours=-7)),
        ("mar., 05 mars 2024 10:11:12 +0100", at(2024, 3, 5, 10, 11, 12, hours=1)),
        ("Di, 05 Mär 2024 10:11:12 +0100", at(2024, 3, 5, 10, 11, 12, hours=1)),
        ("05 Mar 2024 10:11:12 GMT+0200", at(2024, 3, 5, 10, 11, 12, hours=2)),
        ("Tue Mar  5 10:11:12 2024", at(2024, 3, 5, 10, 11, 12)),
        ("Tue Mar 05 10:11:12 EST 2024", at(2024, 3, 5, 10, 11, 12, hours=-5)),
        ("March 5, 2024 10:11 PM", at(2024, 3, 5, 22, 11)),
        ("Mar 5, 2024", at(2024, 3, 5)),
        ("5-Mar-2024", at(2024, 3, 5)),
        ("12 Dec 1999 12:00 am", at(1999, 12, 12)),
        ("  2024-03-05\n", at(2024, 3, 5)),
    ],
)
def test_a_date_is_read(text: str, expected: float) -> None:
    assert parse_date(text) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "yesterday",
        "0000-00-00",
        "0000-00-00T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "2024-02-30",
        "2024-13-01",
        "9999-12-31",
        "5 Foo 2024",
        "99999",
        "2024-03-05T99:00",
        "12345678901234567890",
        "T10:00",
        "-1",
    ],
)
def test_nonsense_is_no_date(text: str) -> None:
    assert parse_date(text) is None


moments = st.integers(31_536_000, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


@given(moments, st.integers(-14 * 4, 14 * 4))
def test_every_moment_comes_back_from_every_common_form(moment: datetime, quarters: int) -> None:
    local = moment.astimezone(timezone(timedelta(minutes=15 * quarters)))
    forms = [
        local.isoformat(),
        local.isoformat(" "),
        format_datetime(local),
        local.strftime("%d %b %Y %H:%M:%S %z"),
        local.strftime("%Y%m%dT%H%M%S%z"),
        moment.strftime("%a %b %d %H:%M:%S %Y"),
        moment.strftime("%B %d, %Y %I:%M:%S %p"),
    ]
    for form in forms:
        assert parse_date(form) == moment.timestamp(), form


@given(st.text(max_size=60) | st.text("0123456789-:/.TZ+ JanFeb,", max_size=40))
def test_any_text_gives_a_sane_date_or_none(text: str) -> None:
    found = parse_date(text)
    assert found is None or -86400 <= found < 4_133_980_800

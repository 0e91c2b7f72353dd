"""Dates as forums write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.forum.dates import DateReader, page_zone, stamp

NOW = datetime(2020, 7, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2019-09-29 10:46:47", "2019-09-29T10:46:47+00:00"),
        ("Jan. 31, 2024, 6:07 p.m.", "2024-01-31T18:07:00+00:00"),
        ("June 12, 2025, 6 p.m.", "2025-06-12T18:00:00+00:00"),
        ("April 13, 2025, midnight", "2025-04-13T00:00:00+00:00"),
        ("Sun Dec 15, 2019 4:58 pm", "2019-12-15T16:58:00+00:00"),
        ("29/07/2004, 19h46", "2004-07-29T19:46:00+00:00"),
        ("7. März 2020 um 23:20", "2020-03-07T23:20:00+00:00"),
        ("2024年1月31日 下午3:05", "2024-01-31T15:05:00+00:00"),
        ("31 Jan '24", "2024-01-31"),
        ("Yesterday, 10:12 PM", "2020-06-30T22:12:00+00:00"),
        ("gestern um 14:03", "2020-06-30T14:03:00+00:00"),
        ("сегодня, 09:15", "2020-07-01T09:15:00+00:00"),
        ("3 hours ago", "2020-07-01T09:00:00+00:00"),
        ("vor 5 Minuten", "2020-07-01T11:55:00+00:00"),
        ("il y a 2 jours", "2020-06-29"),
        ("asked 3 hours ago", "2020-07-01T09:00:00+00:00"),
        ("Posted 2 hours ago by Anna", "2020-07-01T10:00:00+00:00"),
        ("Anna · 2h", "2020-07-01T10:00:00+00:00"),
        ("2小时前", "2020-07-01T10:00:00+00:00"),
        ("发表于 3 天前", "2020-06-28"),
        ("半小时前", "2020-07-01T11:30:00+00:00"),
        ("a few minutes ago", "2020-07-01T11:59:00+00:00"),
        ("позавчера в 10:15", "2020-06-29T10:15:00+00:00"),
        ("前天 10:15", "2020-06-29T10:15:00+00:00"),
        ("Monday at 10:15 PM", "2020-06-29T22:15:00+00:00"),
        ("Wednesday 10:15", "2020-06-24T10:15:00+00:00"),
        ("Dec '19", "2019-12-01"),
        ("2 days ago edited May 2020", "2020-06-29"),
        ("19:15, 24 May 2020 Last edit: 19:24, 24 May 2020", "2020-05-24T19:15:00+00:00"),
        ("March 30", "2020-03-30"),
        ("December 24", "2019-12-24"),
        ("2020-01-30T08:39:03+02:00", "2020-01-30T08:39:03+02:00"),
    ],
)
def test_a_date_is_read(text: str, iso: str) -> None:
    when = DateReader(NOW).read(text)
    assert when is not None
    assert when.iso() == iso


@pytest.mark.parametrize("text", ["Posts: 120", "page 3 of 12", "#14", "5 posts", "", "+1", "12.5 km"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert DateReader(NOW).read(text) is None


def test_numbers_above_twelve_tell_the_order_of_all() -> None:
    reader = DateReader(NOW)
    reader.learn_order(["04/05/2019", "04/23/2019"])
    when = reader.read("04/05/2019")
    assert when is not None
    assert when.iso() == "2019-04-05"


def test_the_zone_of_a_page_is_taken_from_its_sentence() -> None:
    assert page_zone(["Powered by wind", "All times are UTC+01:00"]) == timezone(timedelta(hours=1))
    assert page_zone(["nothing of the kind"]) is None


def test_seconds_since_the_epoch() -> None:
    when = stamp("1587644641")
    assert when is not None
    assert when.iso() == "2020-04-23T12:24:01+00:00"


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    when = DateReader(NOW).read(text)
    assert when is None or when.iso()

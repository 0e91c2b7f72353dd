"""When a URL is tried again, and what Retry-After means for its host."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.retries import RetryPolicy, _seconds
from nephila.frontier import Entry, Lease, SqliteFrontier
from nephila.job import LimitRules


def judged(
    path: Path, *outcomes: FetchError | tuple[int, str | None], attempt: int = 1
) -> list[tuple[float | None, float]]:
    """For each outcome: seconds to the next attempt, and seconds for which the host is left alone."""

    async def main() -> list[tuple[float | None, float]]:
        found = []
        for number, outcome in enumerate(outcomes):
            frontier = SqliteFrontier(path / f"{number}.sqlite")
            await frontier.add([Entry("http://h/", 1, "h")])
            lease = Lease("http://h/", 1, "h", 1, "w", 0.0, attempt, 0)
            policy = RetryPolicy(LimitRules(), frontier)
            now = time.time()
            if isinstance(outcome, FetchError):
                retry_at = await policy.after_error(lease, outcome)
            else:
                retry_at = await policy.after_status(lease, *outcome)
            [host] = await frontier.host_stats()
            found.append((None if retry_at is None else retry_at - now, max(0.0, host.ready_at - now)))
            await frontier.close()
        return found

    return asyncio.run(main())


def test_a_page_that_may_come_is_tried_again_after_pauses_that_double(tmp_path: Path) -> None:
    for attempt, pause in ((1, 1), (2, 2), (3, 4), (20, 60)):
        [(wait, host)] = judged(tmp_path, FetchError(Cause.RESET), attempt=attempt)
        assert wait == pytest.approx(pause, rel=0.3)
        assert host == 0
        (tmp_path / "0.sqlite").unlink()


def test_what_cannot_come_is_given_up(tmp_path: Path) -> None:
    final = [FetchError(cause) for cause in (Cause.BOMB, Cause.ADDRESS, Cause.TOO_LARGE, Cause.PARSE)]
    down = FetchError(Cause.REFUSED, "down", final=True)
    assert [wait for wait, _ in judged(tmp_path, *final, down, (404, None), (403, "1"), (418, None))] == [None] * 8


def test_an_error_with_a_date_holds_for_the_whole_host(tmp_path: Path) -> None:
    [(wait, host)] = judged(tmp_path, FetchError(Cause.ROBOTS_UNREACHABLE, retry_at=time.time() + 40))
    assert wait == pytest.approx(40, abs=2)
    assert host == pytest.approx(40, abs=2)


def test_retry_after_is_obeyed_by_the_whole_host(tmp_path: Path) -> None:
    date = formatdate(time.time() + 30, usegmt=True)
    outcomes = judged(
        tmp_path, (429, "20"), (503, date), (503, "0"), (500, "7"), (503, "soon"), (503, None), (500, None)
    )
    seconds, dated, at_once, other, nonsense, without, plain = outcomes
    assert seconds == (pytest.approx(20, abs=1), pytest.approx(20, abs=1))
    assert dated == (pytest.approx(30, abs=2), pytest.approx(30, abs=2))
    assert at_once == (pytest.approx(0, abs=0.5), pytest.approx(0, abs=0.5))
    assert other == (pytest.approx(7, abs=1), pytest.approx(7, abs=1))
    for pause in (nonsense, without):
        assert pause == (pytest.approx(1, abs=0.5), pytest.approx(1, abs=0.5))
    assert plain == (pytest.approx(1, abs=0.5), 0)


def test_nobody_waits_for_a_year(tmp_path: Path) -> None:
    next_year = formatdate(time.time() + 31_536_000, usegmt=True)
    for wait, host in judged(tmp_path, (503, "31536000"), (429, "9" * 400), (503, next_year), (503, "601")):
        assert wait is None
        assert host == 0


@given(
    st.one_of(st.text(max_size=40), st.from_regex(r"[A-Z][a-z]{2}, \d{1,9} [A-Z][a-z]{2} \d{1,9} \d+:\d+:\d+ .{0,5}"))
)
def test_any_retry_after_is_read_or_ignored(value: str) -> None:
    seconds = _seconds(value)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize("value", ["Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 -0000", "0"])
def test_a_date_gone_by_means_now(value: str) -> None:
    assert _seconds(value) == 0.0

"""Hosts that do not answer: pauses that double, an end to patience, and a way back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.errors import Cause
from nephila.fetch.outages import Outages

HOST = "h.example"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def silent(outages: Outages, clock: Clock, lasting: float = 0.0) -> list[float | None]:
    """Asks as often as the pauses allow until the host is given up; gives the pauses."""
    pauses = []
    while outages.down(HOST) is None:
        clock.now += lasting
        pause = outages.failed(HOST, Cause.REFUSED)
        pauses.append(pause)
        clock.now += pause if pause is not None else 1.0
        assert len(pauses) < 50
    return pauses


def test_pauses_double_and_after_two_minutes_the_host_is_down() -> None:
    clock = Clock()
    outages = Outages(clock=clock)
    assert silent(outages, clock) == [None, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, None]
    assert 120 <= clock.now - 1000 < 180
    assert outages.down(HOST) is Cause.REFUSED
    assert outages.down("other.example") is None


def test_requests_that_fail_together_count_once() -> None:
    clock = Clock()
    outages = Outages(clock=clock)
    assert [outages.failed(HOST, Cause.STALLED) for _ in range(100)] == [None] * 100
    clock.now += 1
    assert [outages.failed(HOST, Cause.STALLED) for _ in range(3)] == [1.0, None, None]


def test_one_failed_page_does_not_slow_its_host_down() -> None:
    clock = Clock()
    outages = Outages(clock=clock)
    for _ in range(20):
        assert outages.failed(HOST, Cause.TIMEOUT) is None
        outages.answered(HOST)
        clock.now += 100
    assert outages.down(HOST) is None


def test_a_host_that_is_down_may_show_after_a_while_that_it_is_back() -> None:
    clock = Clock()
    outages = Outages(clock=clock)
    silent(outages, clock)
    clock.now += 601
    assert outages.down(HOST) is None
    outages.failed(HOST, Cause.DNS)
    assert outages.down(HOST) is Cause.DNS
    clock.now += 601
    outages.answered(HOST)
    assert outages.failed(HOST, Cause.DNS) is None
    assert outages.down(HOST) is None


@given(st.floats(0, 30), st.floats(0.01, 5))
def test_no_host_is_waited_for_longer_than_minutes(lasting: float, base: float) -> None:
    clock = Clock()
    pauses = silent(Outages(base, clock=clock), clock, lasting)
    assert sum(pause or 1.0 for pause in pauses) <= 240 * base + 60 + len(pauses)
    assert len(pauses) >= 5

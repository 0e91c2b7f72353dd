"""Several workers at few hosts: none takes all the requests that a host allows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.settings import in_flight, share_of
from nephila.job import Job


def job(**politeness: int) -> Job:
    return Job.from_dict({"seeds": ["https://a.example/"], "politeness": politeness})


def test_two_workers_share_the_requests_of_one_host() -> None:
    assert share_of(job(parallel=8), hosts=1, workers=2) == (4, False)
    assert share_of(job(parallel=3), hosts=1, workers=2) == (2, False)


def test_a_host_not_met_yet_has_room_for_one() -> None:
    assert share_of(job(parallel=1), hosts=0, workers=4) == (1, False)


def test_many_hosts_have_room_for_all() -> None:
    assert share_of(job(parallel=8), hosts=100, workers=2) == (in_flight(job()), True)


@given(st.integers(1, 20), st.integers(0, 500), st.integers(1, 50))
def test_every_worker_has_some_and_together_they_fill_what_there_is(parallel: int, hosts: int, workers: int) -> None:
    rules = job(parallel=parallel)
    share, ahead = share_of(rules, hosts, workers)
    assert 1 <= share <= in_flight(rules)
    assert share * workers >= min(parallel * max(hosts, 1), in_flight(rules))
    assert ahead == (parallel * max(hosts, 1) / workers > in_flight(rules) - 1)

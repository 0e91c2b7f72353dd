"""Fair shares: the requests that a worker may have in flight, divided among the jobs that it serves."""

from __future__ import annotations

from collections.abc import Mapping


def shares(capacity: int, wanted: Mapping[str, int]) -> dict[str, int]:
    """Max-min fair: nobody gets more than it wants, and nobody less than another that gets more than it.

    Everyone gets one at least, also where the capacity is smaller than the number of jobs: a job that runs must move.
    """
    given = dict.fromkeys(wanted, 1)
    left = capacity - len(given)
    hungry = [name for name in sorted(wanted) if wanted[name] > 1]
    while left > 0 and hungry:
        each = max(1, left // len(hungry))
        for name in hungry:
            more = min(each, wanted[name] - given[name], left)
            given[name] += more
            left -= more
        hungry = [name for name in hungry if wanted[name] > given[name]]
    return given

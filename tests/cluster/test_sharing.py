from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.cluster.sharing import shares


def test_unused_shares_go_to_those_who_want_more() -> None:
    assert shares(32, {"a": 32, "b": 32}) == {"a": 16, "b": 16}
    assert shares(32, {"a": 4, "b": 32}) == {"a": 4, "b": 28}
    assert shares(2, {"a": 9, "b": 9, "c": 9}) == {"a": 1, "b": 1, "c": 1}
    assert shares(8, {}) == {}


@settings(deadline=None)
@given(st.integers(1, 200), st.dictionaries(st.text(max_size=3), st.integers(1, 64), max_size=20))
def test_shares_are_max_min_fair(capacity: int, wanted: dict[str, int]) -> None:
    got = shares(capacity, wanted)
    assert got.keys() == wanted.keys()
    assert all(1 <= got[name] <= wanted[name] for name in wanted)
    assert sum(got.values()) <= max(capacity, len(wanted))
    if sum(wanted.values()) >= capacity >= len(wanted):
        assert sum(got.values()) == capacity
    for mine in wanted:
        for yours in wanted:
            assert got[mine] >= min(wanted[mine], got[yours] - 1)

from __future__ import annotations

import pytest

from nephila.urls import parameters
from nephila.urls.parameters import looks_like_session, names_visitor


def test_lists_are_lower_case_and_apart() -> None:
    lists = [parameters.TRACKING, parameters.SESSION, parameters.MAYBE_SESSION, parameters.HEX_SESSION]
    names = [name for each in lists for name in each]
    assert all(name == name.lower() for name in names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("value", "session"),
    [
        ("0123456789abcdef0123456789abcdef", True),
        ("00000000000000000000000000000000", True),
        ("k3v9q2m4t7x1b8n6c5z0", True),
        ("1A2B3C4D5E6F7A8B.node1", True),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", True),
        ("", False),
        ("42", False),
        ("20261115123456789", False),
        ("internationalisation", False),
        ("how-to-win-100-friends-in-2026", False),
        ("a" * 500 + "123", False),
    ],
)
def test_session_ids_have_a_look(value: str, session: bool) -> None:
    assert looks_like_session(value) is session


def test_ordinary_parameters_stay() -> None:
    for parameter in (
        "id=1",
        "page=2",
        "q=utm_source",
        "ref=home",
        "s=words",
        "sid=7",
        "lang",
        "",
        "=",
        "session=spring-2026",
    ):
        assert not names_visitor(parameter), parameter

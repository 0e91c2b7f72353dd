from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.cluster.address import ZooKeeperAddress, parse_address
from nephila.errors import ConfigError


def test_hosts_path_and_user() -> None:
    assert parse_address("zookeeper://a") == ZooKeeperAddress("a", "/nephila")
    assert parse_address("zookeeper://a:2181,[::1]:2182/x/y/") == ZooKeeperAddress("a:2181,[::1]:2182", "/x/y")
    assert parse_address("zookeeper://me:p%40ss@a") == ZooKeeperAddress("a", "/nephila", "me", "p@ss")


@pytest.mark.parametrize(
    "bad", ["", "redis://a", "zookeeper://", "zookeeper://a,,b", "zookeeper://a/../b", "zookeeper://a//b"]
)
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(ConfigError):
        parse_address(bad)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_an_address_or_a_config_error(text: str) -> None:
    for candidate in (text, f"zookeeper://{text}"):
        with contextlib.suppress(ConfigError):
            parse_address(candidate)


def test_password_is_not_shown() -> None:
    assert "secret" not in repr(parse_address("zookeeper://me:secret@a"))
    with pytest.raises(ConfigError) as refused:
        parse_address("zookeeper://me:secret@a,,b")
    assert "secret" not in str(refused.value)

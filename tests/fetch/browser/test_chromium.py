"""Which browser is used, and what is said when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from nephila.errors import ConfigError
from nephila.fetch.browser import BrowserOptions
from nephila.fetch.browser.blocking import blocker
from nephila.fetch.browser.chromium import EXECUTABLE, find_chromium, flags


def test_the_one_named_wins_over_the_environment_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, other = tmp_path / "named", tmp_path / "other"
    for path in (named, other):
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    monkeypatch.setenv(EXECUTABLE, str(other))
    assert find_chromium() == str(other)
    assert find_chromium(str(named)) == str(named)


def test_a_missing_browser_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="no browser at"):
        find_chromium(str(tmp_path / "nothing"))
    monkeypatch.delenv(EXECUTABLE, raising=False)
    monkeypatch.setattr("nephila.fetch.browser.chromium._NAMES", ("nothing-of-that-name",))
    with pytest.raises(ConfigError, match="install Debian's package chromium"):
        find_chromium()


def test_no_flag_lets_chromium_pass_the_proxy_by() -> None:
    given = list(flags(BrowserOptions(), 1234))
    assert "--proxy-server=http://127.0.0.1:1234" in given
    assert "--proxy-bypass-list=<-loopback>" in given
    assert any(flag.startswith("--host-resolver-rules=MAP * ~NOTFOUND") for flag in given)
    assert "--disable-quic" in given


def test_blocked_hosts_are_blocked_with_all_below_them() -> None:
    blocked = blocker({"ads.example"})
    assert blocked("ads.example")
    assert blocked("EU.Ads.Example.")
    assert not blocked("loads.example")
    assert not blocked("example")

"""Chromium's own sandbox: on wherever it can be had, and never silently off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


def _drawn(*how: str) -> tuple[dict[str, Any], str]:
    command = [sys.executable, "-m", "tests.fetch.browser.as_nobody", *how]
    # Not pytest's own directory: that is closed to other users.
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o777)
        env = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": home, "HOME": home}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=240)
    if "Operation not permitted" in done.stderr:  # pragma: no cover - a machine that shuts us in more tightly still
        pytest.skip(f"this machine does not let a user be changed: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_a_user_without_rights_has_the_sandbox() -> None:
    drawn, _ = _drawn()
    assert drawn["user"] != 0
    assert drawn["drawn"]
    if drawn["unsafe"]:  # pragma: no cover
        pytest.skip("the kernel grants no user namespaces here")
    assert drawn["filtered"], "a renderer is running"
    assert set(drawn["filtered"]) == {2}, "its system calls are filtered"


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take namespaces away")
def test_without_namespaces_pages_are_drawn_and_a_warning_says_how() -> None:
    drawn, said = _drawn("no-namespaces")
    assert drawn["drawn"]
    assert drawn["unsafe"]
    assert "without its sandbox" in said


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take namespaces away")
def test_who_insists_on_the_sandbox_gets_it_or_nothing() -> None:
    drawn, _ = _drawn("no-namespaces", "insist")
    assert "browser.sandbox = false" in drawn["error"]

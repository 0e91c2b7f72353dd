"""The interface keeps to its own description: schemathesis makes requests from it, right ones and wrong ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.dashboard.conftest import Dashboard
from tests.sites import Served

pytest.importorskip("schemathesis")


@pytest.mark.slow
def test_requests_made_from_the_description(dashboard: Dashboard, news: Served, tmp_path: Path) -> None:
    dashboard.start(news["news"], "described", max_pages=5)
    dashboard.wait("described", "done")
    run = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{dashboard.url}api/v1/openapi.json"),
            *("--max-examples", "30", "--exclude-path-regex", "/events$", "--request-timeout", "60"),
            *("--exclude-checks", "positive_data_acceptance", "--phases", "examples,coverage,fuzzing"),
        ],
        capture_output=True,
        text=True,
        timeout=1200,
        cwd=tmp_path,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:]

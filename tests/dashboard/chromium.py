"""Real Chromium for the walks through the dashboard, and axe to look over their shoulder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PICTURES = os.environ.get("NEPHILA_PICTURES")
"""Where to leave screenshots, for the docs."""


@pytest.fixture(scope="module")
def browser() -> Iterator[playwright.Browser]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--disable-sync"])
        yield browser
        browser.close()


def picture(page: playwright.Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"dashboard-{name}.png")


def assert_accessible(page: playwright.Page) -> None:
    """No fault that axe calls serious or critical."""
    found = axe.Axe().run(page).response["violations"]
    assert not [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]

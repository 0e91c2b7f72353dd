"""Real Chromium for the walks through the dashboard, and axe to look over their shoulder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import Browser, Page, sync_playwright

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)

__all__ = ["Browser", "assert_accessible", "browser", "picture"]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PICTURES = os.environ.get("NEPHILA_PICTURES")
"""Where to leave screenshots, for the docs."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--disable-sync"])
        yield browser
        browser.close()


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"dashboard-{name}.png")


def assert_accessible(page: Page) -> None:
    """No fault that axe calls serious or critical."""
    found = axe.Axe().run(page).response["violations"]
    assert not [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]

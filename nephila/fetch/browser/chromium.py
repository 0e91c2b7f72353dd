"""Where Chromium is, and the flags that it runs with. Nothing is ever downloaded."""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
from collections.abc import Iterator

from nephila.errors import ConfigError
from nephila.fetch.browser.options import BrowserOptions

logger = logging.getLogger(__name__)

EXECUTABLE = "NEPHILA_CHROMIUM"
"""Environment variable that names another browser."""
# The shell draws pages with half the CPU of the whole browser: it has no user interface to keep in step.
# Debian's command for it is a script that stays between: what is told to that process does not reach the browser.
_DEBIAN_SHELL = "/usr/lib/chromium/chromium-headless-shell"
_NAMES = (
    _DEBIAN_SHELL,
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


def find_chromium(named: str | None = None) -> str:
    """The path of a browser: the one named, the environment's, or the first known one that is installed."""
    wanted = named or os.environ.get(EXECUTABLE)
    for name in (wanted,) if wanted else _NAMES:
        found = shutil.which(name)
        if found:
            return found
    if wanted:
        raise ConfigError(f"no browser at {wanted!r}; give the path of a Chromium, or leave it out to search for one")
    raise ConfigError(
        "rendering needs Chromium and none was found: install Debian's package chromium (or chromium-headless-shell), "
        f"or name one in render.executable or ${EXECUTABLE}"
    )


def check_playwright() -> None:
    """Raises ConfigError where it is missing: before a crawl begins, not with its first page."""
    if importlib.util.find_spec("playwright") is None:
        raise ConfigError("rendering needs Playwright: pip install 'nephila[browser]'")


def sandboxed(options: BrowserOptions) -> bool:
    """Chromium refuses to start as root with its sandbox."""
    if options.sandbox is not None:
        return options.sandbox
    if os.geteuid() == 0:
        logger.info("Chromium runs without its sandbox, for this is root: as another user, pages are shut in twice")
        return False
    return True


def lacks_sandbox(error: Exception) -> bool:
    """Whether Chromium did not start because the kernel or the container grants it no sandbox."""
    return "No usable sandbox" in str(error)


def flags(options: BrowserOptions, proxy_port: int) -> Iterator[str]:
    yield from (
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-domain-reliability",
        "--no-pings",
        "--mute-audio",
        # Drawing in the browser's process saves the copies between the two: 10 ms of CPU a page.
        "--in-process-gpu",
        "--disable-dev-shm-usage",
        # A page that eats memory dies alone.
        "--js-flags=--max-old-space-size=512",
        # UDP (WebRTC, QUIC) would pass the proxy by.
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        # Every name, were one ever asked for, is unknown; the proxy alone resolves.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--proxy-server=http://127.0.0.1:{proxy_port}",
        "--proxy-bypass-list=<-loopback>",
    )
    if not options.images:
        yield "--blink-settings=imagesEnabled=false"
    if not options.fonts:
        yield "--disable-remote-fonts"

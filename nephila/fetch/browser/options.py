"""What a pool of browsers is told, what one drawing is told, and what comes back. Plain data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nephila.fetch.guard import AllowPrivate

if TYPE_CHECKING:
    from playwright.async_api import Page


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """Of all pages of a pool."""

    executable: str | None = None
    """None: what `find_chromium` finds."""
    sandbox: bool | None = None
    """Chromium's own sandbox. None: wherever it can be had (not as root, not where the kernel grants no namespaces)."""
    user_agent: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent with every request of every page, to every host."""
    proxy: str | None = None
    """Beyond the guard: http://[user:password@]host:port"""
    site_proxies: Mapping[str, str] = field(default_factory=dict)
    """By host, instead of `proxy`."""
    allow_private: AllowPrivate = False
    """True, or the addresses, networks and names that pages may reach besides the public internet."""
    verify_tls: bool = True
    concurrency: int = 4
    """Pages at once."""
    images: bool = False
    fonts: bool = False
    media: bool = False
    ads: bool = False
    """Whether these are fetched."""
    blocked_hosts: frozenset[str] = frozenset()
    """Further ones that no page may ask, with everything below them."""
    filters: tuple[Path, ...] = ()
    """Filter lists in AdBlock's language. Every request then waits for our word, which costs a millisecond each."""
    viewport: tuple[int, int] = (1280, 1024)
    timeout: float = 30.0
    """For one page, from the navigation to the last byte of its markup."""
    max_html: int = 16 * 2**20
    """Characters of the drawn page's markup."""
    max_traffic: int = 64 * 2**20
    """Bytes that one connection of the browser may bring."""
    recycle_after: int = 400
    """Pages that one Chromium draws before a fresh one takes over."""
    max_memory: int = 1536 * 2**20
    """Bytes of all processes of one Chromium, what they share not counted; beyond it a fresh one takes over."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Of one page: when it is ready, and what is done with it then."""

    wait_for: str | None = None
    """A CSS selector that the page is not ready without."""
    quiet: float = 0.12
    """Seconds without requests and without changes, after which the page counts as ready."""
    patience: float = 10.0
    """Longest wait for that; the page is then taken as it is."""
    scrolls: int = 10
    """Screens to scroll down, as long as that brings something new."""
    clicks: int = 10
    """Presses of a "load more" button at most, as long as they bring something new."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent to the page's own origin only."""
    cookies: Mapping[str, str] = field(default_factory=dict)
    """For the page's own host."""
    follow: bool = True
    """False: where the page or its server sends the browser elsewhere, it stays, and `Rendered.moved` says where."""
    script: str | None = None
    """A JavaScript function, `() => ...`, called in the page once it is ready; its JSON-able value comes back."""
    inspect: Callable[[Page], Awaitable[Any]] | None = None
    """Called with Playwright's page once it is ready; its value comes back instead of the script's."""
    screenshot: bool = False
    """A PNG of the whole page (of its first 16,384 pixels)."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page that was fetched already: the browser is given it instead of asking the server again."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rendered:
    url: str
    """The address that was asked for."""
    final_url: str
    status: int
    headers: Mapping[str, str]
    """Lower-case names."""
    html: str
    """The page as it stands, open shadow trees drawn into it."""
    seconds: float
    moved: str | None = None
    """Where the page sent the browser, which stayed."""
    value: Any = None
    """What `Draw.script` or `Draw.inspect` gave."""
    screenshot: bytes | None = None
    incomplete: bool = False
    """The page was still busy when the patience ended."""

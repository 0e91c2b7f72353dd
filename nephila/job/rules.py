"""The tables of a job: the settings, their defaults, and (in the strings below them) what the docs say of each."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nephila.job.values import (
    Cookies,
    Headers,
    HostName,
    OneLine,
    Pattern,
    ProxyUrl,
    Render,
    ScopeMode,
    Seconds,
    Selector,
    Size,
    Whole,
)


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class ScopeRules(Table):
    """Which of the links found are followed."""

    mode: ScopeMode = "site"
    """site: the registered domains of the seeds; host: their hosts; prefix: below the seeds' paths; any: everywhere."""
    include: tuple[Pattern, ...] = ()
    """Only URLs that match one of these (globs, or regular expressions after `re:`); seeds always pass."""
    exclude: tuple[Pattern, ...] = ()
    """Never URLs that match one of these."""
    links: tuple[Selector, ...] = ()
    """Only links that match one of these CSS selectors, or stand inside what does; what lists name is not limited."""
    nofollow: bool = True
    """Honour rel=nofollow and the robots meta tag."""
    sitemaps: bool = True
    """Take URLs and dates from the sitemaps that robots.txt names, or /sitemap.xml of the seeds."""
    feeds: bool = True
    """Take URLs and dates from the feeds that the seeds' pages name."""
    aliases: bool = True
    """Learn which parameters change nothing (`?ref=`, `?view=`), and fetch a page under one of its addresses only."""


class LimitRules(Table):
    """Bounds of the whole crawl and of each fetch."""

    max_pages: Whole | None = Field(default=None, ge=1)
    """Pages fetched and recorded by all workers together; redirects, sitemaps and failures do not count."""
    depth: Whole | None = Field(default=None, ge=0)
    """Links away from a seed."""
    max_time: Seconds | None = None
    """The crawl stops by itself after this, and can be resumed."""
    max_body: Size = 16 * 2**20
    """Bytes of one page after decompression."""
    timeout: Seconds = 30.0
    """For one request, from connecting to the last byte."""
    stall: Seconds = 15.0
    """Without a byte from the server."""
    max_attempts: Whole = Field(default=4, ge=1)
    """Tries of one URL before it is given up (a dead letter)."""
    max_redirects: Whole = Field(default=10, ge=0)
    """Redirects in a row before a URL is given up."""
    retry_base: Seconds = 1.0
    """Back-off before the second attempt; doubles with each further one."""
    lease: Seconds = 120.0
    """How long a URL stays with a worker that gives no sign of life before another may have it."""
    family_budget: Whole | None = Field(default=200, ge=1)
    """URLs of one shape (same path but for numbers, same query names) fetched before any shows new content."""


class PolitenessRules(Table):
    delay: Seconds | Literal["auto"] = "auto"
    """Seconds between requests to a host; robots.txt may raise it. auto: none for private addresses, 0.5 elsewhere."""
    parallel: Whole = Field(default=8, ge=1)
    """Requests to one host at once where there is no delay."""
    concurrency: Whole = Field(default=32, ge=1)
    """Requests of one worker at once, over all hosts."""
    robots: bool = True
    """Obey robots.txt."""
    max_crawl_delay: Seconds = 60.0
    """A Crawl-delay above this is taken for this."""


class HttpRules(Table):
    user_agent: OneLine | None = None
    """Default: Nephila/<version> (+<contact>)."""
    contact: OneLine | None = None
    """A URL or mail address for the site's owner, named in the User-Agent."""
    headers: Headers = Field(default_factory=dict)
    """Sent with every request; those that look like secrets (Authorization, ...) only to the sites of the seeds."""
    cookies: Cookies = Field(default_factory=dict)
    """Sent to the sites of the seeds; those that a site sets are kept as well."""
    proxy: ProxyUrl | None = None
    """http://[user:password@]host:port"""
    verify_tls: bool = True
    """false: certificates are not checked, and nobody vouches for what is fetched."""
    allow_private: bool = False
    """Private, loopback and link-local addresses may be fetched."""


class BrowserRules(Table):
    """How pages are drawn where `render` asks for it."""

    executable: str | None = None
    """A Chromium; default: $NEPHILA_CHROMIUM, or what is installed."""
    sandbox: bool | None = None
    """Chromium's own sandbox; default: on where it can be had (not as root, not without user namespaces)."""
    concurrency: Whole = Field(default=4, ge=1, le=64)
    """Pages of one worker in its browser at once, besides its plain requests."""
    timeout: Seconds = 30.0
    """For drawing one page."""
    patience: Seconds = 10.0
    """How long a page may stay busy before it is taken as it is."""
    quiet: Seconds = 0.12
    """Without requests and changes for so long, a page is ready; five times as long while it shows hardly any text."""
    wait_for: str | None = None
    """A CSS selector that no page is ready without (till `patience` ends)."""
    scrolls: Whole = Field(default=10, ge=0, le=200)
    """Screens to scroll down, as long as that brings something new."""
    clicks: Whole = Field(default=10, ge=0, le=200)
    """Presses of a "load more" button, as long as they bring something new."""
    images: bool = False
    """Fetch images."""
    fonts: bool = False
    """Fetch fonts."""
    media: bool = False
    """Fetch video and audio."""
    ads: bool = False
    """Fetch from known hosts of advertising and measurement."""
    block: tuple[HostName, ...] = ()
    """Further hosts that no page may ask, with all below them."""
    filters: tuple[Path, ...] = ()
    """Filter lists in AdBlock's language (EasyList), whose network rules hold for every request of a page."""
    recycle_after: Whole = Field(default=400, ge=1)
    """Pages after which a fresh browser takes over."""
    max_memory: Size = 1536 * 2**20
    """Memory of the browser after which a fresh one takes over."""
    screenshots: Path | None = None
    """A directory for a PNG of every page drawn."""
    visual: bool = True
    """Learn what the drawn pages of a site look like, and read its articles by that."""


class SiteRules(Table):
    """What differs for one host (`[sites."example.org"]`)."""

    delay: Seconds | None = None
    """Instead of `politeness.delay`; robots.txt may raise it."""
    parallel: Whole | None = Field(default=None, ge=1)
    """Instead of `politeness.parallel`."""
    depth: Whole | None = Field(default=None, ge=0)
    """Instead of `limits.depth`."""
    headers: Headers = Field(default_factory=dict)
    """Sent to this host besides those of `http.headers`; of equal names, these."""
    proxy: ProxyUrl | None = None
    """Instead of `http.proxy`."""
    render: Render | None = None
    """Instead of the job's `render`."""
    wait_for: str | None = None
    """Instead of `browser.wait_for`."""
    robots: bool | None = None
    """false: the robots.txt of this host is not asked. Where `politeness.robots` is false, true changes nothing."""


class RecrawlRules(Table):
    """How the interval between two visits of a page adapts to how often it changes."""

    start: Seconds = 86400.0
    """From the first visit to the second."""
    min: Seconds = 3600.0
    """The interval is halved after a change, down to this."""
    max: Seconds = 90 * 86400.0
    """It grows by half when nothing has changed, up to this."""

    @model_validator(mode="after")
    def _in_order(self) -> RecrawlRules:
        if self.min > self.max:
            raise ValueError("min is above max")
        return self


class LoginRules(Table):
    """A member's session: the form is found and filled by itself."""

    url: str | None = None
    """The page with the form; without it, the first seed's page or the link to the form on it."""
    user: OneLine
    """Name or mail address."""
    password_env: OneLine
    """The environment variable that holds the password: it is never written into a file, a log or a record."""
    required: bool = True
    """false: when the login fails, the crawl goes on as a guest."""
    browser: Literal["auto", "never", "always"] = "auto"
    """Log in with a browser, which hands its cookies over: where plain HTTP does not work, never, or always."""


class DuplicateRules(Table):
    """What happens to a page whose text, or nearly the same, was seen before."""

    mode: Literal["mark", "drop", "off"] = "mark"
    """mark: its record says `duplicate_of`; drop: it is not written, only counted; off: nobody looks."""
    similarity: float = Field(default=0.67, ge=0.5, le=1)
    """The resemblance from which two texts are called near; 1: exact copies only."""
    across_sites: bool = True
    """false: only pages of the same site are compared."""
    capacity: Whole = Field(default=1_000_000, ge=1, le=2**24 - 1)
    """Texts remembered, at 20 bytes each; then the oldest is forgotten for the newest."""


class CheckRules(Table):
    """A check that a record has to pass before it is written (`[[checks]]`, as often as needed)."""

    check: Literal[
        "required",
        "length",
        "language",
        "date",
        "pattern",
        "type",
        "confidence",
        "duplicate",
        "agreement",
        "fire rate",
    ]
    """What is looked at."""
    name: OneLine | None = None
    """For counters and the reason; default: the check and its fields."""
    fields: tuple[str, ...] = ()
    """Of the record, or of its `fields`."""
    min: float | None = None
    """length: characters, or items of a list; confidence: the least; agreement, fire rate: a share (0.5)."""
    max: float | None = None
    """length: at most so many."""
    languages: tuple[str, ...] = ()
    """language: those that pass, such as `en`."""
    after: OneLine | None = None
    """date: the earliest that passes, ISO 8601."""
    before: OneLine | None = None
    """date: the latest that passes, ISO 8601."""
    pattern: str | None = None
    """pattern: a regular expression that is found in each of the fields."""
    absent: bool = False
    """pattern: it must not be found. date, language: a record without one passes."""
    type: str | None = None
    """type: text, number, price, quantity, date, url, image or list."""

"""The Job: what to crawl and how, from a TOML file, flags or Python. Every other room takes plain parts of it.

An unknown key is an error that names the nearest known one, so that a typing mistake never passes for a setting.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from nephila.errors import ConfigError

_SIZE_UNITS = {"": 1, "B": 1, "K": 2**10, "KB": 2**10, "M": 2**20, "MB": 2**20, "G": 2**30, "GB": 2**30}
_TIME_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("write a number")
    return value


def _scaled(value: Any, units: Mapping[str, float], what: str) -> Any:
    if not isinstance(value, str):
        return _number(value)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", value)
    unit = match[2] if match else None
    known = {name.lower(): factor for name, factor in units.items()}
    if match is None or unit is None or unit.lower() not in known:
        raise ValueError(f"write {what} as a number with one of the units {', '.join(u for u in units if u)}")
    return float(match[1]) * known[unit.lower()]


def _bytes(value: Any) -> Any:
    number = _scaled(value, _SIZE_UNITS, "a size")
    return int(number) if isinstance(number, float) else number


def _host(name: str) -> str:
    if not name or set(name) & set("/?#@ \t") or name.startswith(":"):
        raise ValueError(f"{name!r} is not a host: write the name alone, such as example.org or example.org:8080")
    try:
        plain = name.lower() if name.isascii() else name.lower().encode("idna").decode()
    except UnicodeError:
        raise ValueError(f"{name!r} is not a host name") from None
    # As the crawl names hosts: http and https of one name are one host.
    return re.sub(r"\.?(?::(?:80|443))?$", "", plain)


def _selector(text: str) -> str:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError  # here alone: a job is read in a moment without it

    try:
        LexborHTMLParser("<p>").css(text)
    except (SelectolaxError, ValueError):
        raise ValueError(f"{text!r} is not a CSS selector") from None
    return text


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("line breaks and control characters cannot be sent in a header")
    return text


def _header_name(name: str) -> str:
    if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
        raise ValueError(f"{name!r} is not the name of a header")
    return name


def _cookie(value: str) -> str:
    if not re.fullmatch(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*", value):
        raise ValueError("blanks, quotes, commas, semicolons and backslashes cannot stand in a cookie; encode them")
    return value


def _proxy(url: str) -> str:
    if not re.fullmatch(r"https?://(?:[^\s/@]+@)?(?:\[[0-9A-Fa-f:.]+\]|[^\s/:@\[\]]+)(?::\d{1,5})?/?", url):
        # The value itself is not told: it may hold a password.
        raise ValueError("write a proxy as http://[user:password@]host:port")
    return url


def _pattern(text: str) -> str:
    if text.startswith("re:"):
        try:
            re.compile(text[3:])
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
    return text


Size = Annotated[int, BeforeValidator(_bytes), Field(gt=0)]
Seconds = Annotated[
    float, BeforeValidator(lambda v: _scaled(v, _TIME_UNITS, "a time")), Field(ge=0, allow_inf_nan=False)
]
Whole = Annotated[int, BeforeValidator(_number)]
OneLine = Annotated[str, AfterValidator(_one_line)]
Headers = dict[Annotated[str, AfterValidator(_header_name)], OneLine]
Cookies = dict[Annotated[str, AfterValidator(_header_name)], Annotated[str, AfterValidator(_cookie)]]
ProxyUrl = Annotated[str, AfterValidator(_proxy)]
Selector = Annotated[str, AfterValidator(_selector)]
Pattern = Annotated[str, AfterValidator(_pattern)]
Render = Literal["never", "auto", "always"]
Extract = Literal["auto", "plain"]
Assignment = Literal["shared", "dedicated"]
ScopeMode = Literal["site", "host", "prefix", "any"]
ForumMode = Literal["auto", "always", "never"]
HostName = Annotated[str, AfterValidator(_host)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class ScopeRules(_Part):
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


class LimitRules(_Part):
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


class PolitenessRules(_Part):
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


class HttpRules(_Part):
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


class BrowserRules(_Part):
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


class SiteRules(_Part):
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


class RecrawlRules(_Part):
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


class LoginRules(_Part):
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


class DuplicateRules(_Part):
    """What happens to a page whose text, or nearly the same, was seen before."""

    mode: Literal["mark", "drop", "off"] = "mark"
    """mark: its record says `duplicate_of`; drop: it is not written, only counted; off: nobody looks."""
    similarity: float = Field(default=0.67, ge=0.5, le=1)
    """The resemblance from which two texts are called near; 1: exact copies only."""
    across_sites: bool = True
    """false: only pages of the same site are compared."""
    capacity: Whole = Field(default=1_000_000, ge=1, le=2**24 - 1)
    """Texts remembered, at 20 bytes each; then the oldest is forgotten for the newest."""


class CheckRules(_Part):
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


class Job(_Part):
    """A crawl, in full. `Job(seeds=["https://example.org/"], outputs=["pages.jsonl"])` is enough."""

    seeds: tuple[str, ...] = ()
    """URLs to start from."""
    outputs: tuple[str, ...] = ()
    """Where the records go: files, or `-` for standard output."""
    name: str | None = None
    """Names the state directory and the title of the screen."""
    state: Path | None = None
    """Where the crawl keeps its frontier and memory; the same one resumes it. Default: .nephila/<name>."""
    frontier: str | None = None
    """A Redis server, as `redis://[user:password@]host:port`, whose frontier all crawls of this name share."""
    workers: Whole = Field(default=1, ge=1, le=256)
    """Processes that share the crawl."""
    assignment: Assignment = "shared"
    """In a cluster. shared: any worker takes any URL; dedicated: each forum board, or seed, belongs to one worker."""
    render: Render = "never"
    """Draw pages in a browser: never, always, or (auto) where a page lacks text or links without one."""
    extract: Extract = "auto"
    """auto: the main text by the trained model and what repeats on the site; plain, quickest: text outside menus."""
    fields: bool = True
    """Learn the templates of the site's pages, and write their records (price, author, ...) as typed fields."""
    refine: bool = False
    """Hold the first pages of each site back, and read them at the end with what was learned of it."""
    links: bool = False
    """Write the links of each page into its record."""
    forum: ForumMode = "auto"
    """auto: a forum is known by its first pages and crawled post by post, unless `extract` is plain; always, never."""
    login: LoginRules | None = None
    """Crawl as a member."""
    metrics: OneLine | None = None
    """host:port where the supervisor answers Prometheus; the workers take the ports after it."""
    scope: ScopeRules = ScopeRules()
    limits: LimitRules = LimitRules()
    politeness: PolitenessRules = PolitenessRules()
    http: HttpRules = HttpRules()
    recrawl: RecrawlRules = RecrawlRules()
    browser: BrowserRules = BrowserRules()
    duplicates: DuplicateRules = DuplicateRules()
    checks: tuple[CheckRules, ...] = ()
    set_aside: str | None = None
    """Where records go that fail a check; default: set-aside.jsonl in the state directory."""
    sites: dict[HostName, SiteRules] = Field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], source: str = "the job") -> Job:
        """Builds a job; raises ConfigError with one line that names what to change."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise ConfigError(f"{source}: {_explain(error)}") from None

    @classmethod
    def from_toml(cls, path: Path | str) -> Job:
        return cls.from_dict(load_toml(path), str(path))

    def site(self, host: str) -> SiteRules:
        return self.sites.get(host, _NO_SITE_RULES)


_NO_SITE_RULES = SiteRules()


def load_toml(path: Path | str) -> dict[str, Any]:
    """The tables of a job file as plain data, so that flags can be laid over them before the check."""
    try:
        with Path(path).open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"cannot read the job file {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` laid over `base`, table by table; None in `over` means not given."""
    merged = dict(base)
    for key, value in over.items():
        if value is None:
            continue
        below = merged.get(key)
        merged[key] = merge(below if isinstance(below, Mapping) else {}, value) if isinstance(value, Mapping) else value
    return merged


def _explain(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    # Pydantic names the branch of a union too (`delay.function-after[...]`): that part is no key of the file.
    place = tuple(str(part) for part in first["loc"] if not re.search(r"^\[key\]$|\w\[.*\]$", str(part)))
    if first["type"] == "extra_forbidden":
        return _unknown_key((*place[:-1], str(first["loc"][-1])))
    message = _PLAINER.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    # What may be a secret is not told again: this line goes to logs.
    shown = _is_plain(first["input"]) and not _SECRET & set(place)
    return f"{'.'.join(place)}: {message}" + (f" (got {first['input']!r})" if shown else "")


_SECRET = {"headers", "cookies", "proxy", "frontier"}
_PLAINER = {
    "model_type": "write it as a table of settings",
    "dict_type": "write it as a table",
    "tuple_type": "write it as a list, in brackets",
}


def _is_plain(value: Any) -> bool:
    return isinstance(value, (int, float, bool)) or (isinstance(value, str) and len(value) < 80)


def _unknown_key(place: tuple[str, ...]) -> str:
    *tables, key = place
    known = list(_table_at(tables).model_fields)
    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    elsewhere = [".".join((name, key)) for name, table in _tables().items() if key in table.model_fields]
    if elsewhere and not tables:
        hint = f"did you mean {elsewhere[0]}?"
    elif nearest:
        hint = f"did you mean {'.'.join((*tables, nearest[0]))}?"
    else:
        hint = f"known here: {', '.join(known)}"
    return f"unknown key {'.'.join(place)}; {hint}"


def _tables() -> dict[str, type[_Part]]:
    return {
        name: info.annotation
        for name, info in Job.model_fields.items()
        if isinstance(info.annotation, type) and issubclass(info.annotation, _Part)
    }


def _table_at(place: list[str]) -> type[_Part]:
    if not place:
        return Job
    if place[0] == "sites":
        return SiteRules
    return _tables().get(place[0], Job)


SCOPE_MODES: tuple[str, ...] = get_args(ScopeMode)
RENDER_MODES: tuple[str, ...] = get_args(Render)

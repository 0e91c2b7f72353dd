"""The Job: what to crawl and how, from a TOML file, flags or Python. Every other room takes plain parts of it.

An unknown key is an error that names the nearest known one, so that a typing mistake never passes for a setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from nephila.errors import ConfigError
from nephila.job.files import load_toml, merge
from nephila.job.mistakes import explain
from nephila.job.rules import (
    BrowserRules,
    CheckRules,
    DuplicateRules,
    HttpRules,
    LimitRules,
    LoginRules,
    PolitenessRules,
    RecrawlRules,
    ScopeRules,
    SiteRules,
    Table,
)
from nephila.job.values import Assignment, Extract, ForumMode, HostName, OneLine, Outputs, Render, Whole

__all__ = [
    "Job",
    "LimitRules",
    "PolitenessRules",
    "Render",
    "ScopeRules",
    "SiteRules",
    "load_toml",
    "merge",
]


class Job(Table):
    """A crawl, in full. `Job(seeds=["https://example.org/"], outputs=["pages.jsonl"])` is enough."""

    seeds: tuple[str, ...] = ()
    """URLs to start from."""
    outputs: Outputs = ()
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
            raise ConfigError(f"{source}: {explain(error, cls)}") from None

    @classmethod
    def from_toml(cls, path: Path | str) -> Job:
        return cls.from_dict(load_toml(path), str(path))

    @property
    def reads_forums(self) -> bool:
        """Whether sites are looked at for being forums."""
        return self.forum == "always" or (self.forum == "auto" and self.extract != "plain")

    def site(self, host: str) -> SiteRules:
        return self.sites.get(host, _NO_SITE_RULES)


_NO_SITE_RULES = SiteRules()

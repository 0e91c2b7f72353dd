"""Scope: which URLs belong to a job. Built from plain data; asked for every link. Knows no other room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from nephila.errors import ConfigError
from nephila.urls.canonical import canonicalize
from nephila.urls.host import host_key, is_address, registered_domain
from nephila.urls.patterns import Matches, compile_pattern

OUTSIDE = "outside the scope"
EXCLUDED = "excluded"
NOT_INCLUDED = "not included"

_KNOWN_HOSTS = 10_000


class Mode(StrEnum):
    """How far from the seeds a crawl may go."""

    SITE = "site"
    """The registered domains of the seeds with all their subdomains; of an IP address or a port, that host and port."""
    HOST = "host"
    """The hosts of the seeds; `www.` before a name does not make another host."""
    PREFIX = "prefix"
    """Below the folders of the seeds: `https://x.org/docs/intro.html` allows `/docs/` and what is under it."""
    ANY = "any"
    """The whole web."""


@dataclass(frozen=True)
class Scope:
    """What the mode allows, narrowed by `include`, less `exclude`; http and https count alike.

    Patterns are globs or `re:` expressions (`nephila.urls.patterns`). With `include`, a URL has to match one of them.
    `exclude` wins over all; a seed that is not excluded is always allowed, or a crawl could not begin.
    """

    seeds: tuple[str, ...] = ()
    mode: Mode = Mode.SITE
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    _seeds: frozenset[str] = field(init=False, repr=False, compare=False)
    _hosts: frozenset[str] = field(init=False, repr=False, compare=False)
    _prefixes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _include: tuple[Matches, ...] = field(init=False, repr=False, compare=False)
    _exclude: tuple[Matches, ...] = field(init=False, repr=False, compare=False)
    _known: dict[str, bool] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        put = object.__setattr__  # the dataclass is frozen for its users
        put(self, "mode", _mode(self.mode))  # plain text would pass for no mode at all
        seeds = [_seed(seed) for seed in self.seeds]
        if not seeds and self.mode is not Mode.ANY:
            raise ConfigError(f"The scope `{self.mode}` needs a seed URL to know what belongs to it.")
        put(self, "_seeds", frozenset(seeds))
        put(self, "_hosts", frozenset(_site(host_key(seed), self.mode) for seed in seeds))
        put(self, "_prefixes", tuple(sorted({_folder(seed) for seed in seeds})))
        put(self, "_include", tuple(map(compile_pattern, self.include)))
        put(self, "_exclude", tuple(map(compile_pattern, self.exclude)))

    @classmethod
    def of(
        cls, seeds: Iterable[str], *, mode: str = Mode.SITE, include: Iterable[str] = (), exclude: Iterable[str] = ()
    ) -> Scope:
        """A scope from plain data; ConfigError says what of it cannot be used."""
        return cls(tuple(seeds), _mode(mode), tuple(include), tuple(exclude))

    def with_seed(self, url: str) -> Scope:
        """The same scope with one more seed: where a seed redirected to, for that is what the user meant."""
        return Scope((*self.seeds, url), self.mode, self.include, self.exclude) if url not in self._seeds else self

    def allows(self, url: str) -> bool:
        """Whether a canonical URL belongs to the job."""
        return self.refusal(url) is None

    def refusal(self, url: str) -> str | None:
        """Why a canonical URL does not belong to the job; None when it does."""
        if not self._within(url) and url not in self._seeds:
            return OUTSIDE
        if self._exclude and any(matches(url) for matches in self._exclude):
            return EXCLUDED
        if self._include and not any(matches(url) for matches in self._include) and url not in self._seeds:
            return NOT_INCLUDED
        return None

    def __reduce__(self) -> tuple[type[Scope], tuple[object, ...]]:
        """Travels to other processes as plain data and is built again there."""
        return Scope, (self.seeds, self.mode, self.include, self.exclude)

    def _within(self, url: str) -> bool:
        if self.mode is Mode.ANY:
            return True
        if self.mode is Mode.PREFIX:
            return _folder_text(url).startswith(self._prefixes)
        host = host_key(url)
        known = self._known.get(host)
        if known is None:
            if len(self._known) >= _KNOWN_HOSTS:
                self._known.clear()
            known = self._known[host] = _site(host, self.mode) in self._hosts
        return known


def _site(host: str, mode: Mode) -> str:
    """What two hosts have in common when they are within one scope."""
    if mode is not Mode.SITE:
        return host.removeprefix("www.")
    if ":" in host.rpartition("]")[2] or is_address(host):
        return host
    return registered_domain(host)


def _folder(seed: str) -> str:
    text = _folder_text(seed.partition("?")[0])
    return text[: text.rindex("/") + 1]


def _folder_text(url: str) -> str:
    """A URL as prefixes are compared: without scheme and `www.`."""
    return url.partition("://")[2].removeprefix("www.")


def _seed(url: str) -> str:
    canonical = canonicalize(url)
    if canonical is None:
        raise ConfigError(f"{url!r} is not an http or https URL; write it in full, such as https://example.org/.")
    return canonical


def _mode(value: str) -> Mode:
    try:
        return Mode(value)
    except ValueError:
        raise ConfigError(f"{value!r} is not a scope; choose one of {', '.join(Mode)}.") from None

"""A robots.txt file as RFC 9309 reads it: groups of rules, the longest match wins.

Bytes in, answers out; knows nothing of fetching or caching (see `robots`). Own code, because Protego (0.7), which
Scrapy uses, was found wanting here: 500 KiB of `User-agent` lines followed by rules keep it busy for minutes (each
rule is copied to each agent); `User-agent: neph` speaks to `Nephila`; an unknown line parts a group; `%26` equals `&`;
a byte order mark hides the first line. Here a file costs time in proportion to its size, and a match does too at worst.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from nephila.fetch.listed_url import listed_url

PARSE_LIMIT = 500 * 1024
"""RFC 9309, 2.5: at least 500 KiB must be parsed."""

_MAX_SITEMAPS = 1000

_AGENT = frozenset({"user-agent", "useragent", "user agent"})
_ALLOW = frozenset({"allow"})
_DISALLOW = frozenset({"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"})
_DELAY = frozenset({"crawl-delay", "crawldelay", "crawl delay"})
_SITEMAP = frozenset({"sitemap", "site-map"})

_LINE = re.compile(r"[^\r\n]+")
_TOKEN = re.compile(r"[^\s/*;,()]+")
_COMPATIBLE = re.compile(r"\(compatible;\s*([^\s/;)]+)", re.IGNORECASE)

_UNRESERVED = rb"A-Za-z0-9\-._~"
# What the normal form leaves as it is. `*` and `$` are not here: a rule writes them as %2A and %24 when it means the
# characters themselves (RFC 9309, 2.2.3), so a URL that holds them is brought to that form.
_PLAIN = re.compile(r"[A-Za-z0-9\-._~/!'()+,;=:@&?\[\]]*")
_ESCAPE_OR_ODD = re.compile(rb"%([0-9A-Fa-f]{2})|[^" + _UNRESERVED + rb"/!'()+,;=:@&?\[\]%]")
_UNRESERVED_BYTE = re.compile(rb"[" + _UNRESERVED + rb"]")
# In a query these are ordinary characters (RFC 3986, 3.4), so their escapes mean the same: RFC 9309's example.
_QUERY_BYTE = re.compile(rb"[" + _UNRESERVED + rb":/?@]")


class Rule(NamedTuple):
    """A path pattern in normal form, cut at its wildcards."""

    octets: int
    allow: bool
    parts: tuple[str, ...]
    anchored: bool

    def matches(self, path: str) -> bool:
        """For patterns with a wildcard. Each part is taken at its first place: later ones only leave less room."""
        parts = self.parts
        if not path.startswith(parts[0]):
            return False
        at = len(parts[0])
        for part in parts[1:-1]:
            at = path.find(part, at)
            if at < 0:
                return False
            at += len(part)
        last = parts[-1]
        if self.anchored:
            return len(path) - len(last) >= at and path.endswith(last)
        return path.find(last, at) >= 0


class _Group:
    __slots__ = ("delay", "rules")

    def __init__(self) -> None:
        self.rules: list[tuple[str, bool]] = []
        self.delay: float | None = None


class _Matcher:
    """The rules for one crawler. Plain prefixes are looked up by length, so that thousands of them cost nothing."""

    def __init__(self, groups: list[_Group]) -> None:
        delays = [group.delay for group in groups if group.delay is not None]
        self.delay = max(delays, default=None)
        self._prefixes: dict[str, bool] = {}
        self._exact: dict[str, bool] = {}
        wild: set[Rule] = set()
        for pattern, allow in {rule: None for group in groups for rule in group.rules}:
            rule = _compiled(pattern, allow)
            if len(rule.parts) > 1:
                wild.add(rule)
            else:
                where = self._exact if rule.anchored else self._prefixes
                where[rule.parts[0]] = allow or where.get(rule.parts[0], False)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes}, reverse=True)
        # The most octets first and, of equals, what allows: the first that matches decides.
        self._wild = sorted(wild, key=lambda rule: (-rule.octets, not rule.allow))

    def allows(self, path: str) -> bool:
        octets, allowed = self._best_plain(path)
        for rule in self._wild:
            if rule.octets < octets or (rule.octets == octets and allowed):
                break
            if rule.matches(path):
                return rule.allow
        return allowed

    def _best_plain(self, path: str) -> tuple[int, bool]:
        exact = self._exact.get(path)
        if exact is not None:  # a `$` more than any prefix that matches
            return len(path) + 1, exact
        size = len(path)
        for length in self._lengths:
            if length <= size:
                found = self._prefixes.get(path[:length])
                if found is not None:
                    return length, found
        return 0, True


class Robots:
    """What one origin's robots.txt permits."""

    def __init__(self, *, sitemaps: list[str] | None = None, retry_at: float | None = None, reason: str = "") -> None:
        """Without rules everything is allowed, and with `retry_at` nothing is until then, for this `reason`."""
        self.sitemaps = sitemaps or []
        self.retry_at = retry_at
        self.reason = reason
        self._groups: dict[str, list[_Group]] = {}
        self._matchers: dict[str, _Matcher] = {}

    @property
    def unreachable(self) -> bool:
        """The file could not be had, so that all is disallowed for now: try again at `retry_at`, drop nothing."""
        return self.retry_at is not None

    @classmethod
    def parse(cls, body: bytes, status: int = 200, url: str = "") -> Robots:
        """`status` is that of the last answer; `url` resolves sitemaps given as paths."""
        if is_unreachable(status):
            return cls(retry_at=math.inf)
        robots = cls()
        if 200 <= status < 300:
            robots._read(_text(body), url)
        return robots

    def allows(self, url: str, user_agent: str) -> bool:
        path = _path_of(url)
        if path == "/robots.txt":
            return True
        return not self.unreachable and self._matcher(user_agent).allows(path)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Seconds between requests that the site asks for; the longest, when several groups are merged."""
        return self._matcher(user_agent).delay

    def _matcher(self, user_agent: str) -> _Matcher:
        matcher = self._matchers.get(user_agent)
        if matcher is None:
            groups = self._groups.get(product_token(user_agent)) or self._groups.get("*") or []
            if len(self._matchers) >= 8:
                self._matchers.clear()
            matcher = self._matchers[user_agent] = _Matcher(groups)
        return matcher

    def _read(self, text: str, url: str) -> None:
        group: _Group | None = None
        naming = False  # among the User-agent lines that open a group
        for key, value in _directives(text):
            if key in _AGENT:
                if group is None or not naming:
                    group, naming = _Group(), True
                self._name(group, value)
            elif key in _SITEMAP:
                sitemap = listed_url(_bytes_of(value).decode("utf-8", "replace"), url)
                if sitemap is not None and len(self.sitemaps) < _MAX_SITEMAPS:
                    self.sitemaps.append(sitemap)
            elif key in _ALLOW or key in _DISALLOW:
                naming = False
                if group is not None and value:
                    group.rules.append((value, key in _ALLOW))
            elif key in _DELAY:
                # Ends the naming like a rule: `User-agent: *`, `Crawl-delay: 5`, `User-agent: BadBot`, `Disallow: /`
                # is a common file, and its author does not mean to shut everybody out.
                naming = False
                if group is not None:
                    group.delay = _longer(group.delay, value)

    def _name(self, group: _Group, value: str) -> None:
        token = "*" if value.startswith("*") else _first_token(value)
        if token:
            groups = self._groups.setdefault(token, [])
            if not groups or groups[-1] is not group:
                groups.append(group)


def is_unreachable(status: int) -> bool:
    """RFC 9309, 2.3.1: 4xx means there is no file; 5xx, no answer (0) and oddities, that there may be one.

    429 is the server asking for less, not saying that there is no file.
    """
    return status == 429 or not 200 <= status < 500


def product_token(user_agent: str) -> str:
    """`Nephila/0.1 (+https://...)` and `Mozilla/5.0 (compatible; Nephila/0.1)` are both `nephila`."""
    named = _COMPATIBLE.search(user_agent)
    return _first_token(named[1] if named else user_agent)


def _first_token(value: str) -> str:
    token = _TOKEN.search(value)
    return token[0].lower() if token else ""


def _text(body: bytes) -> str:
    if len(body) > PARSE_LIMIT:
        # Cut between lines: half a rule (`/` of `/private`) would say something else.
        body = body[:PARSE_LIMIT]
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace").lstrip("\ufeff")
    # Bytes that are not UTF-8 survive as surrogates and become the escapes that a URL would hold.
    return body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def _directives(text: str) -> Iterator[tuple[str, str]]:
    for line in _LINE.finditer(text):
        content = line[0].partition("#")[0].strip()
        key, colon, value = content.partition(":")
        if not colon:
            key, _, value = content.partition(" ")
        yield key.strip().lower(), value.strip()


def _longer(known: float | None, value: str) -> float | None:
    try:
        seconds = float(value.replace(",", "."))
    except ValueError:
        return known
    return max(known or 0.0, seconds) if math.isfinite(seconds) and seconds >= 0 else known


def _path_of(url: str) -> str:
    """What rules are matched against: path and query in normal form."""
    return _normal(_behind_host(url).partition("#")[0])


def _behind_host(url: str) -> str:
    _, scheme, rest = url.partition("://")
    rest = rest if scheme else url
    start = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    path = rest[start:]
    return path if path.startswith("/") else "/" + path


def _compiled(pattern: str, allow: bool) -> Rule:
    anchored = pattern.endswith("$")
    if anchored:
        pattern = pattern[:-1]
    if not pattern.startswith(("/", "*")):
        # Not of the grammar; a path without its slash, or a whole URL, is what people mean by it.
        pattern = _behind_host(pattern) if "://" in pattern else "/" + pattern
    parts: list[str] = []
    in_query = False
    for part in re.sub(r"\*+", "*", pattern).split("*"):
        parts.append(_normal(part, in_query=in_query))
        in_query = in_query or "?" in part
    return Rule(sum(map(len, parts)) + len(parts) - 1 + anchored, allow, tuple(parts), anchored)


def _normal(text: str, *, in_query: bool = False) -> str:
    """Escapes of unreserved characters undone, all others in upper case, and whatever else is no URL text escaped."""
    if _PLAIN.fullmatch(text):
        return text
    head, mark, query = ("", "", text) if in_query else text.partition("?")
    return _escaped(head, _UNRESERVED_BYTE) + mark + _escaped(query, _QUERY_BYTE)


def _escaped(text: str, undone: re.Pattern[bytes]) -> str:
    def spelled(found: re.Match[bytes]) -> bytes:
        if found[1] is None:
            return b"%%%02X" % found[0][0]
        byte = bytes.fromhex(found[1].decode())
        return byte if undone.fullmatch(byte) else found[0].upper()

    return _ESCAPE_OR_ODD.sub(spelled, _bytes_of(text)).decode("ascii")


def _bytes_of(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")

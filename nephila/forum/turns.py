"""Whether a queued address of a forum is worth its fetch when its turn comes, or another one is in its place.

Knows models and what was left out before, nothing of frontier or fetching.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nephila.forum.actions import changes_state, leads_away, surely_changes_state
from nephila.forum.learning import EXPLORED, PAGE, TITLE
from nephila.forum.model import Role, SiteModel
from nephila.forum.skipped import Skipped
from nephila.forum.way import META, THREAD, Way, identity_of
from nephila.urls import host_key

SAMPLED = 3
"""Pages of a pattern that tell whether it is worth following, once one of them was."""
_EXPLORED_FIRST = 10
_EXPLORED_SHARE = 0.02
_EXPLORED_MORE = 5
"""For each page off the forum that proved worth its fetch."""


class Turns:
    def __init__(self, skipped: Skipped, *, member: bool) -> None:
        self._skipped = skipped
        self._member = member
        """Logged in: a careless link could log out or write."""

    def judge(self, url: str, meta: Mapping[str, Any] | None, model: SiteModel | None, *, again: bool) -> Way | bool:
        """Whether a queued URL is worth its fetch now; a `Way` instead: it is another's alias, follow that.

        `again`: it was fetched in an earlier run.
        """
        told: dict[str, Any] = (meta or {}).get(META) or {}
        if "source" in (meta or {}):
            return model is None or not model.forum or meta is None or meta["source"] != "feed"
        if self._member and not told and changes_state(url):
            return False
        if model is None or not model.forum:
            return model is None or self._is_harmless(url, model)
        key = model.key(url)
        if key is not None:
            if again:
                return False  # `boards_again` begins another crawl of a forum
            if told.get("o") != PAGE and model.is_between(url):
                return False
            if told.get("r"):
                return True
            if model.was_early(key):
                return False
            if told.get("k") == key.text():
                return True
            return Way(url, THREAD, identity_of(url, key), meta={META: {**told, "k": key.text()}})
        if self._is_wanted(url, model, told, meta or {}):
            return True
        if model.role(url) is not Role.POST and not changes_state(url):
            self._skipped.add(host_key(url), model.address(url).pattern, url, refused=True)
        return False

    def _is_harmless(self, url: str, model: SiteModel) -> bool:
        """On what may be a forum, what may write something waits till that is known."""
        if model.ruled_out or not (model.evidence.threads or model.listing) or not surely_changes_state(url):
            return True
        self._skipped.add(host_key(url), "", url, refused=True)
        return False

    def _is_wanted(self, url: str, model: SiteModel, told: Mapping[str, Any], meta: Mapping[str, Any]) -> bool:
        """Whether what is neither board nor thread is worth its fetch."""
        role = model.role(url)
        if role is Role.PAGE:
            return True
        if role is not None or changes_state(url):
            return False
        if told.get("o") == EXPLORED or (not told and not meta.get("from")):
            return not model.is_view(model.address(url)) and self._may_explore(url, model)
        if meta.get("from") and leads_away(url):
            return False  # `login?next=` of whatever was asked for
        return told.get("o") != TITLE or not is_no_title(url, model)

    def _may_explore(self, url: str, model: SiteModel) -> bool:
        evidence = model.evidence
        most = _EXPLORED_FIRST + _EXPLORED_SHARE * evidence.seen + _EXPLORED_MORE * evidence.contents
        pattern = model.pattern(model.address(url))
        if self._tried_beside(model.address(url).pattern, model):
            return False
        sampled = pattern.useful and pattern.fetched < SAMPLED
        if not sampled and (pattern.fetched or leads_away(url) or model.explored >= most):
            return False
        pattern.fetched += 1
        model.explored += not sampled
        return True

    def _tried_beside(self, text: str, model: SiteModel) -> bool:
        """Whether enough addresses were tried that differ in their last word alone: `/tags/kettles`, `/tags/lamps`."""
        stem = text.rpartition("/")[0]
        if not stem or "?" in text:
            return False
        beside = [
            known for other, known in model.patterns.items() if other.rpartition("/")[0] == stem and other != text
        ]
        return sum(known.fetched > 0 for known in beside) >= SAMPLED


def is_no_title(url: str, model: SiteModel) -> bool:
    """On a forum, links of a pattern that stand where titles may, and have led to nothing: authors, tags."""
    pattern = model.patterns.get(model.address(url).pattern)
    tried = pattern is not None and pattern.role is None and pattern.fetched >= SAMPLED and not pattern.useful
    return model.forum and (tried or leads_away(url))

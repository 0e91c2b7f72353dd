"""Whether a site is a forum: only where its pages say so clearly, and only as long as they do.

A forum's pages are threads, where several people write and nothing else stands, and lists that lead to them. A page
with comments under something longer is none. In doubt a site is no forum: then nothing of it is left out. Before that
is known, as few pages as possible are read for posts: a glance tells most. Knows models and glances.
"""

from __future__ import annotations

from nephila.forum.glance import Glance
from nephila.forum.model import Evidence, Pattern, Role, SiteModel

_THREADS, _ANSWERED, _AUTHORS, _LISTS = 3, 2, 3, 2
_ARTICLES = 2
_LED = 4
_MISSES = 8
_SEEN = 60
"""Pages of a site that are looked at before it is taken for no forum."""
_READ, _READ_UNTITLED = 24, 16
"""Pages that are read for posts, at most, till there are some."""
_PROSE = 1500
_TURNED = 10


def worth_reading(model: SiteModel, sight: Glance, pattern: Pattern | None, *, titled: bool) -> bool:
    """Whether a page of a site that may be a forum is to be read for posts."""
    evidence = model.evidence
    if sight.dated < (1 if model.template is not None else 2) and evidence.seen > 1:
        return False  # the first page may list boards by counts alone
    if pattern is not None and pattern.role is Role.THREAD and _has_threads(evidence):
        return False
    if evidence.threads:
        return True
    if sight.led and sight.prose >= _PROSE and evidence.led > 1:
        return False
    return evidence.read < (_READ if titled else _READ_UNTITLED)


def decide(model: SiteModel) -> None:
    """Weighs the evidence anew."""
    evidence = model.evidence
    if model.forum:
        if _has_turned(evidence):
            model.forum, model.ruled_out = False, True
    elif _is_clear(evidence):
        model.forum, model.ruled_out = True, False
    else:
        model.ruled_out = model.ruled_out or _is_none(evidence)


def _is_clear(evidence: Evidence) -> bool:
    pages = len(evidence.threads) + len(evidence.lists)
    return _has_threads(evidence) and len(evidence.lists) >= _LISTS and evidence.articles <= max(1, pages // 3)


def _has_threads(evidence: Evidence) -> bool:
    enough = len(evidence.threads) >= _THREADS and evidence.answered >= _ANSWERED
    return enough and len(evidence.authors) >= _AUTHORS


def _is_none(evidence: Evidence) -> bool:
    if not evidence.threads and (
        evidence.articles >= _ARTICLES or evidence.led >= _LED or evidence.misses >= _MISSES or evidence.read >= _READ
    ):
        return True
    return evidence.seen >= _SEEN


def _has_turned(evidence: Evidence) -> bool:
    against = evidence.wrong + evidence.contents
    return against >= _TURNED and against > evidence.right

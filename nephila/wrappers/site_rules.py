"""Rules at work on a stream of pages: groups them, reads them, learns new groups, watches and heals known ones.

One of these serves one worker. It holds a bounded number of sample pages of groups without rules; what it learns goes
to the store, where the other workers find it. Knows documents, templates and the store, not the crawl.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nephila.document import Document
from nephila.wrappers.cards import read_listing
from nephila.wrappers.groups import Groups, sketch
from nephila.wrappers.heal import heal
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.lexicon import schema_types
from nephila.wrappers.outline import Outline
from nephila.wrappers.prior import Profile
from nephila.wrappers.recipes import INGREDIENTS, STEPS, read_recipe
from nephila.wrappers.store import RuleStore
from nephila.wrappers.structured import structured_facts, typed_facts
from nephila.wrappers.template import Reading, Template
from nephila.wrappers.watch import Watch

logger = logging.getLogger(__name__)

ENOUGH = 8
"""Sample pages of a group before its rules are learned."""
FEWEST = 4
"""At the end of a crawl, so few will do."""
_TEXTS = frozenset({"article", "documentation", "thread", "post", "board", "file"})
_MOST_SAMPLES = 24
_FRESH = 10.0
"""Seconds for which rules are believed without a look at the store."""
_MOST_GROUPS = 40
_SHARED_EVERY = 10
_FEWEST_FIELDS = 2
"""A template with fewer fields says nothing that the content does not."""


@dataclass(slots=True)
class Found:
    """What is known of a page's record."""

    values: dict[str, Any] = field(default_factory=dict)
    kind: str | None = None
    group: str | None = None
    agreement: dict[str, float] = field(default_factory=dict)
    early: bool = False
    """Its group has no rules yet: read again later, it may have more."""


@dataclass(slots=True)
class _Pending:
    """A group on its way to rules, or to better ones."""

    samples: list[Lesson] = field(default_factory=list)
    tried: int = 0
    """Samples at the last attempt: the next one waits for twice as many."""


class SiteRules:
    """Reads records out of pages with rules that it learns itself."""

    def __init__(self, store: RuleStore, alarm: Callable[[str, str, dict[str, str]], None] | None = None) -> None:
        self._store = store
        self._alarm = alarm or _log_alarm
        self._groups: OrderedDict[str, Groups] = OrderedDict()
        self._seen: dict[str, int] = {}
        self._templates: OrderedDict[tuple[str, str], Watch | None] = OrderedDict()
        self._fresh_until: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._pending: OrderedDict[tuple[str, str], _Pending] = OrderedDict()
        self._learning: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def read(self, document: Document, site: str, shown: str | None = None, *, again: bool = False) -> Found:
        """The fields of a page that looks like `shown`. `again`: it was seen before, nothing is to be learned from it.

        Pages of running text are the content room's; they are read here where their site is known to have records.
        """
        kind, facts = structured_facts(document)
        said = typed_facts(kind, facts, document.base_url) if kind in schema_types() else {}
        if kind not in schema_types() or (kind == "Recipe" and not said.keys() >= {INGREDIENTS, STEPS}):
            shown_to_people = read_recipe(document)
            kind, said = ("Recipe", shown_to_people | said) if shown_to_people else (kind, said)
        text = shown in _TEXTS and not said
        if text and not await self._is_known(site):
            return Found(early=not again and self._seen.get(site, 0) < _MOST_SAMPLES)
        outline = Outline(document)
        if shown == "listing" and not said:
            return Found(read_listing(document, outline), None)
        group = await self._group(site, outline, again)
        key = (site, group)
        if again and key in self._pending and self._watch(key) is None:
            await self._learn_now(key, FEWEST)
        watch = await self._template(key)
        if watch is None:
            # Running text alone founds no template, and what looks like text may still be of one.
            early = not again and (not text or key in self._pending) and self._sample(key, Lesson(outline, kind, facts))
            return Found(said, kind, group, {}, early)
        reading = watch.template.read(outline, document.metadata.language)
        if not again:
            self._check(key, watch, reading, Lesson(outline, kind, facts))
        values = {name: value for name, value in reading.values.items() if name not in said}
        return Found({**said, **values}, watch.template.kind or kind, group, reading.agreement)

    async def finish(self) -> None:
        """Waits for what is being learned, and learns from what there is."""
        await asyncio.gather(*self._learning.values(), return_exceptions=True)
        for key in list(self._pending):
            await self._learn_now(key, FEWEST)
        for site, groups in list(self._groups.items()):
            await self._store.share_groups(site, groups)

    # -- groups --------------------------------------------------------------------------------------------------------

    async def _group(self, site: str, outline: Outline, again: bool) -> str:
        groups = self._groups.get(site)
        if groups is None:
            kept = await self._store.groups(site)
            groups = self._groups.setdefault(site, kept)  # another page may have brought them meanwhile, and be in one
            if len(self._groups) > 500:
                await self._store.share_groups(*self._groups.popitem(last=False))
        known = len(groups.groups)
        name = groups.place(sketch(outline)).name
        self._seen[site] = self._seen.get(site, 0) + 1
        if not again and (len(groups.groups) > known or self._seen[site] % _SHARED_EVERY == 0):
            groups.merge(await self._store.share_groups(site, groups))
        return name

    async def _is_known(self, site: str) -> bool:
        """Whether some group of the site has rules, or is about to."""
        self._seen[site] = self._seen.get(site, 0) + 1
        if any(known == site for known, _ in self._pending) or any(
            known == site and watch is not None for (known, _), watch in self._templates.items()
        ):
            return True
        return self._seen[site] % _SHARED_EVERY == 1 and bool(await self._store.templates(site))

    def _watch(self, key: tuple[str, str]) -> Watch | None:
        return self._templates.get(key)

    async def _template(self, key: tuple[str, str]) -> Watch | None:
        watch, now = self._templates.get(key), time.monotonic()
        # A group without rules is asked for again: another worker may have learned them. So is, now and then, one that
        # has some: a person may have edited them, or another worker healed them.
        if watch is None or now >= self._fresh_until[key]:
            template = await self._store.get(*key)
            self._fresh_until[key] = now + _FRESH
            if template is None or watch is None or template.version != watch.template.version:
                watch = self._templates[key] = Watch(template) if template is not None else None
            while len(self._templates) > 2_000:
                self._fresh_until.pop(self._templates.popitem(last=False)[0], None)
        return watch

    # -- learning ------------------------------------------------------------------------------------------------------

    def _sample(self, key: tuple[str, str], lesson: Lesson) -> bool:
        """Whether the page may yet get fields: a group that stays without rules for long has none to give."""
        pending = self._pending.setdefault(key, _Pending())
        self._pending.move_to_end(key)
        if len(pending.samples) < _MOST_SAMPLES:
            pending.samples.append(lesson)
        while len(self._pending) > _MOST_GROUPS:
            self._pending.popitem(last=False)
        if len(pending.samples) >= max(ENOUGH, 2 * pending.tried) and key not in self._learning:
            self._learning[key] = asyncio.create_task(self._learn_now(key, ENOUGH))
        return len(pending.samples) < _MOST_SAMPLES or key in self._learning

    async def _learn_now(self, key: tuple[str, str], least: int) -> None:
        pending = self._pending.get(key)
        if pending is None or len(pending.samples) < least or pending.tried == len(pending.samples):
            self._learning.pop(key, None)
            return
        samples = list(pending.samples)
        pending.tried = len(samples)
        try:
            prior = await self._store.prior() | await self._own_prior(key[0])
            template = await asyncio.to_thread(learn, samples, key[0], key[1], prior)
            if len(template.fields) >= _FEWEST_FIELDS:
                template = await self._store.put(template)
                await self._store.accept(template)
                self._templates[key] = Watch(template)
                self._pending.pop(key, None)
        except Exception:
            logger.exception("could not learn the rules of %s %s", *key)
        finally:
            self._learning.pop(key, None)

    async def _own_prior(self, site: str) -> dict[str, Profile]:
        """How the site's other templates show the same fields: after a redesign, names stay."""
        found: dict[str, Profile] = {}
        for template in await self._store.templates(site):
            for each in template.fields:
                if each.profile is not None:
                    found.setdefault(each.name, Profile(each.name)).merge(each.profile)
        return found

    def _check(self, key: tuple[str, str], watch: Watch, reading: Reading, lesson: Lesson) -> None:
        trouble = watch.see(reading)
        if not trouble:
            self._pending.pop(key, None)
        if trouble or key in self._pending:
            pending = self._pending.setdefault(key, _Pending())
            pending.samples.append(lesson)
            if trouble and not pending.tried:
                if watch.is_break(trouble):
                    self._alarm(key[0], key[1], trouble)
                pending.tried = 1
            if len(pending.samples) >= ENOUGH and key not in self._learning:
                self._learning[key] = asyncio.create_task(self._heal(key, watch.template))

    async def _heal(self, key: tuple[str, str], template: Template) -> None:
        pending = self._pending.pop(key)
        try:
            mended = await asyncio.to_thread(heal, template, pending.samples)
            self._templates[key] = Watch(await self._store.put(mended))
        except Exception:
            logger.exception("could not heal the rules of %s %s", *key)
        finally:
            self._learning.pop(key, None)


def _log_alarm(site: str, group: str, trouble: dict[str, str]) -> None:
    for name, reason in trouble.items():
        logger.warning("the rules of %s %s are breaking: %s %s", site, group, name, reason)

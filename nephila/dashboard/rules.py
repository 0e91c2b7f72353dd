"""The learned rules of a crawl, as a person reviews, edits, mends and tries them on the pages that the shelf keeps.

Knows templates and the shelf; nothing of HTTP. What is changed here is read by the crawl's workers within seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from nephila.dashboard.crawls import Crawls, RefusedError, UnknownError
from nephila.document import Document, parse
from nephila.errors import InputError
from nephila.sinks.shelved import Shelf, Shelved
from nephila.wrappers.book import RuleBook
from nephila.wrappers.edits import Edits
from nephila.wrappers.fix import fix
from nephila.wrappers.outline import Outline
from nephila.wrappers.selectors import xpath
from nephila.wrappers.store import RuleStore
from nephila.wrappers.template import Template

_LOOKED_AT = 200
"""Pages of the shelf that a test looks through for those of the template."""
_MENDED_WITH = 12
"""Pages of the template that a correction is learned from."""


class Rules:
    def __init__(self, crawls: Crawls) -> None:
        self._crawls = crawls

    async def all(self, name: str) -> list[dict[str, Any]]:
        """Every template, those with the most sample pages first."""
        async with self._crawls.stores(name) as stores:
            found = [] if stores is None else await RuleStore(stores[1]).templates()
        return [_shown(each) for each in sorted(found, key=lambda each: (-each.pages, each.site, each.group))]

    async def edit(self, name: str, site: str, group: str, edits: Edits) -> dict[str, Any]:
        async with self._crawls.stores(name) as stores:
            store = _known(stores, name)
            return _shown(await store.put(edits.apply(await _template(store, site, group))))

    async def forget(self, name: str, site: str, group: str) -> None:
        """The rules go; a crawl that meets such pages again learns them anew."""
        async with self._crawls.stores(name) as stores:
            store = _known(stores, name)
            await _template(store, site, group)
            await store.remove(site, group)

    async def tried(self, name: str, site: str, group: str, limit: int) -> list[dict[str, Any]]:
        """What the rules find on the newest stored pages of the template."""
        shelf = await self._crawls.shelf(name)
        if shelf is None:
            raise UnknownError(f"{name} keeps no pages to test on: it has no shelf")
        book = await self._book(name, site, group)
        return await asyncio.to_thread(_try, shelf, book, site, group, limit)

    async def mend(self, name: str, site: str, group: str, record: int, field: str, value: str) -> dict[str, Any]:
        """The field's rules are made anew, so that the stored page of the record gives this value."""
        shelf = await self._crawls.shelf(name)
        if shelf is None:
            raise UnknownError(f"{name} keeps no pages to mend by: it has no shelf")
        book = await self._book(name, site, group)
        mended = await asyncio.to_thread(_mend, shelf, book, (site, group), record, field, value)
        async with self._crawls.stores(name) as stores:
            return _shown(await _known(stores, name).put(mended))

    async def _book(self, name: str, site: str, group: str) -> RuleBook:
        async with self._crawls.stores(name) as stores:
            store = _known(stores, name)
            await _template(store, site, group)
            return RuleBook(await store.templates(site), {site: await store.groups(site)})


def _known(stores: Any, name: str) -> RuleStore:
    if stores is None:
        raise UnknownError(f"{name} has not begun: there are no rules yet")
    return RuleStore(stores[1])


async def _template(store: RuleStore, site: str, group: str) -> Template:
    template = await store.get(site, group)
    if template is None:
        raise UnknownError(f"there are no rules for {site}/{group}")
    return template


def _pages(shelf: Shelf, book: RuleBook, site: str, group: str) -> Iterator[tuple[Shelved, Document, Outline]]:
    """The newest stored pages of the template; each costs a parse, so they come one by one."""
    for shelved in shelf.with_pages(_LOOKED_AT):
        if site in urlsplit(shelved.url).netloc and (read := _outline(shelf, shelved.id)) is not None:
            template = book.match(read[1], site)
            if template is not None and template.group == group:
                yield shelved, *read


def _outline(shelf: Shelf, record: int) -> tuple[Document, Outline] | None:
    page = shelf.page(record)
    if page is None:
        return None
    try:
        document = parse(page.body, page.final_url, headers=page.headers)
    except InputError:
        return None
    return document, Outline(document)


def _try(shelf: Shelf, book: RuleBook, site: str, group: str, limit: int) -> list[dict[str, Any]]:
    template = next(each for each in book.templates if each.group == group)
    rows = []
    for shelved, document, outline in islice(_pages(shelf, book, site, group), limit):
        reading = template.read(outline, document.metadata.language)
        values = {name: reading.values.get(name) for name in (each.name for each in template.fields)}
        agreement = {name: round(share, 3) for name, share in reading.agreement.items()}
        rows.append({"record": shelved.id, "url": shelved.url, "values": values, "agreement": agreement})
    return rows


def _mend(shelf: Shelf, book: RuleBook, wanted: tuple[str, str], record: int, field: str, value: str) -> Template:
    site, group = wanted
    template = next(each for each in book.templates if each.group == group)
    own = _outline(shelf, record)
    matching = book.match(own[1], site) if own is not None else None
    if own is None or matching is None or matching.group != group:
        raise RefusedError(f"the page of record {record} is not kept any more, or is no page of these rules")
    pages = islice(_pages(shelf, book, site, group), _MENDED_WITH + 1)
    return fix(template, own[1], field, value, [outline for shelved, _, outline in pages if shelved.id != record])


def _shown(template: Template) -> dict[str, Any]:
    return {
        "site": template.site,
        "group": template.group,
        "kind": template.kind,
        "version": template.version,
        "pages": template.pages,
        "learned_at": template.learned_at,
        "origin": template.origin,
        "fields": [
            {
                "name": each.name,
                "type": each.type,
                "many": each.many,
                "confidence": round(each.confidence, 3),
                "coverage": round(each.coverage, 3),
                "agreement": round(each.agreement, 3),
                "origin": each.origin,
                "rules": [{"xpath": xpath(rule), "weight": round(rule.weight, 3)} for rule in each.rules],
            }
            for each in template.fields
        ],
    }

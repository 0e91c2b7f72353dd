"""Page numbers of lists and threads: which value of an address they are, and how they count. Knows readings, models."""

from __future__ import annotations

from nephila.forum.address import Address, slot_names
from nephila.forum.model import FOLLOWED, Pattern, SiteModel, page_number
from nephila.forum.outline import Anchor
from nephila.forum.reading import Reading
from nephila.forum.roles import demote_views, lists_of


def learn_pager(model: SiteModel, reading: Reading, own: Pattern) -> None:
    """What the pager's links have in common: which value is the page, and how it counts."""
    outline = reading.outline
    numbered: dict[str, list[tuple[int, Anchor]]] = {}
    for number, anchor in outline.pager.items():
        numbered.setdefault(anchor.address.pattern, []).append((number, anchor))
    if outline.following is not None and not numbered:
        current = page_number(reading.address, own)
        numbered[outline.following.address.pattern] = [(current + 1, outline.following)]
    for members in numbered.values():
        _learn_page_slot(model, reading, own, sorted(members, key=lambda member: member[0]))


def _learn_page_slot(model: SiteModel, reading: Reading, own: Pattern, members: list[tuple[int, Anchor]]) -> None:
    pattern = model.pattern(members[0][1].address)
    if own.role not in FOLLOWED or pattern.fixed or (pattern.role not in (None, own.role) and pattern is not own):
        return
    slot = _varying(reading, members)
    if slot is None:
        if len(members) == 1 and members[0][0] == 1 and pattern.role is None:
            # The first page has no number.
            pattern.role, pattern.id_slot = own.role, _same_value(reading, own, members[0][1], -1)
            if own.role is not None:
                demote_views(model, members[0][1].address.pattern, own.role)
            lists_of(model, members[0][1].address.pattern)
        return
    if pattern.page_slot is None or len(members) > 1:
        pairs = [(number, int(anchor.address.slot(slot))) for number, anchor in members]
        pattern.page_slot = slot
        told = bool(reading.outline.pager) or _goes_on(reading, pairs[0])
        # What counts in no way that can be seen names where the page begins, not which it is.
        pattern.page_step, pattern.page_base = _step(pairs) if told else (1, 0)
    pattern.role = own.role
    lists_of(model, members[0][1].address.pattern)
    pattern.id_slot = _same_value(reading, own, members[0][1], slot)
    if own.role is not None and own is not pattern:
        demote_views(model, reading.address.pattern, own.role)


def _goes_on(reading: Reading, pair: tuple[int, int]) -> bool:
    """Whether the value behind a "next" counts pages, or what stands on them."""
    number, value = pair
    shown = len(reading.found.posts) if reading.found is not None else len(reading.rows)
    return value in (number, number - 1) or value == (number - 1) * shown


def _varying(reading: Reading, members: list[tuple[int, Anchor]]) -> int | None:
    """The number that differs from page to page, or from this page."""
    address = members[0][1].address
    if len(members) == 1 and address.pattern != reading.address.pattern:
        return _added(reading.address, address)
    for slot in reversed(range(len(address.values))):
        values = [anchor.address.slot(slot) for _, anchor in members]
        if not all(value.isdigit() for value in values):
            continue
        if len(members) > 1:
            if len(set(values)) == len(values):
                return slot
        elif address.slot(slot) != reading.address.slot(slot):
            return slot
    return None


def _added(own: Address, other: Address) -> int | None:
    """The number of another address that stands where this one has nothing."""
    here = slot_names(own.pattern)
    for slot, name in enumerate(slot_names(other.pattern)):
        if name in here:
            here.remove(name)
        elif other.slot(slot).isdigit():
            return slot
    return None


def _step(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    """How the value follows from the page's number: by one, from nought, or by the posts of a page."""
    (n, value), (m, other) = pairs[0], pairs[-1]
    if n != m and (other - value) % (m - n) == 0 and other > value:
        step = (other - value) // (m - n)
        return step, value - step * n
    if value == n or n == 1:
        return 1, 0
    if value == n - 1:
        return 1, -1
    step = value // (n - 1) if n > 1 else value
    return (step, -step) if step > 1 else (1, 0)


def _same_value(reading: Reading, own: Pattern, anchor: Anchor, page_slot: int) -> int | None:
    """The slot of the pager's links that holds what this page is about."""
    if own.id_slot is None:
        return None
    wanted = reading.address.slot(own.id_slot)
    slots = [slot for slot, value in enumerate(anchor.address.values) if value == wanted and slot != page_slot]
    return slots[0] if slots else None

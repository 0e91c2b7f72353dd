"""What address patterns are to each other: views and parts of threads, pages told otherwise, kindred ones.

Knows readings and models; when a role is learned is said in `learning`.
"""

from __future__ import annotations

import re
from math import gcd

from nephila.forum.address import extends
from nephila.forum.model import FOLLOWED, Pattern, Role, SiteModel, without_page
from nephila.forum.reading import Reading

_LIKELY_PAGE = 400
_LEAST_STEP = 5
_TELLING_VALUES = 3


def names_a_post(model: SiteModel, reading: Reading) -> bool:
    """Whether the address tells a post of the page, where threads have addresses of their own: `viewtopic.php?p=3012`.

    Where they have not, a thread may be told by its first post; another one's number tells more.
    """
    own = reading.address
    ids = [post.id for post in reading.found.posts] if reading.found is not None else []
    told = [ids.index(value) for value in own.values if value in ids]
    return bool(told) and any(
        known.role is Role.THREAD
        and known.useful > (min(told) == 0)
        and not extends(text, own.pattern)
        and (min(told) > 0 or text.partition("?")[0] == own.path or extends(own.pattern, text))
        for text, known in model.patterns.items()
    )


def is_elsewhere(reading: Reading) -> bool:
    """Whether the page's own numbers name a first page, of addresses that are not like its own: it shows a page that
    has another address."""
    own, pager = reading.address, reading.outline.pager
    if 1 not in pager or pager[1].url == reading.outline.url or set(pager[1].address.values) & set(own.values):
        return False
    patterns = {anchor.address.pattern for anchor in pager.values()}
    return not any(extends(own.pattern, other) or extends(other, own.pattern) for other in patterns)


def lists_of(model: SiteModel, rows: str) -> None:
    """The rows' role is known now: so is that of the pages that list them."""
    for listing, url in model.listing.pop(rows, []):
        known = model.patterns.get(listing)
        if known is None or known.fixed:
            continue
        if known.role in (None, Role.BOARD):
            model.evidence.add_list(url)
        if known.role is None:
            give_role(model, listing, known, Role.BOARD)


def give_role(model: SiteModel, text: str, pattern: Pattern, role: Role) -> None:
    pattern.role = role
    for other in [other for other, known in model.patterns.items() if known.role is role]:
        demote_views(model, other, role)
    _inherit(model, text, pattern)
    for other, known in model.patterns.items():
        if known.role is role and known.page_slot is None and other.startswith(text.partition("?")[0]):
            _inherit(model, other, known)
    lists_of(model, text)


def demote_views(model: SiteModel, text: str, role: Role) -> None:
    """What has the same address and more shows the same in another way: `?topic=7&view=findpost`, `?topic=7&p=3012`,
    `/comments/7/title/3012/`."""
    path, _, query = text.partition("?")
    own = set(query.split("&")) - {""}
    for other, known in model.patterns.items():
        base, _, rest = other.partition("?")
        if known.role is role and not known.fixed and not query and not rest:
            part = _names_a_part(path, base, known, paged=_is_paged(model, path, other))
            if part and (role is Role.THREAD or _share_values(model, text, known)):
                known.role = Role.POST
                continue
        parts = rest.split("&")
        if known.role is not role or known.fixed or base != path or not own < set(parts):
            continue
        more = set(parts) - own
        if any("=" in part and "{" not in part for part in more) or any(
            part.endswith("={#}") and not _may_be_pages(known, other, part) for part in more
        ):
            known.role = Role.POST


def _names_a_part(path: str, longer: str, pattern: Pattern, *, paged: bool) -> bool:
    """Whether a path is another one and the name or number of something in there, which is no page of it; `paged`:
    the pages have other addresses."""
    head, _, last = longer.rstrip("/").rpartition("/")
    if head != path.rstrip("/") or "{" not in path:
        return False
    return last == "{*}" or (last.endswith("{#}") and (paged or not _may_be_pages(pattern, longer, last)))


def _is_paged(model: SiteModel, path: str, besides: str) -> bool:
    """Whether the further pages of an address are known, and told otherwise."""
    return any(
        known.page_slot is not None
        and known.role in FOLLOWED
        and text != besides
        and without_page(text, known.page_slot) == path.rstrip("/")
        for text, known in model.patterns.items()
    )


def _share_values(model: SiteModel, text: str, longer: Pattern) -> bool:
    """Whether the two patterns were seen with the same names and numbers: else they are of different things."""
    own = model.patterns[text].values if text in model.patterns else []
    return bool(own) and any(set(a) & set(b) for a, b in zip(own, longer.values, strict=False))


def _may_be_pages(pattern: Pattern, text: str, parameter: str) -> bool:
    """Whether the values of a parameter may tell pages, or where they begin: numbers of posts soon are larger."""
    slot = text[: text.rindex(parameter)].count("{")
    values = [int(value) for value in pattern.values[slot]] if slot < len(pattern.values) else []
    return not values or min(values) <= _LIKELY_PAGE or gcd(*values) >= _LEAST_STEP


def _inherit(model: SiteModel, text: str, pattern: Pattern) -> None:
    """A page of something (`?page=2`) is about what the address without that is about."""
    head, mark, query = text.partition("?")
    parameters = query.split("&") if mark else []
    for index, parameter in enumerate(parameters):
        if not parameter.endswith("={#}") or not _may_be_pages(pattern, text, parameter):
            continue
        rest = parameters[:index] + parameters[index + 1 :]
        base = model.patterns.get(head + ("?" + "&".join(rest) if rest else ""))
        if base is None or base.role not in (None, pattern.role):
            continue
        own = base.id_slot if base.id_slot is not None else base.choose_id()
        if own is None:
            continue
        slot = text[: text.index(parameter)].count("{")
        pattern.page_slot = slot
        pattern.id_slot = own + (own >= slot)
        return


def slot_of_kin(model: SiteModel, pattern: Pattern, text: str) -> int | None:
    """What names the thing in addresses that begin alike, where too few of this pattern tell: titles that end with a
    number, and titles that do not."""
    if max(map(len, pattern.values), default=0) >= _TELLING_VALUES:
        return None
    for other, known in model.patterns.items():
        if known is pattern or known.role is not pattern.role or known.id_slot is None or not known.values:
            continue
        slots = [slot.end() for slot in re.finditer(r"\{[#*]\}", other)]
        told = min(known.id_slot, len(known.values) - 1)
        if len(known.values[told]) >= _TELLING_VALUES and text.startswith(other[: slots[known.id_slot]]):
            return known.id_slot
    return None

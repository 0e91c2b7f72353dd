"""How a site's model learns from each page: roles of patterns, page numbers, the template of the posts.

A role is given by what an address led to, never by a word in it. Knows readings and models.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from math import gcd

from nephila.forum.actions import leads_away
from nephila.forum.address import Address, extends, slot_names
from nephila.forum.likeness import looks_like_posts
from nephila.forum.fields import SURE
from nephila.forum.model import FOLLOWED, Evidence, Pattern, Role, SiteModel, page_number, without_page
from nephila.forum.outline import Anchor
from nephila.forum.reading import Kind, Reading
from nephila.forum.verdict import decide

TITLE, PAGE, UP, EXPLORED = "title", "page", "up", "explore"
"""Why an address was fetched: it stood as a row's title, in a pager, in a breadcrumb, or somewhere on the page."""

_ENOUGH_CONTENT = 2
_DROP_AFTER = 6
_LEAST_USEFUL = 0.15
_ENOUGH_HOPS = 2
_FEW_FETCHED = 6
_NEARLY_ALL = 0.6
_LISTINGS = 20
_TELLING_VALUES = 3
_GROUPS = 3
"""Groups of titles on a page that may tell what it lists: beside the rows a box may name the newest posts."""


def learn(
    model: SiteModel,
    reading: Reading,
    origin: str | None,
    new_posts: int,
    *,
    again: bool = False,
    content: bool = False,
) -> None:
    """`origin`: why this page was fetched (None: a seed); `new_posts`: posts on it that were not seen before.

    `again`: the page was looked at before, when less was known. `content`: it has writing that is in no post.
    """
    address = reading.address
    pattern = model.pattern(address)
    if not again:
        pattern.fetched += origin != EXPLORED  # those were counted when they were chosen
        _weigh(model.evidence, reading, pattern, origin, forum=model.forum)
    _learn_titles(model, reading)
    article = reading.comments and pattern.role is None
    if reading.kind is Kind.THREAD and not article:
        _learn_thread(model, reading, pattern, origin, new_posts)
    elif reading.kind is Kind.LIST:
        _learn_list(model, reading, pattern, origin)
    elif model.forum and (content or article):
        _learn_content(model, pattern, known=bool(address.values))
    elif origin == EXPLORED and pattern.role is None:
        pattern.role = Role.OTHER
    _learn_people(model, reading)
    _learn_parts(model, reading)
    if pattern.role in FOLLOWED:
        if not pattern.fixed and (pattern.id_slot is None or (not model.forum and pattern.fetched <= _FEW_FETCHED)):
            pattern.learn_values(address)
            kin = _slot_of_kin(model, pattern, address.pattern)
            pattern.id_slot = pattern.choose_id(pattern.page_slot, address.pattern) if kin is None else kin
        learn_pager(model, reading, pattern)
    _drop_useless(pattern)
    if not model.forum:
        _learn_hops(model)
    decide(model)


def _slot_of_kin(model: SiteModel, pattern: Pattern, text: str) -> int | None:
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


def _learn_hops(model: SiteModel) -> None:
    """Where lists name threads only by addresses that redirect to theirs, those are the way there."""
    for text, pattern in list(model.patterns.items()):
        there = model.patterns.get(pattern.leads or "")
        if pattern.role is not None or pattern.landed < _ENOUGH_HOPS or there is None or there.role is not Role.THREAD:
            continue
        if _is_part_of(text, pattern.leads or ""):
            continue
        named = pattern.leads in model.listed or any(
            known.role is Role.THREAD and other in model.listed and extends(pattern.leads or "", other)
            for other, known in model.patterns.items()
        )
        if not named and len(model.listing.get(text, ())) >= _ENOUGH_HOPS:
            pattern.id_slot = pattern.choose_id(None, text)
            _give_role(model, text, pattern, Role.THREAD)


def _is_part_of(text: str, other: str) -> bool:
    """Whether an address names a part of what another names, or its page."""
    return extends(text, other.partition("?")[0]) or extends(other, text)


def _learn_people(model: SiteModel, reading: Reading) -> None:
    """What the names of authors lead to is no board and no thread."""
    if reading.kind is not Kind.THREAD or reading.found is None:
        return
    led = {post.author_url for post in reading.found.posts if post.author_url}
    own = [anchor.address for anchor in reading.outline.anchors if anchor.url in led]
    for address in own:
        pattern = model.pattern(address)
        if address.values and pattern.role is None and not pattern.fixed and not pattern.useful:
            pattern.role = Role.OTHER


def _learn_parts(model: SiteModel, reading: Reading) -> None:
    """What each post has a link to with its own number shows that post, or does something with it."""
    if reading.kind is not Kind.THREAD or reading.found is None:
        return
    posts, own = reading.found.posts, reading.address.pattern
    having: dict[str, set[int]] = {}
    for anchor in reading.outline.anchors:
        place = bisect_right(posts, anchor.node.start, key=lambda post: post.start) - 1
        post = posts[place] if place >= 0 else None
        if post is not None and anchor.node.start < post.stop and post.id in anchor.address.values:
            having.setdefault(anchor.address.pattern, set()).add(place)
    least = max(2, _NEARLY_ALL * sum(not post.depth for post in posts))
    for text, places in having.items():
        pattern = model.patterns.get(text) or model.patterns.setdefault(text, Pattern())
        if len(places) >= least and not pattern.fixed and not extends(own, text):
            pattern.role = Role.POST if pattern.role in (None, Role.THREAD, Role.BOARD) else pattern.role


def _weigh(evidence: Evidence, reading: Reading, pattern: Pattern, origin: str | None, *, forum: bool) -> None:
    if forum:
        if pattern.role in FOLLOWED:
            evidence.right += reading.kind is not Kind.OTHER
            evidence.wrong += reading.kind is Kind.OTHER
        return
    evidence.read += 1
    evidence.articles += reading.comments
    evidence.misses += origin == TITLE and reading.kind is Kind.OTHER


def _learn_content(model: SiteModel, pattern: Pattern, *, known: bool) -> None:
    """Pages that are worth a fetch though they are neither board nor thread: two of a pattern tell for all."""
    pattern.useful += 1
    model.evidence.contents += 1
    if pattern.role is None and not pattern.fixed and (pattern.useful >= _ENOUGH_CONTENT or not known):
        pattern.role = Role.PAGE


def _learn_titles(model: SiteModel, reading: Reading) -> None:
    for row in reading.rows:
        pattern = model.pattern(row.anchor.address)
        if not pattern.fixed:
            pattern.learn_values(row.anchor.address)
            if len(pattern.values) and max(map(len, pattern.values)) <= 12:
                pattern.id_slot = pattern.choose_id(pattern.page_slot, row.anchor.address.pattern)


def _learn_thread(model: SiteModel, reading: Reading, pattern: Pattern, origin: str | None, new_posts: int) -> None:
    found = reading.found
    if found is None:
        return
    view = _names_a_post(model, reading) or _is_elsewhere(reading)
    pattern.useful += bool(new_posts) and not view
    if view and pattern.role in (None, Role.THREAD) and not pattern.fixed:
        pattern.role = Role.POST
    elif pattern.role is None and not pattern.fixed:
        if origin in (EXPLORED, None) and not new_posts and model.evidence.threads:
            pattern.role = Role.POST
        else:
            _give_role(model, reading.address.pattern, pattern, Role.THREAD)
    if found.template is model.template:
        found.template.seen += 1
    elif looks_like_posts(found) and (
        model.template is None
        or model.template.seen < 3
        or model.template.records < min(found.template.records, SURE)
        or found.template.refines(model.template)
    ):
        model.template = found.template
    model.evidence.add_thread(reading.outline.url, {post.author for post in found.posts if post.author})
    current = page_number(reading.address, pattern)
    further = reading.outline.following is not None or max(reading.outline.pager, default=0) > current
    first = reading.outline.pager.get(1)
    known = current > 1 or first is None or first.url == reading.outline.url
    if further and known and not reading.comments:
        (model.per_first if current == 1 else model.per_page)[len(found.posts)] += 1


def _names_a_post(model: SiteModel, reading: Reading) -> bool:
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


def _is_elsewhere(reading: Reading) -> bool:
    """Whether the page's own numbers name a first page, of addresses that are not like its own: it shows a page that
    has another address."""
    own, pager = reading.address, reading.outline.pager
    if 1 not in pager or pager[1].url == reading.outline.url or set(pager[1].address.values) & set(own.values):
        return False
    patterns = {anchor.address.pattern for anchor in pager.values()}
    return not any(extends(own.pattern, other) or extends(other, own.pattern) for other in patterns)


def _lists_of(model: SiteModel, rows: str) -> None:
    """The rows' role is known now: so is that of the pages that list them."""
    for listing, url in model.listing.pop(rows, []):
        known = model.patterns.get(listing)
        if known is None or known.fixed:
            continue
        if known.role in (None, Role.BOARD):
            model.evidence.add_list(url)
        if known.role is None:
            _give_role(model, listing, known, Role.BOARD)


def _give_role(model: SiteModel, text: str, pattern: Pattern, role: Role) -> None:
    pattern.role = role
    for other in [other for other, known in model.patterns.items() if known.role is role]:
        _demote_views(model, other, role)
    _inherit(model, text, pattern)
    for other, known in model.patterns.items():
        if known.role is role and known.page_slot is None and other.startswith(text.partition("?")[0]):
            _inherit(model, other, known)
    _lists_of(model, text)


def _demote_views(model: SiteModel, text: str, role: Role) -> None:
    """What has the same address and more shows the same in another way: `?topic=7&view=findpost`, `?topic=7&p=3012`,
    `/comments/7/title/3012/`."""
    path, _, query = text.partition("?")
    own = set(query.split("&")) - {""}
    for other, known in model.patterns.items():
        base, _, rest = other.partition("?")
        if known.role is role and not known.fixed and not query and not rest:
            paged = _is_paged(model, path, other)
            if _names_a_part(path, base, known, paged=paged) and (role is Role.THREAD or _share_values(model, text, known)):
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


def _share_values(model: SiteModel, text: str, longer: Pattern) -> bool:
    """Whether the two patterns were seen with the same names and numbers: else they are of different things."""
    own = model.patterns[text].values if text in model.patterns else []
    return bool(own) and any(set(a) & set(b) for a, b in zip(own, longer.values, strict=False))


def _is_paged(model: SiteModel, path: str, besides: str) -> bool:
    """Whether the further pages of an address are known, and told otherwise."""
    return any(
        known.page_slot is not None
        and known.role in FOLLOWED
        and text != besides
        and without_page(text, known.page_slot) == path.rstrip("/")
        for text, known in model.patterns.items()
    )


def _names_a_part(path: str, longer: str, pattern: Pattern, *, paged: bool) -> bool:
    """Whether a path is another one and the name or number of something in there, which is no page of it; `paged`:
    the pages have other addresses."""
    head, _, last = longer.rstrip("/").rpartition("/")
    if head != path.rstrip("/") or "{" not in path:
        return False
    return last == "{*}" or (last.endswith("{#}") and (paged or not _may_be_pages(pattern, longer, last)))


def _may_be_pages(pattern: Pattern, text: str, parameter: str) -> bool:
    """Whether the values of a parameter may tell pages, or where they begin: numbers of posts soon are larger."""
    slot = text[: text.rindex(parameter)].count("{")
    values = [int(value) for value in pattern.values[slot]] if slot < len(pattern.values) else []
    return not values or min(values) <= _LIKELY_PAGE or gcd(*values) >= _LEAST_STEP


_LIKELY_PAGE = 400
_LEAST_STEP = 5


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


def _learn_list(model: SiteModel, reading: Reading, pattern: Pattern, origin: str | None) -> None:
    roles = {model.pattern(row.anchor.address).role for row in reading.rows}
    if roles & FOLLOWED:
        model.evidence.add_list(reading.outline.url)
        pattern.useful += 1
        if pattern.role is None and not pattern.fixed and (origin is None or not leads_away(reading.outline.url)):
            _give_role(model, reading.address.pattern, pattern, Role.BOARD)
    else:
        groups = [group.pattern for group in (*reading.candidates[:_GROUPS], *reading.doubtful[:_GROUPS])]
        model.listed.update(groups)
        for rows in dict.fromkeys(groups):
            waiting = model.listing.setdefault(rows, [])
            one = [reading.address.pattern, reading.outline.url]
            if one not in waiting and len(waiting) < _LISTINGS:
                waiting.append(one)


def _drop_useless(pattern: Pattern) -> None:
    """A pattern whose pages bring nothing new is not followed any further."""
    if pattern.fixed or pattern.role is not Role.THREAD or pattern.fetched < _DROP_AFTER:
        return
    if pattern.useful < _LEAST_USEFUL * pattern.fetched:
        pattern.role = Role.OTHER


# -- page numbers ------------------------------------------------------------------------------------------------------


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
                _demote_views(model, members[0][1].address.pattern, own.role)
            _lists_of(model, members[0][1].address.pattern)
        return
    if pattern.page_slot is None or len(members) > 1:
        pairs = [(number, int(anchor.address.slot(slot))) for number, anchor in members]
        pattern.page_slot = slot
        told = bool(reading.outline.pager) or _goes_on(reading, pairs[0])
        # What counts in no way that can be seen names where the page begins, not which it is.
        pattern.page_step, pattern.page_base = _step(pairs) if told else (1, 0)
    pattern.role = own.role
    _lists_of(model, members[0][1].address.pattern)
    pattern.id_slot = _same_value(reading, own, members[0][1], slot)
    if own.role is not None and own is not pattern:
        _demote_views(model, reading.address.pattern, own.role)


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

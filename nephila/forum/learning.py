"""How a site's model learns from each page: roles of patterns, the template of the posts.

A role is given by what an address led to, never by a word in it. Knows readings and models.
"""

from __future__ import annotations

from bisect import bisect_right

from nephila.forum.actions import leads_away
from nephila.forum.address import extends
from nephila.forum.fields import SURE
from nephila.forum.likeness import looks_like_posts
from nephila.forum.model import FOLLOWED, Evidence, Pattern, Role, SiteModel, page_number
from nephila.forum.paging import learn_pager
from nephila.forum.reading import Kind, Reading
from nephila.forum.roles import give_role, is_elsewhere, names_a_post, slot_of_kin
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
            kin = slot_of_kin(model, pattern, address.pattern)
            pattern.id_slot = pattern.choose_id(pattern.page_slot, address.pattern) if kin is None else kin
        learn_pager(model, reading, pattern)
    _drop_useless(pattern)
    if not model.forum:
        _learn_hops(model)
    decide(model)


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
            give_role(model, text, pattern, Role.THREAD)


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
    view = names_a_post(model, reading) or is_elsewhere(reading)
    pattern.useful += bool(new_posts) and not view
    if view and pattern.role in (None, *FOLLOWED) and not pattern.fixed:
        pattern.role = Role.POST  # a list beside a lone post may have looked like a board's
    elif pattern.role is None and not pattern.fixed:
        if origin in (EXPLORED, None) and not new_posts and model.evidence.threads:
            pattern.role = Role.POST
        else:
            give_role(model, reading.address.pattern, pattern, Role.THREAD)
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


def _learn_list(model: SiteModel, reading: Reading, pattern: Pattern, origin: str | None) -> None:
    roles = {model.pattern(row.anchor.address).role for row in reading.rows}
    if roles & FOLLOWED:
        model.evidence.add_list(reading.outline.url)
        pattern.useful += 1
        if pattern.role is None and not pattern.fixed and (origin is None or not leads_away(reading.outline.url)):
            give_role(model, reading.address.pattern, pattern, Role.BOARD)
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

"""Document -> posts: author, date, text, quotes, number, of each. The door to post extraction.

    tree ──records──▶ the group of elements that are posts ──fields──▶ columns: text, date, author ──▶ Post

A template learned on other pages of the site is tried first: it also reads pages with a single post. Knows nothing of
crawling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import mean
from urllib.parse import urlsplit

from nephila.content.markdown import render_markdown
from nephila.document import Document
from nephila.document.links import Joiner
from nephila.forum.dates import When, page_zone
from nephila.forum.fields import (
    Template,
    author_column,
    body_path,
    date_column,
    names_in,
    nodes_at,
    path_in,
    points_of,
)
from nephila.forum.identity import ACTION, Identity, identities
from nephila.forum.lead import with_lead
from nephila.forum.quotes import Quote, part_quotes
from nephila.forum.records import (
    Group,
    Page,
    Region,
    body_steps,
    find_groups,
    holds_all,
    keys_of,
    regions_around,
    regions_of,
)
from nephila.forum.tree import Node, PageTree


@dataclass(slots=True)
class Post:
    """One post as its page shows it."""

    text: str
    markdown: str
    author: str | None = None
    author_url: str | None = None
    when: When | None = None
    published: str | None = None
    """ISO 8601; a day alone where the page tells no more."""
    quotes: list[Quote] = field(default_factory=list)
    id: str | None = None
    """The site's own number of the post."""
    permalink: str | None = None
    number: int | None = None
    """Its place in the thread, where the page tells it."""
    place: int | None = None
    """The smallest of its numbers that counts up by one from post to post."""
    likes: int | None = None
    accepted: bool = False
    """Of a question's answers, the one that the asker took."""
    depth: int = 0
    """Posts that it is nested in."""
    start: int = 0
    stop: int = 0
    free: int = 0
    """Characters of its text that are not in links."""


@dataclass(slots=True)
class PostPage:
    posts: list[Post]
    regions: list[Region]
    template: Template
    page: Page
    text_share: float
    """Of the free text of the page, what the posts hold."""


def read_posts(document: Document, template: Template | None = None, now: datetime | None = None) -> PostPage | None:
    """The posts of a page; None when there are none to be seen."""
    found = find_posts(Page(PageTree(document), now or datetime.now(UTC)), template)
    return None if found is None else found.read()


@dataclass(slots=True)
class Located:
    """Where the posts of a page stand, before they are read."""

    page: Page
    regions: list[Region]
    template: Template

    def read(self) -> PostPage:
        return _made(self.page, self.regions, self.template)

    def beside(self, known: Container[int]) -> tuple[int, int]:
        """Characters of prose that no post holds: before the first post, and behind that.

        Lines that other pages have too do not count; `known` are their digests.
        """
        texts, begins, free = self.page.texts, self.page.tree.block_begins, self.page.free
        first = self.regions[0].start
        before = behind = 0
        for i, text in enumerate(texts):
            if free[i] >= PROSE and hash(text) not in known and not any(r.covers(begins[i]) for r in self.regions):
                before += free[i] if begins[i] < first else 0
                behind += free[i] if begins[i] >= first else 0
        return before, behind

    def inside(self) -> int:
        return sum(self.page.free_between(region) for region in self.regions)


PROSE = 80
"""Characters of a line that somebody wrote; labels and notices are shorter."""


def find_posts(page: Page, template: Template | None = None) -> Located | None:
    if template is not None and (regions := _by_template(page, template)):
        return Located(page, regions, template)
    best = _best(page)
    if best is None:
        return None
    regions = best.regions if best.template.around else _with_variants(page, best.regions, best.template)
    return Located(page, with_lead(page, regions, best.template), best.template)


def _best(page: Page) -> _Candidate | None:
    candidates = [
        candidate for group in find_groups(page)[:_TRIED] if (candidate := _candidate(page, group)) is not None
    ]
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    if best is not None:
        for candidate in candidates:
            fuller = candidate.quality > best.quality + _FULLER and candidate.score >= _NEARLY * best.score
            if fuller and holds_all(candidate.group, best.group):
                best = candidate
    if best is None or best.quality < _GOOD:
        around = [one for step, mass in body_steps(page) if (one := _around(page, step, mass)) is not None]
        better = max(around, key=lambda candidate: candidate.score, default=None)
        if better is not None and better.quality >= _GOOD and (best is None or better.score > best.score):
            best = better
    return best


_TRIED = 6
_ENOUGH = 4
"""Records that tell which of their numbers is the post's own."""
_NEARLY = 0.75
_FULLER = 0.05
"""Of groups that hold each other, the outer one is taken where it holds more names and dates."""
_GOOD = 0.9
"""Most records have a date and an author: (0.2 + 1.0) * (0.4 + 1.0) is the most."""


@dataclass(slots=True)
class _Candidate:
    group: Group
    regions: list[Region]
    template: Template
    quality: float
    score: float


def _around(page: Page, step: str, mass: int) -> _Candidate | None:
    """Records made of what stands around their texts."""
    regions = regions_around(page, step)
    if len(regions) < 2:
        return None
    group = Group(step, regions, float(mass), mass)
    return _judged(page, group, regions, Template(step, (step,), around=True))


def _by_template(page: Page, template: Template) -> list[Region]:
    if template.around:
        return regions_around(page, template.record)
    members = [node for node in page.tree.nodes if template.record in keys_of(node)]
    if "." not in template.record:  # told by their place alone: the others there are rows of something else
        members = [node for node in members if page.points_between(node.start, node.stop)]
    regions = [
        region
        for region in regions_of(page, members, headed=_is_headed(members, template))
        if nodes_at(region, template.body)
    ]
    return with_lead(page, _with_variants(page, regions, template) if members else [], template)


def _is_headed(members: list[Node], template: Template) -> bool:
    """Whether the records' elements only head them: their texts stand in what follows."""
    own = {name for node in members for name in (*node.names, f"{node.name}<1>")}
    return template.body[0] not in own


def _candidate(page: Page, group: Group) -> _Candidate | None:
    path = body_path(page, group.regions)
    if path is None:
        return None
    regions = [region for region in group.regions if nodes_at(region, path)]
    if len(regions) < 2:
        return None
    return _judged(page, group, regions, Template(group.key, path))


def _judged(page: Page, group: Group, regions: list[Region], template: Template) -> _Candidate:
    bodies = [_first(nodes_at(region, template.body)) for region in regions]
    dates = date_column(page, regions, bodies)
    author = author_column(page, regions, bodies)
    quality = 0.2
    if dates is not None:
        template.date, template.date_in_attribute = dates.path, dates.in_attribute
        quality += dates.coverage
    if author is not None:
        template.author = author.path
    quality *= 0.4 + (author.coverage if author is not None else 0.0)
    score = quality * group.score * len(regions) / len(group.regions)
    return _Candidate(group, regions, template, quality, score)


def _with_variants(page: Page, regions: list[Region], template: Template) -> list[Region]:
    """Adds records whose outer element differs (the first post, a moderator's) but whose text's element is the same."""
    step = template.body[-1]
    if "." not in step:
        return regions
    taken = {id(node) for region in regions for node in nodes_at(region, template.body)}
    inside = [node for node in page.tree.nodes if node.is_a(step)]
    if sum(any(region.covers(node.start) for region in regions) for node in inside) > 1.5 * len(regions):
        return regions  # the word means other things too
    added: list[Region] = []
    for node in inside:
        if id(node) in taken or any(region.covers(node.start) for region in [*regions, *added]):
            continue
        root = _root_for(node, page, regions)
        if root is not None:
            added.append(Region(root, root.start, root.stop))
    return sorted([*regions, *added], key=lambda region: region.start)


def _root_for(body: Node, page: Page, regions: Sequence[Region]) -> Node | None:
    """The largest element around a text that holds no other record and a date."""
    root = body
    for ancestor in body.ancestors():
        if ancestor.name in ("body", "html", "main") or any(
            ancestor.start <= region.start < ancestor.stop for region in regions
        ):
            break
        root = ancestor
    dated = any(root.start <= point.place < root.stop for point in page.points)
    return root if dated and root is not body else None


def _made(page: Page, regions: list[Region], template: Template) -> PostPage:
    tree = page.tree
    zone = page_zone(tree.document.layout.texts[-60:]) or UTC
    numbers = identities(page, regions, template.id)
    if template.id is None and len(regions) >= _ENOUGH:
        template.id = next((identity.column for identity in numbers if identity.column), None)
    posts = [_post(page, region, template, identity, zone) for region, identity in zip(regions, numbers, strict=True)]
    for index, (post, region) in enumerate(zip(posts, regions, strict=True)):
        post.depth = sum(any(low <= region.start < high for low, high in other.holes) for other in regions[:index])
    regions, posts = _without_strays(regions, posts)
    total = sum(page.free) or 1
    held = sum(page.free_between(region) for region in regions)
    return PostPage(posts, regions, template, page, held / total)


def _without_strays(regions: list[Region], posts: list[Post]) -> tuple[list[Region], list[Post]]:
    """Leaves out what has neither date nor author where nearly all others do: advertisements between the posts."""
    whole = [post.when is not None and post.author is not None for post in posts]
    if sum(whole) < 0.7 * len(posts):
        return regions, posts
    kept = [i for i, post in enumerate(posts) if post.when is not None or post.author is not None]
    return [regions[i] for i in kept], [posts[i] for i in kept]


def _post(page: Page, region: Region, template: Template, identity: Identity, zone: object) -> Post:
    tree = page.tree
    body = _body_of(region, template)
    begins = tree.block_begins
    numbers = [
        i
        for node in ([body] if body is not None else [])
        for i in tree.blocks_between(node.start, node.stop)
        if region.covers(begins[i]) and tree.shown(i)
    ]
    joiner = Joiner(tree.document.base_url, None)
    own, quotes = part_quotes(tree, body, numbers)
    blocks = [tree.document.blocks[i] for i in own]
    every = [tree.document.blocks[i] for i in numbers]
    post = Post(
        text="\n".join(block.text for block in blocks),
        markdown=render_markdown(every, joiner.join),
        quotes=quotes,
        id=identity.id,
        permalink=joiner.join(identity.link) if identity.link else None,
        number=identity.number,
        place=identity.place,
        likes=identity.likes,
        accepted=identity.accepted,
        start=region.start,
        stop=region.stop,
        free=sum(page.free[i] for i in numbers),
    )
    if post.permalink is None and identity.anchor and tree.document.url:
        post.permalink = f"{tree.document.url.partition('#')[0]}#{identity.anchor}"
    _date(page, region, body, template, post, zone)
    _author(page, region, body, template, post, joiner)
    return post


def _body_of(region: Region, template: Template) -> Node | None:
    if region.body is not None:
        return region.body
    found = _first(nodes_at(region, template.body))
    if found is not None:
        return found
    body = template.body[-1]
    inside = [node for node in region.node.walk() if node.is_a(body) and region.covers(node.start)]
    return _first(inside)


def _first(nodes: Sequence[Node]) -> Node | None:
    return max(nodes, key=lambda node: node.stop - node.start, default=None)


def _date(page: Page, region: Region, body: Node | None, template: Template, post: Post, zone: object) -> None:
    points = points_of(page, region, body)
    chosen = None
    if template.date is not None:
        same = [p for p in points if path_in(region, p.node) == template.date]
        tail = [p for p in points if p.node.signature == template.date[-1]]
        for candidates in (same, tail):
            exact = [p for p in candidates if p.attribute == template.date_in_attribute]
            if exact or candidates:
                chosen = (exact or candidates)[0]
                break
    if chosen is None and points:
        chosen = points[0]
    if chosen is None:
        return
    if not chosen.when.precise or chosen.when.relative:
        # Beside "3 hours ago" the exact moment often stands in an attribute of the same element.
        near = [p for p in points if p.when.precise and not p.when.relative and _beside(p.node, chosen.node)]
        chosen = near[0] if near else chosen
    post.when = chosen.when
    post.published = chosen.when.iso(zone)  # type: ignore[arg-type]


def _beside(one: Node, other: Node) -> bool:
    return one is other or one.parent is other or other.parent is one


def _author(page: Page, region: Region, body: Node | None, template: Template, post: Post, joiner: Joiner) -> None:
    if template.author is None:
        return
    names = names_in(page, region, body)
    same = [node for node in names if path_in(region, node) == template.author] or _in_its_place(
        region, template.author, names
    )
    if not same:
        return
    node = same[0]
    post.author = node.text
    link = node if node.name == "a" else next((a for a in node.ancestors() if a.name == "a"), None)
    if link is None:
        link = next((n for n in node.walk() if n.name == "a" and n.attributes.get("href")), None)
    href = link.attributes.get("href") if link is not None else None
    post.author_url = joiner.join(href) if href else None


def _in_its_place(region: Region, path: tuple[str, ...], names: list[Node]) -> list[Node]:
    """The name of a guest, who has no profile, or of the staff, who have another class: what stands in its place."""
    usable = [node for node in names if any(map(str.isalnum, node.text)) and not _is_control(node)]
    named = path[-1].partition(".")[2]
    alike = [node for node in usable if named and named in node.words]
    if alike:
        return alike
    for keep in (len(path) - 1, 2, 1):
        tail = path[-1 - keep : -1]
        found = [node for node in usable if tail and path_in(region, node)[-1 - keep : -1] == tail]
        if found:
            return found
    return []


def _is_control(node: Node) -> bool:
    href = node.attributes.get("href", "")
    return href.startswith(("#", "javascript:")) or (bool(href) and bool(ACTION.fullmatch(node.text)))


def looks_like_posts(found: PostPage) -> bool:
    """Whether the records are posts rather than the rows of a list."""
    posts = found.posts
    dated = sum(post.when is not None for post in posts) / len(posts)
    named = sum(post.author is not None for post in posts) / len(posts)
    written = mean(_written(post) for post in posts)
    if dated < 0.7 or written < _LEAST_WRITTEN:
        return False
    if written >= _MUCH_WRITTEN and not _has_titles(found, away=True):
        return True
    return named >= 0.5 and not _has_titles(found)


_LEAST_WRITTEN = 20
_MUCH_WRITTEN = 150
"""Lists hardly say so much of what they list, but for those of a blog, whose titles lead to other pages."""


def _written(post: Post) -> int:
    """Characters of the post that are not in links, its names and dates left out."""
    return max(0, post.free - len(post.author or ""))


def _has_titles(found: PostPage, *, away: bool = False) -> bool:
    """Whether each record has a link of its own besides the author's, with a text of its own: the title of a row.

    `away`: only headings that lead to another path than the page's own count.
    """
    own = urlsplit(found.page.tree.document.url or "").path
    columns: dict[tuple[str, ...], dict[int, tuple[str, str]]] = defaultdict(dict)
    for number, (post, region) in enumerate(zip(found.posts, found.regions, strict=True)):
        authors = {post.author}
        for node in found.page.tree.nodes_between(region.start, region.stop):
            if node.name != "a" or not region.covers(node.start):
                continue
            text, href = node.text, node.attributes.get("href", "")
            if len(text) < 2 or not any(map(str.isalpha, text)) or text in authors or href.startswith("#"):
                continue
            if any(map(str.isdigit, text)) and len(text) < 40 and found.page.reader.read(text) is not None:
                continue
            if away and (not _is_heading(node) or urlsplit(href).path in ("", own) or _ends_alike(href, own)):
                continue
            columns[path_in(region, node)].setdefault(number, (text, href.partition("#")[0]))
    for values in columns.values():
        texts = {text for text, _ in values.values()}
        links = {link for _, link in values.values()}
        most = max(0.75 * len(found.posts), 2)
        if len(values) >= most and len(texts) >= 0.8 * len(values) and len(links) >= 0.8 * len(values):
            return True
    return False


def _is_heading(node: Node) -> bool:
    return any(above.name in _HEADINGS for above, _ in zip([node, *node.ancestors()], range(4), strict=False)) or any(
        child.name in _HEADINGS for child in node.children
    )


_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})


def _ends_alike(href: str, own: str) -> bool:
    """Whether a relative address may be the page's own: `viewtopic.php?p=12` on `/forum/viewtopic.php`."""
    return bool(own.rpartition("/")[2]) and urlsplit(href).path.rpartition("/")[2] == own.rpartition("/")[2]

"""Whether the records of a page are posts rather than the rows of a list. Knows posts and trees only."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean
from urllib.parse import urlsplit

from nephila.forum.fields import path_in
from nephila.forum.post import Post, PostPage
from nephila.forum.tree import Node


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

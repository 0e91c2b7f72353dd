"""Parts that go together, as the big programs have them: each in the style of one, none of them a copy."""

from __future__ import annotations

from tests.sites.themes import ADDRESSES, LISTS, POSTS
from tests.sites.themes.engine import Theme
from tests.sites.themes.lively_posts import LIVELY
from tests.sites.themes.newer_addresses import NEWER_ADDRESSES
from tests.sites.themes.newer_lists import NEWER_LISTS

_ADDRESSES = {one.name: one for one in (*ADDRESSES, *NEWER_ADDRESSES)}
_LISTS = {one.name: one for one in (*LISTS, *NEWER_LISTS)}
_POSTS = {one.name: one for one in (*POSTS, *LIVELY)}


_REDIRECTING = ("title.number", "number-title", "dashes", "topics and places", "discussions")


def _theme(
    addresses: str, lists: str, posts: str, dates: str, bodies: str, pager: str, crumbs: str = "arrows"
) -> Theme:
    return Theme(
        _ADDRESSES[addresses], _LISTS[lists], _POSTS[posts], dates, bodies, pager, crumbs, threads_a_page=10,
        redirects=addresses in _REDIRECTING,
    )  # fmt: skip


MIMICS = {
    "profiles at the right": _theme("offsets", "definitions", "attached", "weekday", "inside cite", "counted", "list"),
    "the same of old": _theme("offsets", "table", "two rows", "weekday", "boxed", "brackets"),
    "the same with titles": _theme("files", "definitions", "profiles", "weekday", "inside cite", "counted", "list"),
    "windows": _theme("one parameter", "windowed", "moderated", "long", "linked cite", "brackets", "list"),
    "windows of old": _theme("one parameter", "table", "old rows", "long", "cited", "brackets"),
    "windows behind the script": _theme("behind the script", "windowed", "windows", "long", "linked cite", "brackets"),
    "stars": _theme("parameters", "starred", "classic", "american with near days", "dated cite", "ends"),
    "stars with pairs": _theme("pairs", "starred", "classic", "american with near days", "dated cite", "ends"),
    "boxes": _theme("ids", "boxed", "panes", "slashes", "cite above", "brackets", "list"),
    "legacy": _theme("bare query", "table", "legacy", "american with near days", "container", "window"),
    "tables": _theme("parameters", "table", "tables", "american", "boxed", "window"),
    "articles": _theme("title.number", "cards", "articles", "this week", "titled", "window", "list"),
    "suite": _theme("number-title", "cards", "suite", "on and at", "on a day", "window", "list"),
    "microdata": _theme("title/number", "counted", "microdata", "element", "aside", "noscript", "list"),
    "stream": _theme("near", "hashed", "streamed", "ago beside an exact one", "modern", "more", "plain"),
    "timeline": _theme("topics and places", "cards", "timeline", "ago in a title", "modern", "window", "list"),
    "led": _theme("discussions", "cards", "led", "element", "nested quotes", "window", "list"),
    "siblings": _theme("titles only", "bare", "siblings", "on and at", "modern", "window"),
    "commas": _theme("commas", "table", "mails", "on and at", "modern", "numbers", "plain"),
    "dashes": _theme("dashes", "table", "columns", "chinese", "asian", "window"),
    "letters": _theme("letters", "definitions", "two rows", "weekday", "boxed", "numbers"),
    "answers": _theme("questions", "summed", "answers", "ago in a title", "modern", "words", "plain"),
    "tree": _theme("codes", "ranked", "nested", "ago in a title", "modern", "more", "plain"),
}
"""Name -> theme."""

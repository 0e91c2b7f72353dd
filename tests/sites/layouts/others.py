"""Sites that are no forums but have something of one: comments, reviews, dates, lists, many authors."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import ceil

_WORDS = [
    "harbour",
    "budget",
    "museum",
    "engine",
    "orchard",
    "railway",
    "bridge",
    "market",
    "garden",
    "island",
    "kettle",
    "lantern",
    "violin",
    "window",
]
_NAMES = ["Anna", "Bert", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hanna", "Igor", "Jun"]
PAGES = 60


class Site:
    """Pages by path; every page can be reached from the first."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def title(self) -> str:
        return " ".join(self.random.sample(_WORDS, 4)).capitalize()

    def sentence(self) -> str:
        return f"The {' '.join(self.random.choices(_WORDS, k=self.random.randint(6, 16)))} was seen again."

    def paragraph(self, least: int = 3) -> str:
        return " ".join(self.sentence() for _ in range(self.random.randint(least, least + 3)))

    def prose(self, paragraphs: int) -> str:
        return "".join(f"<p>{self.paragraph()}</p>" for _ in range(paragraphs))

    def date(self) -> str:
        day, hour = self.random.randint(1, 28), self.random.randint(10, 22)
        return f"2024-0{self.random.randint(1, 9)}-{day:02d} {hour}:{self.random.randint(10, 59)}"

    def comments(self, name: str, most: int) -> str:
        return "".join(
            f'<div class="{name}" id="{name}-{self.random.randrange(10**6)}"><a class="author" '
            f'href="/people/{self.random.choice(_NAMES)}">{self.random.choice(_NAMES)}</a> '
            f'<span class="when">{self.date()}</span><div class="text">{self.paragraph(1)}</div></div>'
            for _ in range(self.random.randint(0, most))
        )


def _frame(title: str, body: str, more: str = "") -> str:
    people = "".join(f'<a href="/people/{name}">{name}</a>' for name in _NAMES)
    return (
        f"<html><head><title>{title} - The Site</title></head><body><nav><a href='/'>Home</a> <a href='/about'>About</a>"
        f" {more}</nav><main>{body}</main><footer>{people} All rights of the whole site are reserved by its owners, who"
        f" are not responsible for what others write here.</footer></body></html>"
    )


def _with_lists(
    items: list[tuple[str, str]], row: Callable[[str, str], str], pages: dict[str, str], size: int = 10
) -> None:
    """Lists the items on pages of their own, the first of which is the front page."""
    count = ceil(len(items) / size)
    for number in range(count):
        rows = "".join(row(path, title) for path, title in items[number * size : (number + 1) * size])
        pager = "".join(f'<a href="/?page={n + 1}">{n + 1}</a> ' for n in range(count) if n != number)
        pages["/" if number == 0 else f"/?page={number + 1}"] = _frame("Newest", f"<h1>Newest</h1>{rows}<p>{pager}</p>")
    pages["/about"] = _frame("About", f"<h1>About</h1><p>{'We are a site like any other. ' * 10}</p>")
    for name in _NAMES:
        pages[f"/people/{name}"] = _frame(name, f"<h1>{name}</h1><p>Joined on 2020-01-0{len(name)}.</p>")


def news(seed: int = 1) -> Site:
    """Articles with up to a dozen comments."""
    writer = _Writer(seed)
    items = [(f"/2024/0{n % 9 + 1}/story-{n}.html", writer.title()) for n in range(PAGES)]
    pages: dict[str, str] = {}
    for path, title in items:
        byline = f'<div class="byline">By {writer.random.choice(_NAMES)}, <time>{writer.date()}</time></div>'
        comments = f'<section class="comments"><h3>Comments</h3>{writer.comments("comment", 12)}</section>'
        pages[path] = _frame(title, f"<article><h1>{title}</h1>{byline}{writer.prose(7)}</article>{comments}")

    def row(path: str, title: str) -> str:
        return (
            f'<div class="teaser"><h2><a href="{path}">{title}</a></h2><span>{writer.date()}</span>'
            f"<span>{writer.random.randint(0, 40)} comments</span><p>{writer.sentence()}</p></div>"
        )

    _with_lists(items, row, pages)
    return Site(pages)


def shop(seed: int = 2) -> Site:
    """Things with a price, a short description and reviews by many people."""
    writer = _Writer(seed)
    items = [(f"/item/{300 + n}", writer.title()) for n in range(PAGES)]
    pages: dict[str, str] = {}
    for path, title in items:
        facts = "".join(f"<tr><th>{word}</th><td>{writer.random.randint(1, 90)} cm</td></tr>" for word in _WORDS[:5])
        buy = f'<div class="price">{writer.random.randint(5, 90)}.99 €</div><button>Buy</button><table>{facts}</table>'
        about = f'<div class="description"><p>{writer.paragraph()}</p></div>'
        reviews = f'<div id="reviews">{writer.comments("review", 14)}</div>'
        pages[path] = _frame(title, f"<h1>{title}</h1>{buy}{about}{reviews}")

    def row(path: str, title: str) -> str:
        price = f"<span>{writer.random.randint(5, 90)}.99 €</span><span>{writer.random.randint(0, 40)} reviews</span>"
        return f'<div class="card"><a href="{path}">{title}</a>{price}</div>'

    _with_lists(items, row, pages)
    return Site(pages)


def blog(seed: int = 3) -> Site:
    """Whole posts, one below the other, by several authors, on the front page as on pages of their own."""
    writer = _Writer(seed)
    items = [(f"/{writer.title().lower().replace(' ', '-')}-{n}", writer.title()) for n in range(PAGES)]
    texts = {path: writer.prose(4) for path, _ in items}
    who = {path: (writer.random.choice(_NAMES), writer.date()) for path, _ in items}
    pages: dict[str, str] = {}

    def entry(path: str, title: str) -> str:
        name, date = who[path]
        return (
            f'<div class="post"><h2><a href="{path}">{title}</a></h2><div class="meta"><a class="author" '
            f'href="/people/{name}">{name}</a> on <time>{date}</time></div><div class="entry">{texts[path]}</div></div>'
        )

    for path, title in items:
        pages[path] = _frame(title, f"{entry(path, title)}<div class='comments'>{writer.comments('comment', 5)}</div>")
    _with_lists(items, entry, pages, 5)
    return Site(pages)


def docs(seed: int = 4) -> Site:
    """A manual with a changelog of dates."""
    writer = _Writer(seed)
    items = [(f"/manual/{_WORDS[n % 7]}/chapter-{n}.html", f"{n}. {writer.title()}") for n in range(PAGES)]
    pages: dict[str, str] = {}
    for path, title in items:
        changes = "".join(f"<li>{writer.date()} {writer.sentence()}</li>" for _ in range(4))
        pages[path] = _frame(title, f"<h1>{title}</h1>{writer.prose(9)}<h2>Changes</h2><ul>{changes}</ul>")

    def row(path: str, title: str) -> str:
        return f'<li><a href="{path}">{title}</a> <span>updated {writer.date()}</span></li>'

    _with_lists(items, row, pages, 15)
    return Site(pages)


def directory(seed: int = 5) -> Site:
    """Links to elsewhere with who sent them in and when, in categories; a page of details for each."""
    writer = _Writer(seed)
    items = [(f"/link/{40 + n}", writer.title()) for n in range(PAGES)]
    pages: dict[str, str] = {}
    for path, title in items:
        sent = f'<a href="/people/{writer.random.choice(_NAMES)}">sent in</a> <span>{writer.date()}</span>'
        away = f'<a href="https://elsewhere.invalid/{path[6:]}">Visit</a>'
        pages[path] = _frame(title, f"<h1>{title}</h1><p>{writer.sentence()}</p>{sent} {away}")

    def row(path: str, title: str) -> str:
        return (
            f'<tr><td><a href="{path}">{title}</a></td><td><a href="/people/{writer.random.choice(_NAMES)}">by</a></td>'
            f"<td>{writer.date()}</td><td>{writer.random.randint(0, 300)}</td></tr>"
        )

    _with_lists(items, row, pages, 20)
    return Site(pages)


OTHERS: dict[str, Callable[[], Site]] = {"news": news, "shop": shop, "blog": blog, "docs": docs, "directory": directory}

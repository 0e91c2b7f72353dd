# ruff: noqa: E501 -- lines of markup are easier to read whole
"""The parts that pages of every template are made of: head, menus, cards, comments, tables, footer. Knows no template.

Written as web frameworks write them: wrappers within wrappers, long class lists, inline icons, data attributes. A block
takes its hrefs from the page's own supply, so that the number of links on a page is exact whatever blocks it has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.crawl.text import Writer

ICON = (
    '<svg class="icon" width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">'
    '<path d="M12 2l3 7h7l-5.5 4.6L18.4 21 12 16.9 5.6 21l1.9-7.4L2 9h7z"></path></svg>'
)
CDN = "https://cdn.example.invalid"


@dataclass(slots=True)
class Dress:
    """What all pages of one site share: names of classes, style sheet, scripts, menu words."""

    site: str
    language: str
    prefix: str
    css: str
    script: str
    menu: list[str]


@dataclass(slots=True)
class Sheet:
    """One page under way."""

    dress: Dress
    writer: Writer
    random: Random
    title: str
    author: str
    date: str
    number: int
    hrefs: Iterator[str]

    def cls(self, name: str) -> str:
        return f"{self.dress.prefix}-{name}"

    def anchor(self, text: str, name: str = "link") -> str:
        """The next href of the page as a link."""
        return f'<a class="{self.dress.prefix}-{name}" href="{next(self.hrefs)}">{text}</a>'


def make_dress(site: str, language: str, prefix: str, writer: Writer, random: Random) -> Dress:
    names = ("card", "title", "meta", "lead", "body", "nav", "item", "aside", "teaser", "figure", "comment", "grid")
    rules = [
        f".{prefix}-{random.choice(names)}__{random.choice(names)}--{number}{{margin:0 {random.randint(0, 32)}px "
        f"{random.randint(0, 48)}px;padding:{random.randint(0, 24)}px;color:#{random.randrange(1 << 24):06x};"
        f"font:{random.choice((400, 500, 700))} {random.randint(12, 32)}px/1.{random.randint(2, 6)} sans-serif}}"
        for number in range(95)
    ]
    calls = [
        f"w.q=w.q||[];w.q.push(['event{number}',{{id:{random.randrange(10**9)},v:'{random.randrange(1 << 40):x}'}}]);"
        f"d.addEventListener('scroll',function(e){{if(e.y<{number}&&w.q.length>1){{w.t{number}=e.timeStamp}}}});"
        for number in range(55)
    ]
    script = "(function(w,d){'use strict';" + "".join(calls) + "})(window,document);"
    return Dress(site, language, prefix, "\n".join(rules), script, [writer.label(random) for _ in range(24)])


def head(sheet: Sheet) -> str:
    dress, title = sheet.dress, sheet.title
    summary = sheet.writer.sentence(sheet.random)
    linked = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": title,
        "datePublished": sheet.date,
        "author": {"@type": "Person", "name": sheet.author},
        "publisher": {"@type": "Organization", "name": dress.site},
        "description": summary,
    }
    sizes = "".join(
        f'<link rel="icon" sizes="{size}x{size}" href="{CDN}/icon-{size}.png">' for size in (16, 32, 96, 180, 192, 512)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{dress.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<title>{title} | {dress.site}</title>\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="description" content="{summary}">\n<meta name="author" content="{sheet.author}">\n'
        f'<meta property="og:title" content="{title}">\n<meta property="og:site_name" content="{dress.site}">\n'
        f'<meta property="og:type" content="article">\n<meta property="og:image" content="{CDN}/{sheet.number}.jpg">\n'
        f'<meta property="article:published_time" content="{sheet.date}T08:30:00Z">\n'
        f'<meta name="twitter:card" content="summary_large_image">\n{sizes}\n'
        f'<link rel="stylesheet" href="{CDN}/site.css">\n<style>{dress.css}</style>\n'
        f'<script type="application/ld+json">{json.dumps(linked, ensure_ascii=False)}</script>\n'
        f'<script async src="{CDN}/analytics.js"></script>\n<script>{dress.script}</script>\n</head>\n'
    )


def menu(sheet: Sheet, count: int) -> str:
    c, words = sheet.cls, sheet.dress.menu
    items = "\n".join(
        f'<li class="{c("nav__item")} {c("nav__item--level1")}" role="none">{sheet.anchor(f"<span>{words[i % 24]}</span>")}'
        f"{ICON if i % 4 == 0 else ''}</li>"
        for i in range(count)
    )
    return (
        f'<header class="{c("header")} {c("header--sticky")}"><div class="{c("header__inner")}"><div class="{c("logo")}">'
        f'{ICON}<span>{sheet.dress.site}</span></div><button type="button" class="{c("burger")}" aria-label="Menu"><i></i>'
        f'<i></i><i></i></button><nav class="{c("nav")}" role="navigation"><ul class="{c("nav__list")}">\n{items}\n</ul></nav>'
        f'<form class="{c("search")}" role="search"><label for="q">{words[0]}</label><input id="q" name="q" type="search">'
        f"<button>{ICON}</button></form></div></header>\n"
    )


def breadcrumbs(sheet: Sheet) -> str:
    steps = "".join(f"<li>{sheet.anchor(word)}<span>/</span></li>" for word in sheet.dress.menu[:3])
    return f'<ol class="{sheet.cls("crumbs")}">{steps}<li>{sheet.title}</li></ol>\n'


def prose(sheet: Sheet, paragraphs: int, links: int) -> str:
    """Paragraphs, some with a link, a heading every fifth, emphasis here and there."""
    writer, random, parts = sheet.writer, sheet.random, []
    every = max(1, paragraphs // max(1, links))
    for number in range(paragraphs):
        if number % 5 == 4:
            parts.append(f'<h2 id="s{number}">{writer.title(random)}</h2>')
        text = writer.paragraph(random)
        if number % every == 0 and links:
            links -= 1
            text = f"{text} {sheet.anchor(writer.sentence(random)[:40], 'inline')}, <em>{writer.name(random)}</em>."
        elif number % 3 == 0:
            text = f"<strong>{writer.label(random)}.</strong> {text}"
        parts.append(f"<p>{text}</p>")
    return "\n".join(parts) + "\n"


def figure(sheet: Sheet, number: int) -> str:
    c = sheet.cls
    return (
        f'<figure class="{c("figure")}"><picture><source type="image/webp" srcset="{CDN}/{number}.webp 1x">'
        f'<img loading="lazy" width="960" height="540" src="{CDN}/{number}.jpg" alt="{sheet.writer.label(sheet.random)}">'
        f'</picture><figcaption class="{c("caption")}">{sheet.writer.sentence(sheet.random)}<span>{sheet.writer.name(sheet.random)}'
        "</span></figcaption></figure>\n"
    )


def table(sheet: Sheet, rows: int) -> str:
    writer, random = sheet.writer, sheet.random
    lines = "\n".join(
        f"<tr><th scope=row>{writer.label(random)}</th>"
        + "".join(f'<td class="num">{random.randrange(10**5)}</td>' for _ in range(4))
        + f"<td>{writer.name(random)}</td></tr>"
        for _ in range(rows)
    )
    return f'<div class="{sheet.cls("table")}"><table><tbody>\n{lines}\n</tbody></table></div>\n'


def cards(sheet: Sheet, count: int, name: str = "card") -> str:
    """Teasers of other pages: picture, kicker, title, a sentence, date."""
    c, writer, random = sheet.cls, sheet.writer, sheet.random
    parts = [
        f'<article class="{c(name)} {c(name + "--small")}" data-id="{random.randrange(10**8)}"><div class="{c("media")}">'
        f'<img loading="lazy" src="{CDN}/t/{random.randrange(10**6)}.jpg" alt=""></div><div class="{c("text")}"><span class="'
        f'{c("kicker")}">{writer.label(random)}</span><h3 class="{c("headline")}">{sheet.anchor(writer.title(random))}</h3>'
        f'<p>{writer.sentence(random)}</p><ul class="{c("labels")}"><li>{writer.label(random)}</li><li>{writer.label(random)}'
        f'</li></ul><footer><time datetime="{sheet.date}">{sheet.date}</time><span>{ICON}<b>{random.randrange(300)}</b></span>'
        "<i></i></footer></div></article>"
        for _ in range(count)
    ]
    return f'<section class="{c("grid")}">\n' + "\n".join(parts) + "\n</section>\n"


def comments(sheet: Sheet, count: int, name: str = "comment") -> str:
    """One link each, to the author's page or the thread."""
    c, writer, random = sheet.cls, sheet.writer, sheet.random
    parts = [
        f'<div class="{c(name)}" id="c{sheet.number}-{i}" data-author="{random.randrange(10**6)}"><div class="{c("avatar")}">'
        f'<img src="{CDN}/a/{random.randrange(999)}.png" alt="" width="40" height="40"></div><div class="{c(name + "__main")}">'
        f'<div class="{c("byline")}">{sheet.anchor(writer.name(random), "author")}<span class="{c("badge")}">{random.randint(1, 9)}'
        f'</span><time datetime="{sheet.date}T{i % 24:02d}:15">{sheet.date}</time></div><div class="{c(name + "__body")}"><p>'
        f'{writer.paragraph(random, 1, 3)}</p></div><div class="{c("tools")}"><button type="button">{ICON}<span>'
        f"{random.randrange(50)}</span></button><button type=button>{ICON}</button><ul><li>{random.randrange(9)}</li><li>"
        f"{random.randrange(9)}</li></ul><span><i></i></span></div></div></div>"
        for i in range(count)
    ]
    return f'<section class="{c(name + "s")}">\n' + "\n".join(parts) + "\n</section>\n"


def link_list(sheet: Sheet, count: int, name: str) -> str:
    c, writer, random = sheet.cls, sheet.writer, sheet.random
    items = "\n".join(
        f'<li class="{c(name + "__item")}"><span class="{c("rank")}">{i + 1}</span>'
        f"{sheet.anchor(f'<span>{writer.title(random)}</span>')}</li>"
        for i in range(count)
    )
    return f'<div class="{c(name)}"><h4>{writer.label(random)}</h4><ul>\n{items}\n</ul></div>\n'


def tags(sheet: Sheet, count: int) -> str:
    found = "".join(sheet.anchor(sheet.writer.label(sheet.random), "tag") for _ in range(count))
    return f'<div class="{sheet.cls("tags")}">{found}</div>\n'


def state(sheet: Sheet, entries: int) -> str:
    """The application state that pages made by a front-end framework carry along."""
    random, writer = sheet.random, sheet.writer
    data = [
        {"id": random.randrange(10**9), "slug": f"item-{i}", "title": writer.title(random), "score": random.random()}
        for i in range(entries)
    ]
    text = json.dumps({"props": {"page": sheet.number, "items": data}}, ensure_ascii=False)
    return f'<script id="__STATE__" type="application/json">{text}</script>\n'


def footer(sheet: Sheet) -> str:
    """Takes all links that are left."""
    c, words = sheet.cls, sheet.dress.menu
    items = "".join(
        f'<li><a rel="noopener" href="{href}">{words[i % 24]}</a></li>' for i, href in enumerate(sheet.hrefs)
    )
    return (
        f'<footer class="{c("footer")}"><div class="{c("footer__inner")}"><ul>{items}</ul><p class="{c("legal")}">© 2025 '
        f'{sheet.dress.site}. {words[3]}, {words[4]}.</p></div></footer>\n<script src="{CDN}/app.js" defer></script>\n'
        "</body>\n</html>\n"
    )

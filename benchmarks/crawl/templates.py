"""Five kinds of page: front page, news article, shop item, forum thread, manual page. Each is an order of blocks.

About 100 KB, 1,500 to 2,500 elements and `LINKS` links each, as the pages of large sites have.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.crawl import blocks
from benchmarks.crawl.blocks import Sheet

LINKS = 150


def front(sheet: Sheet) -> str:
    c = sheet.cls
    return (
        blocks.head(sheet)
        + f'<body class="{c("page")} {c("page--front")}">\n'
        + blocks.menu(sheet, 24)
        + f'<main class="{c("main")}"><h1>{sheet.dress.site}</h1>\n'
        + blocks.cards(sheet, 70)
        + f'</main><aside class="{c("aside")}">\n'
        + blocks.link_list(sheet, 36, "latest")
        + blocks.tags(sheet, 8)
        + "</aside>\n"
        + blocks.state(sheet, 90)
        + blocks.footer(sheet)
    )


def news(sheet: Sheet) -> str:
    c = sheet.cls
    return (
        blocks.head(sheet)
        + f'<body class="{c("page")} {c("page--article")}">\n'
        + blocks.menu(sheet, 24)
        + f'<div class="{c("wrap")}"><main class="{c("main")}">'
        + blocks.breadcrumbs(sheet)
        + f'<article class="{c("article")}"><h1 class="{c("title")}">{sheet.title}</h1><div class="{c("byline")}">'
        f'<span itemprop="author">{sheet.author}</span><time datetime="{sheet.date}">{sheet.date}</time></div>'
        f'<p class="{c("lead")}">{sheet.writer.paragraph(sheet.random)}</p>\n'
        + blocks.figure(sheet, sheet.number)
        + f'<div class="{c("body")}" itemprop="articleBody">\n'
        + blocks.prose(sheet, 20, 6)
        + blocks.figure(sheet, sheet.number + 1)
        + blocks.table(sheet, 22)
        + "</div></article>\n"
        + blocks.tags(sheet, 10)
        + blocks.cards(sheet, 24, "related")
        + blocks.comments(sheet, 26)
        + f'</main><aside class="{c("aside")}">\n'
        + blocks.link_list(sheet, 16, "popular")
        + blocks.link_list(sheet, 14, "latest")
        + "</aside></div>\n"
        + blocks.state(sheet, 45)
        + blocks.footer(sheet)
    )


def shop(sheet: Sheet) -> str:
    c, random = sheet.cls, sheet.random
    return (
        blocks.head(sheet)
        + f'<body class="{c("page")} {c("page--item")}">\n'
        + blocks.menu(sheet, 24)
        + f'<div class="{c("wrap")}"><main class="{c("main")}">'
        + blocks.breadcrumbs(sheet)
        + f'<div class="{c("item")}"><h1>{sheet.title}</h1><div class="{c("gallery")}">'
        + "".join(blocks.figure(sheet, sheet.number + i) for i in range(4))
        + f'</div><div class="{c("buy")}"><span class="{c("price")}">{random.randint(5, 900)}.{random.randint(10, 99)} '
        f"€</span><button>{blocks.ICON}<span>{sheet.dress.menu[5]}</span></button></div>\n"
        + f'<div class="{c("description")}">'
        + blocks.prose(sheet, 10, 2)
        + "</div>"
        + blocks.table(sheet, 22)
        + "</div>\n"
        + blocks.cards(sheet, 40, "offer")
        + blocks.comments(sheet, 22, "review")
        + f'</main><aside class="{c("aside")}">\n'
        + blocks.link_list(sheet, 30, "similar")
        + blocks.tags(sheet, 12)
        + "</aside></div>\n"
        + blocks.state(sheet, 40)
        + blocks.footer(sheet)
    )


def thread(sheet: Sheet) -> str:
    c = sheet.cls
    return (
        blocks.head(sheet)
        + f'<body class="{c("page")} {c("page--thread")}">\n'
        + blocks.menu(sheet, 24)
        + f'<main class="{c("main")}">'
        + blocks.breadcrumbs(sheet)
        + f'<h1 class="{c("title")}">{sheet.title}</h1>\n'
        + blocks.comments(sheet, 60, "post")
        + blocks.link_list(sheet, 24, "threads")
        + f'</main><aside class="{c("aside")}">\n'
        + blocks.link_list(sheet, 12, "boards")
        + blocks.table(sheet, 14)
        + "</aside>\n"
        + blocks.state(sheet, 30)
        + blocks.footer(sheet)
    )


def manual(sheet: Sheet) -> str:
    c = sheet.cls
    code = "\n".join(f"<span class=k>set</span> <span class=n>option_{i}</span> = <b>{i * 7}</b>" for i in range(240))
    return (
        blocks.head(sheet)
        + f'<body class="{c("page")} {c("page--manual")}">\n'
        + blocks.menu(sheet, 24)
        + f'<div class="{c("columns")}"><nav class="{c("tree")}">'
        + blocks.link_list(sheet, 54, "chapters")
        + f'</nav><main class="{c("main")}"><h1>{sheet.title}</h1>\n'
        + blocks.prose(sheet, 34, 10)
        + f'<pre class="{c("code")}"><code>{code}</code></pre>\n'
        + blocks.table(sheet, 40)
        + blocks.link_list(sheet, 22, "seealso")
        + "</main></div>\n"
        + blocks.state(sheet, 60)
        + blocks.footer(sheet)
    )


TEMPLATES: dict[str, Callable[[Sheet], str]] = {"news": news, "shop": shop, "thread": thread, "manual": manual}

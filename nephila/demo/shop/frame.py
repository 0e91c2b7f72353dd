"""What stands around every page of the shop."""

from __future__ import annotations

from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, link


def whole_page(title: str, main: str, *, head: str = "") -> str:
    shop = words_of("shop")
    categories = " ".join(link(f"/c/{category['slug']}/", category["name"]) for category in shop["category"])
    services = " · ".join(link(f"/info/{slug}", text[0]) for slug, text in shop["pages"].items())
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} | {escape(shop["name"])}</title><link rel="stylesheet" href="/static/shop.css">
{head}</head>
<body>
<header class="top"><div class="inner"><a class="logo" href="/">{escape(shop["name"])}</a><nav>{categories}</nav>
<a class="basket" href="/cart" rel="nofollow">Basket</a></div></header>
<div class="inner" id="page">
{main}
</div>
<footer class="bottom"><div class="inner"><p>{services}</p>
<p>© 2025 {escape(shop["name"])}, an invented shop. Prices include tax. {escape(shop["motto"])}.</p></div></footer>
</body></html>
"""

"""Pages of an invented record shop, in two designs, with what they say."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

ARTISTS = ("Ada Field", "The Low Tides", "Marit Sand", "Owen Crake", "Blue Harbour", "Nils Ekdal", "Ruth Amsel", "Kite")
NOUNS = ("Harvest", "Lanterns", "Rivers", "Glass", "Winter", "Orchard", "Static", "Meridian", "Coast", "Velvet")
LABELS = ("Northern Wax", "Papercut", "Slow Hours", "Tin Roof Records")


@dataclass(frozen=True)
class Album:
    name: str
    artist: str
    price: str
    label: str
    released: str
    sku: str
    genres: tuple[str, ...]


def albums(count: int, seed: int = 1) -> list[Album]:
    rng = random.Random(seed)
    return [
        Album(
            name=f"{rng.choice(NOUNS)} and {rng.choice(NOUNS)} {number}",
            artist=rng.choice(ARTISTS),
            price=f"{rng.randint(8, 40)}.{rng.randint(10, 99)}",
            label=rng.choice(LABELS),
            released=f"{rng.randint(1, 28)} {rng.choice(('March', 'June', 'October'))} {rng.randint(1990, 2023)}",
            sku=f"LP-{rng.randint(1000, 9999)}",
            genres=tuple(rng.sample(("Folk", "Jazz", "Ambient", "Rock"), rng.randint(1, 3))),
        )
        for number in range(count)
    ]


def page(album: Album, *, promotion: bool = False, json_ld: bool = False) -> str:
    genres = ", ".join(f'<a href="/g/{genre}">{genre}</a>' for genre in album.genres)
    extra = '<div class="promo"><p>Two for one this week</p></div>' if promotion else ""
    facts = {
        "@type": "Product",
        "name": album.name,
        "sku": album.sku,
        "offers": {"price": album.price, "priceCurrency": "EUR"},
    }
    data = f'<script type="application/ld+json">{json.dumps(facts)}</script>' if json_ld else ""
    return f"""<html><head><title>{album.name} | Groove Barn</title>{data}</head><body>
<div class="top"><a href="/">Groove Barn</a><ul class="menu"><li>New</li><li>Used</li><li>Labels</li></ul></div>
{extra}<div id="main" class="product"><h1 class="product-title">{album.name}</h1>
<p class="artist">by <a href="/a">{album.artist}</a></p>
<div class="buy"><span class="price">€{album.price}</span><button>Add to basket</button></div>
<table class="facts"><tr><th>Label</th><td>{album.label}</td></tr><tr><th>Released</th><td>{album.released}</td></tr>
<tr><th>SKU</th><td>{album.sku}</td></tr><tr><th>Genre</th><td>{genres}</td></tr></table></div>
<div class="footer"><p>All prices include tax.</p></div></body></html>"""


def redesigned(album: Album) -> str:
    genres = ", ".join(f"<em>{genre}</em>" for genre in album.genres)
    return f"""<html><head><title>{album.name} - Groove Barn</title></head><body class="v2">
<header><nav><a href="/">Home</a> <a href="/new">New</a></nav></header><div class="banner">Free postage in May</div>
<main><section class="hero"><div class="wrap"><h1>{album.name}</h1><h2>{album.artist}</h2></div>
<div class="cta"><strong class="amount">€{album.price}</strong></div></section>
<dl class="spec"><dt>Label</dt><dd>{album.label}</dd><dt>Release date</dt><dd>{album.released}</dd>
<dt>SKU</dt><dd>{album.sku}</dd><dt>Genre</dt><dd>{genres}</dd></dl></main>
<footer><p>All prices include tax.</p></footer></body></html>"""


def listing(items: list[Album], following: str | None = "/new?page=2") -> str:
    cards = "".join(
        f'<div class="card"><a href="/p/{album.sku}"><img src="/i/{album.sku}.jpg"></a>'
        f'<h3><a href="/p/{album.sku}">{album.name}</a></h3><p class="who">{album.artist}, {album.label}</p>'
        f'<span class="price">€{album.price}</span></div>'
        for album in items
    )
    more = f'<a class="pager" href="{following}">Next page</a>' if following else ""
    menu = "".join(f'<li><a href="/g/{number}">Genre {number}</a></li>' for number in range(12))
    return (
        f"<html><head><title>New in</title></head><body><ul>{menu}</ul><h1>New in</h1>"
        f'<div class="grid">{cards}</div>{more}<div class="footer">All prices include tax.</div></body></html>'
    )

"""The shop's product pages: the plain template (before and after the redesign) and the bundle template."""

from __future__ import annotations

from nephila.demo.kit.markup import escape, json_script, link, paragraphs
from nephila.demo.shop.content import Product, catalogue
from nephila.demo.shop.frame import whole_page
from nephila.demo.shop.lists import card


def product_page(product: Product, origin: str, *, redesigned: bool) -> str:
    single = _redesigned if redesigned else _plain
    main = _bundle(product) if product.template == "bundle" else single(product)
    others = [other for other in catalogue().values() if other.category_slug == product.category_slug]
    place = others.index(product)
    near = (others[place + 1 :] + others[:place])[:4]
    liked = "".join(card(other, "also") for other in near)
    main += f'<section class="also"><h2>You may also like</h2><ul class="cards">{liked}</ul></section>'
    head = f'<link rel="canonical" href="{origin}{product.path}">\n'
    if product.structured:
        head += json_script(_structured(product, origin), 'type="application/ld+json"')
    return whole_page(product.name, main, head=head)


def _crumbs(product: Product) -> str:
    return f'<p class="crumbs">{link("/", "Home")} › {link(f"/c/{product.category_slug}/", product.category)}</p>'


def _stars(product: Product) -> str:
    full = round(float(product.rating))
    return f'<span class="stars" aria-hidden="true">{"★" * full}{"☆" * (5 - full)}</span>'


def _buy(product: Product) -> str:
    return (
        f'<form class="buy" action="/cart/add" method="post"><input type="hidden" name="sku" value="{product.sku}">'
        "<button>Add to basket</button></form>"
    )


def _plain(product: Product) -> str:
    rows = "".join(
        f"<tr><th>{escape(label)}</th><td>{escape(value)}</td></tr>" for label, value in product.specs.items()
    )
    return f"""{_crumbs(product)}
<div class="product">
<div class="picture"><img src="/img/{product.sku}.svg" alt="{escape(product.name)}"></div>
<div class="facts">
<h1>{escape(product.name)}</h1>
<p class="maker">by <span class="brand">{escape(product.brand)}</span></p>
<p class="price">€{product.price}</p>
<p class="rating">{_stars(product)} <span class="score">{product.rating}</span> / 5
 (<span class="votes">{product.reviews}</span> reviews)</p>
<p class="stock">{escape(product.availability)}</p>
<p class="sku">Item no. <span>{product.sku}</span></p>
{_buy(product)}
</div>
</div>
<div class="description"><h2>About this product</h2>
{paragraphs(product.description)}
</div>
<h2>Details</h2><table class="specs">{rows}</table>"""


def _redesigned(product: Product) -> str:
    """The same facts in other markup and another order: rules learned before the redesign do not hold."""
    whole, _, cents = product.price.partition(".")
    terms = "".join(f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in product.specs.items())
    return f"""<article class="v2">
<header><h2 class="v2-brand">{escape(product.brand)}</h2><h1 class="v2-title">{escape(product.name)}</h1></header>
<div class="product"><div class="picture"><img src="/img/{product.sku}.svg" alt="{escape(product.name)}"></div>
<div class="facts"><div class="v2-text">
{paragraphs(product.description)}
</div>
<div class="v2-offer"><span class="v2-amount"><span>€{whole}.</span><sup>{cents}</sup></span>
<em>{escape(product.availability)}</em></div>
{_buy(product)}
<ul class="v2-meta"><li>{product.rating} of 5 stars</li><li>{product.reviews} reviews</li><li>{product.sku}</li>
<li>{escape(product.category)}</li></ul></div></div>
<section><h3>Specifications</h3><dl class="v2-specs">{terms}</dl></section>
</article>"""


def _bundle(product: Product) -> str:
    pieces = [catalogue()[sku] for sku in product.components]
    rows = "".join(
        f'<tr><td><img src="/img/{piece.sku}.svg" alt=""></td><td>{link(piece.path, piece.name)}</td>'
        f"<td>{piece.sku}</td><td>€{piece.price}</td></tr>"
        for piece in pieces
    )
    specs = "".join(f"<li><b>{escape(label)}:</b> {escape(value)}</li>" for label, value in product.specs.items())
    return f"""{_crumbs(product)}
<section class="bundle">
<div class="badge">Set of {len(pieces)}</div>
<h1>{escape(product.name)}</h1>
<p class="intro">Put together by <span class="brand">{escape(product.brand)}</span></p>
{paragraphs(product.description)}
<table class="pieces"><caption>In the box</caption>
<tr><th></th><th>Piece</th><th>Item no.</th><th>Alone</th></tr>{rows}</table>
<div class="total">Together <strong class="price">€{product.price}</strong>
<span class="saving">you save €{product.saving}</span></div>
<ul class="short">{specs}</ul>
<p class="rating">{_stars(product)} {product.rating} / 5 from {product.reviews} reviews</p>
<p class="stock">{escape(product.availability)} · Item no. <span class="sku">{product.sku}</span></p>
{_buy(product)}
</section>"""


def _structured(product: Product, origin: str) -> dict[str, object]:
    stock = {"In stock": "InStock", "Out of stock": "OutOfStock", "On order": "BackOrder"}[product.availability]
    return {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product.name,
        "sku": product.sku,
        "brand": {"@type": "Brand", "name": product.brand},
        "image": f"{origin}/img/{product.sku}.svg",
        "description": " ".join(product.description),
        "aggregateRating": {
            "@type": "AggregateRating",
            "ratingValue": product.rating,
            "reviewCount": product.reviews,
        },
        "offers": {
            "@type": "Offer",
            "price": product.price,
            "priceCurrency": product.currency,
            "availability": f"https://schema.org/{stock}",
            "url": origin + product.path,
        },
    }

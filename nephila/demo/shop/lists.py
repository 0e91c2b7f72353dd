"""The shop's list pages: cards, paging, and the sort orders and filters that make endless variants of one list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, link, with_query
from nephila.demo.shop.content import Product, catalogue
from nephila.demo.shop.frame import whole_page

PAGE = 6
SORTS = {"name": "Name", "price-asc": "Price, low first", "price-desc": "Price, high first", "rating": "Best rated"}
CEILINGS = ("25", "50", "100")
VIEWS = ("grid", "rows")


@dataclass(frozen=True)
class Choice:
    """The query of a list page; every combination is an address of its own."""

    sort: str | None = None
    brand: str | None = None
    max: str | None = None
    view: str | None = None
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Choice:
        page = query.get("page", "1")
        return cls(
            sort=query.get("sort") if query.get("sort") in SORTS else None,
            brand=query.get("brand"),
            max=query.get("max") if query.get("max") in CEILINGS else None,
            view=query.get("view") if query.get("view") in VIEWS else None,
            page=min(int(page), 1000) if page.isascii() and page.isdigit() and int(page) else 1,
        )

    def path(self, base: str) -> str:
        query = asdict(self)
        query["page"] = self.page if self.page > 1 else None
        return with_query(base, **query)

    def apply(self, products: list[Product]) -> list[Product]:
        chosen = [product for product in products if self.brand in (None, product.brand)]
        if self.max is not None:
            chosen = [product for product in chosen if float(product.price) <= float(self.max)]
        match self.sort:
            case "price-asc":
                return sorted(chosen, key=lambda product: float(product.price))
            case "price-desc":
                return sorted(chosen, key=lambda product: -float(product.price))
            case "rating":
                return sorted(chosen, key=lambda product: -float(product.rating))
            case "name":
                return sorted(chosen, key=lambda product: product.name)
        return chosen


def card(product: Product, reference: str = "") -> str:
    path = with_query(product.path, ref=reference or None)
    add = link(f"/cart/add?sku={product.sku}", "Add to basket", 'rel="nofollow" class="add"')
    return (
        f'<li class="card"><a href="{escape(path)}"><img src="/img/{product.sku}.svg" alt=""></a>'
        f'<h3>{link(path, product.name)}</h3><p class="brand">{escape(product.brand)}</p>'
        f'<p class="cost">€{product.price}</p>'
        f"{add}</li>"
    )


def front() -> str:
    parts = ['<h1>Plain things, made to be used every day</h1><ul class="cards categories">']
    products = list(catalogue().values())
    for category in words_of("shop")["category"]:
        base = f"/c/{category['slug']}/"
        sample = next(product for product in products if product.category_slug == category["slug"])
        parts.append(
            f'<li class="card"><a href="{base}"><img src="/img/{sample.sku}.svg" alt=""></a>'
            f"<h3>{link(base, category['name'])}</h3></li>"
        )
    fresh = "".join(card(product, "home") for product in products[::11])
    parts.append(f'</ul><h2>New on the shelf</h2><ul class="cards">{fresh}</ul>')
    return whole_page("Welcome", "".join(parts))


def category_page(slug: str, name: str, choice: Choice) -> str | None:
    """One page of a category, or None when it has no such page."""
    base = f"/c/{slug}/"
    products = choice.apply([product for product in catalogue().values() if product.category_slug == slug])
    pages = max(1, -(-len(products) // PAGE))
    if choice.page > pages:
        return None
    shown = products[(choice.page - 1) * PAGE : choice.page * PAGE]
    reference = "" if choice == Choice(page=choice.page) else "filter"
    cards = "".join(card(product, reference) for product in shown) or "<li>Nothing matches.</li>"
    main = (
        f'<h1>{escape(name)}</h1><div class="shelf">{_facets(base, choice)}<div><p class="count">{len(products)} '
        f'products</p><ul class="cards {choice.view or "grid"}">{cards}</ul>{_pager(base, choice, pages)}</div></div>'
    )
    return whole_page(name, main)


def _facets(base: str, choice: Choice) -> str:
    sorts = [link(replace(choice, sort=key, page=1).path(base), text) for key, text in SORTS.items()]
    brands = [link(replace(choice, brand=brand, page=1).path(base), brand) for brand in words_of("shop")["brands"]]
    ceilings = [link(replace(choice, max=top, page=1).path(base), f"up to €{top}") for top in CEILINGS]
    views = [link(replace(choice, view=view).path(base), view) for view in VIEWS]
    groups = {"Sort by": sorts, "Brand": brands, "Price": ceilings, "View": views}
    boxes = "".join(
        f"<h4>{title}</h4><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" for title, items in groups.items()
    )
    return f'<div class="facets">{boxes}</div>'


def _pager(base: str, choice: Choice, pages: int) -> str:
    numbers = [
        f"<b>{number}</b>" if number == choice.page else link(replace(choice, page=number).path(base), str(number))
        for number in range(1, pages + 1)
    ]
    if choice.page < pages:
        numbers.append(link(replace(choice, page=choice.page + 1).path(base), "Next", 'rel="next"'))
    return f'<div class="pager">{" ".join(numbers)}</div>'

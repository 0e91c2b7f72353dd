"""The shop's products: 80 in five categories, 15 of them bundles. Knows nothing of HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from nephila.demo.kit.grow import Grower, words_of

PER_CATEGORY = 16
BUNDLES = 3
"""Of each category's products, how many are sets of other products."""


@dataclass(frozen=True)
class Product:
    """What the product's page says, and so the record that a crawler should make of it."""

    sku: str
    template: str
    """`plain` or `bundle`."""
    category: str
    """The category's name as the page shows it."""
    category_slug: str
    name: str
    brand: str
    price: str
    """With two decimals and a point, such as `24.90`."""
    currency: str
    rating: str
    """Of five, with one decimal."""
    reviews: int
    availability: str
    specs: dict[str, str]
    description: tuple[str, ...]
    components: tuple[str, ...]
    """The SKUs of a bundle's pieces."""
    saving: str | None
    structured: bool
    """Whether the page carries JSON-LD."""
    shape: str

    @property
    def path(self) -> str:
        slug = "-".join(re.findall(r"[a-z0-9]+", self.name.lower()))
        return f"/p/{self.sku}-{slug}"


@cache
def catalogue() -> dict[str, Product]:
    """Every product by its SKU."""
    products: dict[str, Product] = {}
    for rank, category in enumerate(words_of("shop")["category"]):
        singles = [_single(category, 1000 + rank * 100 + number) for number in range(PER_CATEGORY - BUNDLES)]
        bundles = [_bundle(category, 1080 + rank * 100 + number, singles) for number in range(BUNDLES)]
        products.update({product.sku: product for product in singles + bundles})
    return products


@cache
def by_path() -> dict[str, Product]:
    return {product.path: product for product in catalogue().values()}


def _single(category: dict[str, Any], number: int) -> Product:
    shop = words_of("shop")
    grower = Grower(shop["words"], f"shop {number}")
    rng = grower.random
    adjectives, nouns = category["adjectives"], category["nouns"]
    cents = rng.randint(category["price"][0] * 10, category["price"][1] * 10) * 10
    return Product(
        sku=f"KQ-{number}",
        template="plain",
        category=category["name"],
        category_slug=category["slug"],
        # Thirteen different names: the pairs of a list of eight and a list of four do not repeat so soon.
        name=f"{adjectives[number % len(adjectives)]} {nouns[(number // 3) % len(nouns)]} No. {number % 100 + 3}",
        brand=rng.choice(shop["brands"]),
        price=f"{cents // 100}.{cents % 100:02d}",
        currency=shop["currency"],
        rating=f"{rng.randint(31, 50) / 10:.1f}",
        reviews=rng.randint(2, 240),
        availability=rng.choice(["In stock", "In stock", "In stock", "Out of stock", "On order"]),
        specs={label: grower.sentence(pattern) for label, pattern in category["specs"]},
        description=tuple(_paragraphs(grower.sentences(category["lines"], rng.randint(3, 5)))),
        components=(),
        saving=None,
        structured=number % 2 == 0,
        shape=category["shape"],
    )


def _bundle(category: dict[str, Any], number: int, singles: list[Product]) -> Product:
    shop = words_of("shop")
    grower = Grower(shop["words"], f"shop {number}")
    rng = grower.random
    pieces = rng.sample(singles, rng.randint(2, 4))
    full = sum(round(float(piece.price) * 100) for piece in pieces)
    cents = full * rng.randint(80, 92) // 1000 * 10
    lines = grower.sentences(shop["words"]["bundle_line"], 2) + grower.sentences(category["lines"], 2)
    return Product(
        sku=f"KQ-{number}",
        template="bundle",
        category=category["name"],
        category_slug=category["slug"],
        name=f"{category['name'].split(' ')[0]} {rng.choice(shop['words']['bundle_word'])} No. {number % 100}",
        brand=rng.choice(shop["brands"]),
        price=f"{cents // 100}.{cents % 100:02d}",
        currency=shop["currency"],
        rating=f"{rng.randint(31, 50) / 10:.1f}",
        reviews=rng.randint(2, 90),
        availability="In stock",
        specs={"Pieces": str(len(pieces)), "Box": grower.sentence("{wood}"), "Weight": grower.sentence("{n:2-9} kg")},
        description=tuple(_paragraphs(lines)),
        components=tuple(piece.sku for piece in pieces),
        saving=f"{(full - cents) // 100}.{(full - cents) % 100:02d}",
        structured=number % 2 == 0,
        shape=category["shape"],
    )


def _paragraphs(sentences: list[str]) -> list[str]:
    return [" ".join(sentences[:2]), *([" ".join(sentences[2:])] if sentences[2:] else [])]

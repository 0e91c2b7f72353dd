"""Kettle & Quay: a shop with two product templates, filters without end, and JSON-LD on every other product."""

from nephila.demo.kit.site import AppSite
from nephila.demo.shop.app import build
from nephila.demo.shop.content import Product, by_path

__all__ = ["SITE", "Product", "gold"]

SITE = AppSite("shop", build)


def gold(base: str = "") -> dict[str, Product]:
    """Every product by its address below `base`, the site's root."""
    root = base.rstrip("/")
    return {root + path: product for path, product in by_path().items()}

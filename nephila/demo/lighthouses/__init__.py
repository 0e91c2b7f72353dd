"""Nocturne: a catalogue of lighthouses that only JavaScript draws, with a few plain pages to compare."""

from nephila.demo.kit.site import AppSite
from nephila.demo.lighthouses.app import build
from nephila.demo.lighthouses.content import Leaf, leaves

__all__ = ["SITE", "Leaf", "gold"]

SITE = AppSite("lighthouses", build)


def gold(base: str = "") -> dict[str, Leaf]:
    """Every page by its address below `base`, the site's root."""
    root = base.rstrip("/")
    return {root + path: leaf for path, leaf in leaves().items()}

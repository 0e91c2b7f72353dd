"""Draws docs/images/overlay-*.png: pages of the sample sites with their blocks, as `nephila extract --overlay` does.

    python docs/images/make_overlays.py

The pages are taken from the sites' own front pages, so they need no address here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

from nephila.demo import serve

PLACE = Path(__file__).parent


def linked(page: str, pattern: str) -> str:
    """The first link of a page that looks like this."""
    with urllib.request.urlopen(page, timeout=30) as answer:  # noqa: S310
        found = re.search(rf'href="({pattern})"', answer.read().decode())
    assert found, f"{page} has no such link"  # noqa: S101
    return urljoin(page, found[1])


def linked_leaf(site: str) -> str:
    """The first page that the catalogue's own data names."""
    with urllib.request.urlopen(urljoin(site, "/api/leaf?path=/"), timeout=30) as answer:  # noqa: S310
        leaf = json.load(answer)
    return urljoin(site, str(leaf["links"][0]["path"]))


def main() -> None:
    with serve("news", "shop", "lighthouses") as served:
        news, shop, lights = served["news"], served["shop"], served["lighthouses"]
        pages = {
            "news": linked(urljoin(news, "/en/harbour/"), r"/en/[^\"]*2025[^\"]*"),
            "arabic": linked(urljoin(news, "/ar/"), r"/ar/[^\"]*2025[^\"]*"),
            "shop": linked(shop, r"/p/[^\"]*"),
            # Drawn by its own JavaScript alone.
            "lighthouse": linked_leaf(lights),
        }
        for name, url in pages.items():
            picture = PLACE / f"overlay-{name}.png"
            command = [sys.executable, "-m", "nephila", "extract", url, "--allow-private", "--overlay", str(picture)]
            subprocess.run([*command, "--format", "text"], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
            print(picture.name, url)


if __name__ == "__main__":
    main()

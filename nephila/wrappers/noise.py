"""What is on a page but is none of it: advertisements, banners, what is hidden. Knows outlines and filter lists.

Filter lists in AdBlock's language (EasyList and the like) are applied by Brave's engine, the extra `rules`: network
rules to the addresses of images and frames, cosmetic rules to the classes and ids that the page has (asking for those
only takes 5 ms a page; all generic selectors would take 30 to 190). Without a list, a few names that advertisements go
by. Lists are the user's: none is shipped but those names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nephila.filter_lists import engine_of
from nephila.wrappers.outline import Outline
from nephila.wrappers.tags import Tag

_NAMES = re.compile(
    r"(?:^|[ _-])(?:ads?|adsense|advert|advertisement|adbox|adslot|adunit|ad-?(?:container|wrapper|banner|block|label)|"
    r"sponsored|sponsor|doubleclick|taboola|outbrain|dfp|cookie-?(?:banner|consent|notice|bar)|consent-?(?:banner|manager)|"
    r"newsletter-?(?:popup|modal|signup)|gdpr|paywall-?overlay)(?:$|[ _-])",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SIMPLE = re.compile(r"(?P<tag>[a-z][a-z0-9]*)?(?:\.(?P<class>[\w-]+)|#(?P<id>[\w-]+))\Z", re.IGNORECASE)
_LOADING = {"img": "image", "iframe": "subdocument", "embed": "object", "object": "object"}


class NoiseFilter:
    """Finds the elements of a page that are noise."""

    def __init__(self, engine: Any = None) -> None:
        self._engine = engine

    @classmethod
    def from_lists(cls, paths: Iterable[Path]) -> NoiseFilter:
        """With filter lists in AdBlock's language; `.xz` files too."""
        return cls(engine_of(paths))

    def noise(self, outline: Outline) -> set[int]:
        """The elements to leave out, with all that is in them."""
        hidden = self._cosmetic(outline)
        found: set[int] = set()
        skip = 0
        for element, tag in enumerate(outline.tags):
            if element < skip:
                continue
            if element and (self._is_noise(tag) or _matches(tag, hidden) or self._blocked(tag, outline.url)):
                found.add(element)
                skip = outline.end[element]
        return found

    def clean(self, outline: Outline) -> int:
        """Takes the units of noise out of the outline; says how many."""
        return outline.drop(self.noise(outline))

    def _is_noise(self, tag: Tag) -> bool:
        attributes = tag.attributes
        if "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")):
            return True
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        return tag.name not in ("html", "body", "main", "article") and bool(_NAMES.search(names))

    def _cosmetic(self, outline: Outline) -> list[tuple[str, str, str]]:
        """Simple selectors (tag, class, id) that the lists hide on this page."""
        if self._engine is None:
            return []
        classes = {token for tag in outline.tags for token in tag.attributes.get("class", "").split()}
        ids = {tag.attributes["id"] for tag in outline.tags if tag.attributes.get("id")}
        special = self._engine.url_cosmetic_resources(outline.url or "https://example.org/")
        generic = (
            []
            if special.generichide
            else self._engine.hidden_class_id_selectors(sorted(classes), sorted(ids), special.exceptions)
        )
        matches = (_SIMPLE.match(selector) for selector in {*generic, *special.hide_selectors})
        return [(each["tag"] or "", each["class"] or "", each["id"] or "") for each in matches if each]

    def _blocked(self, tag: Tag, page: str | None) -> bool:
        if self._engine is None or tag.name not in _LOADING:
            return False
        source = tag.attributes.get("src") or tag.attributes.get("data") or ""
        if not source.startswith(("http://", "https://", "//")):
            return False
        source = f"https:{source}" if source.startswith("//") else source
        return bool(self._engine.check_network_urls(source, page or "https://example.org/", _LOADING[tag.name]).matched)


def _matches(tag: Tag, hidden: list[tuple[str, str, str]]) -> bool:
    if not hidden or not (tag.attributes.get("class") or tag.attributes.get("id")):
        return False
    classes = tag.attributes.get("class", "").split()
    return any(
        (not name or name == tag.name) and (kind in classes if kind else ident == tag.attributes.get("id"))
        for name, kind, ident in hidden
    )

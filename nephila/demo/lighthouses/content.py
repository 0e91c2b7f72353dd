"""The catalogue's lighthouses, keepers and logbook. Knows nothing of HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from nephila.demo.kit.grow import Grower, words_of

LOG_ENTRIES = 45
LOG_BATCH = 15
"""How many entries of the logbook one request brings."""


@dataclass(frozen=True)
class Leaf:
    """One page of the catalogue, as a reader sees it once it is drawn."""

    path: str
    kind: str
    """`script` (drawn from fetched JSON), `embedded` (from JSON in the page), `scroll` (grows) or `plain`."""
    title: str
    paragraphs: tuple[str, ...]
    links: tuple[str, ...] = ()
    """Addresses of the leaves that this one names."""

    @property
    def needs_browser(self) -> bool:
        return self.kind != "plain"


def slug(name: str) -> str:
    return "-".join(re.findall(r"[a-z]+", name.lower().replace("'", "")))


@cache
def leaves() -> dict[str, Leaf]:
    """Every page by its path."""
    words = words_of("lighthouses")
    plain = [Leaf(f"/{name}", "plain", title, tuple(rest)) for name, (title, *rest) in words["pages"].items()]
    almanac = Leaf("/almanac", "embedded", words["almanac"]["title"], tuple(words["almanac"]["paragraphs"]))
    logbook = Leaf("/logbook", "scroll", "The logbook", tuple(log_entries()))
    everything = [front(), *lights(), *keepers(), logbook, almanac, *plain]
    return {leaf.path: leaf for leaf in everything}


def front() -> Leaf:
    words = words_of("lighthouses")
    links = [leaf.path for leaf in (*lights(), *keepers())] + ["/logbook", "/almanac"]
    return Leaf("/", "script", words["name"], (words["motto"],), tuple(links))


@cache
def lights() -> tuple[Leaf, ...]:
    words = words_of("lighthouses")
    made = []
    for rank, name in enumerate(words["lights"]):
        grower = Grower(words["words"], f"light {name}")
        lines = grower.sentences(words["grammar"]["light"], 7)
        texts = (" ".join(lines[:3]), " ".join(lines[3:5]), " ".join(lines[5:]))
        neighbour = words["lights"][(rank + 1) % len(words["lights"])]
        keeper = words["keepers"][rank % len(words["keepers"])]
        links = (f"/light/{slug(neighbour)}", f"/keeper/{slug(keeper)}")
        made.append(Leaf(f"/light/{slug(name)}", "script", name, texts, links))
    return tuple(made)


@cache
def keepers() -> tuple[Leaf, ...]:
    words = words_of("lighthouses")
    made = []
    for rank, name in enumerate(words["keepers"]):
        grower = Grower(words["words"], f"keeper {name}")
        lines = grower.sentences(words["grammar"]["keeper"], 5)
        kept = words["lights"][rank :: len(words["keepers"])]
        texts = (" ".join(lines[:3]), " ".join(lines[3:]))
        links = tuple(f"/light/{slug(light)}" for light in kept)
        made.append(Leaf(f"/keeper/{slug(name)}", "script", name, texts, links))
    return tuple(made)


@cache
def log_entries() -> tuple[str, ...]:
    words = words_of("lighthouses")
    grower = Grower(words["words"], "logbook")
    patterns = words["grammar"]["log"]
    return tuple(
        f"Day {number}. {grower.sentence(patterns[number % len(patterns)])}" for number in range(1, LOG_ENTRIES + 1)
    )

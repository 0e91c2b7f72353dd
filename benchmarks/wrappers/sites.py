"""The sites of the shared data, induced once: slots, evidence, and what each slot finds on every page."""

from __future__ import annotations

import json
import lzma
import random
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nephila.document import parse
from nephila.wrappers.addresses import page_keys
from nephila.wrappers.evidence import Evidence, gather
from nephila.wrappers.lexicon import Known, known_field
from nephila.wrappers.naming import Candidates, promising
from nephila.wrappers.outline import Outline
from nephila.wrappers.prior import Profile
from nephila.wrappers.runs import run_from
from nephila.wrappers.slots import Slot, find_slots, survey, vote

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "wrappers"
VERTICALS = ("book", "camera", "job", "movie", "nbaplayer", "university")
SAMPLE = 20
AGREED = 0.3
NAMES = {
    "book": {"title": "name", "isbn_13": "isbn", "publication_date": "datePublished"},
    "camera": {"manufacturer": "brand"},
    "job": {"company": "hiringOrganization", "location": "jobLocation", "date_posted": "datePosted"},
    "movie": {"title": "name", "mpaa_rating": "contentRating"},
    "nbaplayer": {},
    "university": {"phone": "telephone", "website": "url", "type": "institutionType"},
}
"""The data's names -> schema.org's, where they differ."""


def squashed(text: str) -> str:
    return " ".join(text.split())


def f1(hits: float, predicted: float, gold: float) -> float:
    return 2 * hits / (predicted + gold) if predicted + gold else 0.0


def pages_of(vertical: str) -> dict[str, list[dict[str, Any]]]:
    sites: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with lzma.open(DATA / f"{vertical}.jsonl.xz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            row["gold"] = {field: [squashed(value) for value in values] for field, values in row["gold"].items()}
            sites[row["site"]].append(row)
    return sites


@dataclass
class Site:
    vertical: str
    name: str
    gold: list[dict[str, list[str]]]
    slots: list[Slot]
    evidence: list[Evidence]
    units: np.ndarray
    """Slot, page -> unit, -1 where its rules do not agree."""
    texts: list[list[str]]
    runs: list[dict[int, list[int]]]

    @property
    def fields(self) -> list[str]:
        """Those that the site has."""
        return [field for field in self.gold[0] if any(page[field] for page in self.gold)]

    @cached_property
    def places(self) -> list[int]:
        """The slots that naming looks at."""
        return promising(self.evidence, [known(self.vertical, field) for field in self.gold[0]])

    @cached_property
    def candidates(self) -> Candidates:
        return Candidates(
            [self.slots[place] for place in self.places], [self.evidence[place] for place in self.places], SAMPLE
        )

    @cached_property
    def hits(self) -> dict[str, np.ndarray]:
        """Field -> hitF1 of each candidate."""
        return {field: np.array([self.hit(field, self.units[place]) for place in self.places]) for field in self.fields}

    def hit(self, field: str, units: np.ndarray) -> float:
        """Page-level F1: the value found is among the gold ones."""
        found = [
            (page[field], self.texts[n][u]) for n, (page, u) in enumerate(zip(self.gold, units, strict=True)) if u >= 0
        ]
        right = sum(value in gold for gold, value in found)
        return f1(right, len(found), sum(bool(page[field]) for page in self.gold))

    def right_facts(self, field: str, place: int) -> list[bool]:
        """Of each page that has the field, whether the slot gives a right value."""
        return [
            unit >= 0 and self.texts[number][unit] in page[field]
            for number, (page, unit) in enumerate(zip(self.gold, self.units[place], strict=True))
            if page[field]
        ]

    def set_score(self, field: str, units: np.ndarray, many: bool) -> float:
        """F1 of all values of all pages."""
        hits = predicted = gold = 0
        for number, (page, unit) in enumerate(zip(self.gold, units, strict=True)):
            right = set(page[field])
            gold += len(right)
            if unit >= 0:
                places = self.runs[number][int(unit)] if many else [unit]
                values = {self.texts[number][place] for place in places}
                hits += len(values & right)
                predicted += len(values)
        return f1(hits, predicted, gold)

    def mean_values(self, field: str) -> float:
        counts = [len(set(page[field])) for page in self.gold if page[field]]
        return sum(counts) / len(counts) if counts else 1.0

    def right(self, field: str) -> np.ndarray:
        """1 for the slots that hold the field."""
        if field not in self.fields:
            return np.zeros(len(self.places))
        hits = self.hits[field]
        return (hits >= 0.8 * max(hits.max(initial=0.0), 0.5)).astype(float)

    def teach(self, profile: Profile, field: str) -> None:
        """Adds the site, as one that was accepted, to what is known of the field."""
        if field not in self.fields or (best := self.hits[field].max(initial=0.0)) < 0.5:
            return
        order = [place for place in np.argsort(-self.hits[field])[:4] if self.hits[field][place] >= 0.8 * best]
        profile.add(
            [self.evidence[self.places[place]] for place in order], {v for page in self.gold for v in page[field]}
        )


def known(vertical: str, field: str) -> Known:
    return known_field(NAMES[vertical].get(field, field))


def induce(job: tuple[str, str, list[dict[str, Any]]]) -> Site:
    vertical, name, rows = job
    outlines = [Outline(parse(row["html"])) for row in rows]
    chosen = sorted(random.Random(1).sample(range(len(rows)), SAMPLE))
    sample = survey([outlines[place] for place in chosen])
    slots = [slot for slot in find_slots(sample) if len(slot.pages) >= 0.25 * SAMPLE]
    evidence = gather(sample, slots)
    # What stands in the head (titles, meta) is read as structured data; here the visible page is named.
    shown = [place for place, each in enumerate(evidence) if each.head < 0.5 and not each.attribute]
    slots, evidence = [slots[place] for place in shown], [evidence[place] for place in shown]
    indexes = [page_keys(outline, sample.labels) for outline in outlines]
    units = np.full((len(slots), len(rows)), -1)
    runs: list[dict[int, list[int]]] = [{} for _ in rows]
    for number, slot in enumerate(slots):
        weights = [slot.weight(key) for key in slot.keys]
        for page, index in enumerate(indexes):
            unit, share = vote(slot.keys, index, weights)
            if unit >= 0 and share >= AGREED:
                units[number, page] = unit
                if unit not in runs[page]:
                    runs[page][unit] = run_from(outlines[page], unit)
    gold = [row["gold"] for row in rows]
    return Site(vertical, name, gold, slots, evidence, units, [outline.texts for outline in outlines], runs)


def sites() -> Iterator[Site]:
    jobs = [(vertical, name, rows) for vertical in VERTICALS for name, rows in pages_of(vertical).items()]
    with ProcessPoolExecutor(2) as pool:
        yield from pool.map(induce, jobs)

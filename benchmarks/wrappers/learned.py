"""Templates of the shared sites at work: one labelled page, redesigns, speed.

python -m benchmarks.wrappers.learned one-label   # one page of the site is labelled
python -m benchmarks.wrappers.learned redesign    # before, after without and with healing; alarms
python -m benchmarks.wrappers.learned speed       # induction of 20 pages, reading of a page, lookups, autoscraper
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from benchmarks.wrappers.redesign import Redesign
from benchmarks.wrappers.sites import SAMPLE, VERTICALS, f1, known, pages_of
from nephila.document import parse
from nephila.memory import SqliteMemory
from nephila.wrappers.examples import by_examples
from nephila.wrappers.heal import heal
from nephila.wrappers.learn import Induced, Lesson, induce, make_field, measure
from nephila.wrappers.outline import Outline
from nephila.wrappers.store import RuleStore
from nephila.wrappers.template import Template
from nephila.wrappers.watch import Watch

Rows = list[dict[str, Any]]
T = TypeVar("T")


def sampled(rows: Rows) -> list[int]:
    return sorted(random.Random(1).sample(range(len(rows)), SAMPLE))


def labelled_template(found: Induced, facts: dict[str, dict[int, set[str]]], vertical: str, site: str) -> Template:
    """The template whose fields are the slots that hold the labelled values best (page of the sample -> values)."""
    fields = []
    for name, pages in facts.items():
        shipped = known(vertical, name)
        chosen = by_examples(found, shipped.name, pages)
        if chosen is not None:
            fields.append(replace(make_field(found, shipped.name, chosen), name=name))
    template = Template(site, "t", fields, fixed=found.sample.fixed())
    measure(template, found.lessons)
    return template


def score(template: Template, outlines: list[Outline], rows: Rows) -> dict[str, float]:
    """hitF1 of each field that the site has."""
    readings = [template.read(outline) for outline in outlines]
    result = {}
    for name in rows[0]["gold"]:
        gold = sum(bool(row["gold"][name]) for row in rows)
        if gold:
            units = [
                (row, outline.texts[reading.units[name]])
                for row, outline, reading in zip(rows, outlines, readings, strict=True)
                if name in reading.units
            ]
            result[name] = f1(sum(text in row["gold"][name] for row, text in units), len(units), gold)
    return result


CHOSEN = list(VERTICALS)
"""The verticals that are looked at."""


def all_sites() -> Iterator[tuple[str, str, Rows]]:
    for vertical in CHOSEN:
        for site, rows in pages_of(vertical).items():
            yield vertical, site, rows


def trained(
    rows: Rows, vertical: str, site: str, labelled: list[int] | None = None
) -> tuple[Template, list[Outline], list[int]]:
    """A template of the site: 20 pages, of which those in `labelled` (all, where none is named) have labels."""
    outlines = [Outline(parse(row["html"])) for row in rows]
    chosen = sampled(rows)
    found = induce([Lesson(outlines[place]) for place in chosen])
    facts: dict[str, dict[int, set[str]]] = {}
    for number, place in enumerate(chosen):
        if labelled is None or number in labelled:
            for name, values in rows[place]["gold"].items():
                if values:
                    facts.setdefault(name, {})[number] = set(values)
    return labelled_template(found, facts, vertical, site), outlines, chosen


def on_every_site(work: Callable[[tuple[str, str, Rows]], T]) -> Iterator[T]:
    with ProcessPoolExecutor(2) as pool:
        yield from pool.map(work, all_sites())


def _one_label(job: tuple[str, str, Rows]) -> tuple[str, dict[str, float]]:
    vertical, site, rows = job
    chosen = sampled(rows)
    # The page that shows most fields: whoever labels one page takes one on which there is something to point at.
    texts = [set(Outline(parse(rows[place]["html"])).texts) for place in chosen]
    shown = [
        sum(not texts[number].isdisjoint(values) for values in rows[place]["gold"].values())
        for number, place in enumerate(chosen)
    ]
    full = shown.index(max(shown))
    template, outlines, _ = trained(rows, vertical, site, [full])
    return f"{vertical}/{site}", score(template, outlines, rows)


def one_label() -> None:
    scores: list[float] = []
    for name, found in on_every_site(_one_label):
        scores += found.values()
        print(name, {field: round(value, 3) for field, value in found.items()}, flush=True)
    print(f"one labelled page: hitF1 {np.mean(scores):.4f} over {len(scores)} site-fields")


@dataclass
class Redesigned:
    """One site through one redesign."""

    name: str
    before: dict[str, float]
    after: dict[str, float]
    healed: dict[str, float]
    alarm: bool
    false_alarm: bool

    @property
    def broken(self) -> bool:
        return mean(self.after) < mean(self.before) - 0.02


def mean(scores: dict[str, float]) -> float:
    return float(np.mean(list(scores.values())))


def _redesign(level: str, job: tuple[str, str, Rows]) -> Redesigned:
    vertical, site, rows = job
    template, outlines, chosen = trained(rows, vertical, site)
    change = Redesign([rows[place]["html"] for place in chosen], level, seed=len(site))
    drawn = [Outline(parse(change.apply(row["html"]))) for row in rows]
    mended = heal(template, [Lesson(drawn[place]) for place in chosen])
    calm, broken = Watch(template), Watch(template)
    return Redesigned(
        f"{vertical}/{site}",
        score(template, outlines, rows),
        score(template, drawn, rows),
        score(mended, drawn, rows),
        any(broken.see(template.read(outline)) for outline in drawn),
        any(calm.see(template.read(outline)) for outline in outlines),
    )


def redesign(level: str) -> None:
    seen = []
    for each in on_every_site(partial(_redesign, level)):
        seen.append(each)
        print(
            f"{each.name}: {mean(each.before):.3f} -> {mean(each.after):.3f} -> {mean(each.healed):.3f}"
            f"{' alarm' if each.alarm else ''}{' FALSE ALARM' if each.false_alarm else ''}",
            flush=True,
        )
    before, after, healed = (
        np.mean([score for each in seen for score in getattr(each, part).values()])
        for part in ("before", "after", "healed")
    )
    broken = [each for each in seen if each.broken]
    print(
        f"{level}: before {before:.4f}, after {after:.4f}, healed {healed:.4f}; "
        f"alarms in {sum(each.alarm for each in broken)} of {len(broken)} broken groups, "
        f"in {sum(each.false_alarm for each in seen)} of {len(seen)} unbroken"
    )


def speed() -> None:
    learning, reading, parsing, peer = [], [], [], []
    for vertical, site, rows in all_sites():
        documents = [parse(row["html"]) for row in rows[:SAMPLE]]
        start = time.process_time()
        outlines = [Outline(document) for document in documents]
        induce([Lesson(outline) for outline in outlines])
        learning.append(time.process_time() - start)
        template, _, _ = trained(rows, vertical, site)
        for row in rows[:8]:
            start = time.process_time()
            document = parse(row["html"])
            parsed = time.process_time()
            template.read(Outline(document))
            parsing.append(parsed - start)
            reading.append(time.process_time() - parsed)
        peer.append(_autoscraper(rows))
    print(f"induction of {SAMPLE} pages: median {np.median(learning):.3f} s, worst {max(learning):.3f} s of CPU")
    print(
        f"reading a page: median {np.median(reading) * 1e3:.2f} ms beyond the parse ({np.median(parsing) * 1e3:.2f} ms)"
    )
    built = [each for each in peer if each is not None]
    if built:
        print(
            f"autoscraper: learning from one page {np.median([b for b, _ in built]):.3f} s, reading one "
            f"{np.median([g for _, g in built]) * 1e3:.1f} ms, parse included"
        )
    asyncio.run(_lookups())


def _autoscraper(rows: Rows) -> tuple[float, float] | None:
    try:
        from autoscraper import AutoScraper
    except ImportError:
        return None
    scraper = AutoScraper()
    wanted = [values[0] for values in rows[0]["gold"].values() if values]
    start = time.process_time()
    scraper.build(html=rows[0]["html"], wanted_list=wanted)
    built = time.process_time()
    scraper.get_result_similar(html=rows[1]["html"], grouped=True)
    return built - start, time.process_time() - built


async def _lookups() -> None:
    """The store with ten and with ten thousand templates."""
    template = Template("site", "t", [])
    with tempfile.TemporaryDirectory() as directory:
        memory = SqliteMemory(Path(directory) / "rules.sqlite")
        store = RuleStore(memory)
        for stop in (10, 10_000):
            start = 0 if stop == 10 else 10
            for number in range(start, stop):
                template.site = f"site{number}.example"
                await store.put(template)
            began = time.process_time()
            for number in range(200):
                await store.get(f"site{number * 37 % stop}.example", "t")
            print(f"{stop} templates: {(time.process_time() - began) / 200 * 1e6:.0f} microseconds a lookup")
        await memory.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("one-label", "redesign", "speed"))
    options.add_argument("--level", default="medium", choices=("none", "light", "medium"))
    options.add_argument("--verticals", nargs="*", default=list(VERTICALS), choices=VERTICALS)
    chosen = options.parse_args()
    CHOSEN[:] = chosen.verticals
    if chosen.what == "one-label":
        one_label()
    elif chosen.what == "redesign":
        redesign(chosen.level)
    else:
        speed()


if __name__ == "__main__":
    main()

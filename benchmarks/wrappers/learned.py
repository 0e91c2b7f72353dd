"""Templates of the shared sites at work: one labelled page, redesigns, speed.

python -m benchmarks.wrappers.learned one-label   # one page of the site is labelled
python -m benchmarks.wrappers.learned redesign    # before, after without and with healing; alarms
python -m benchmarks.wrappers.learned speed       # induction of 20 pages, reading of a page
python -m benchmarks.wrappers.learned store       # lookups among 10 and among 10,000 groups
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
from nephila.wrappers.learn import Induced, Lesson, induce, learn, make_field, measure
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
    rows: Rows, vertical: str, site: str, labelled: list[int] | None = None, *, only_sample: bool = False
) -> tuple[Template, list[Outline], list[int]]:
    """A template of the site: 20 pages, of which those in `labelled` (all, where none is named) have labels."""
    chosen = sampled(rows)
    looked_at = chosen if only_sample else range(len(rows))
    outlines = {place: Outline(parse(rows[place]["html"])) for place in looked_at}
    found = induce([Lesson(outlines[place]) for place in chosen])
    facts: dict[str, dict[int, set[str]]] = {}
    for number, place in enumerate(chosen):
        if labelled is None or number in labelled:
            for name, values in rows[place]["gold"].items():
                if values:
                    facts.setdefault(name, {})[number] = set(values)
    return labelled_template(found, facts, vertical, site), list(outlines.values()), chosen


def on_every_site(work: Callable[[tuple[str, str, Rows]], T]) -> Iterator[T]:
    with ProcessPoolExecutor(2) as pool:
        yield from pool.map(work, all_sites())


def labelled_page(rows: Rows, chosen: list[int]) -> int:
    """The page that shows most fields: whoever labels one page takes one on which there is something to point at."""
    texts = [set(Outline(parse(rows[place]["html"])).texts) for place in chosen]
    shown = [
        sum(not texts[number].isdisjoint(values) for values in rows[place]["gold"].values())
        for number, place in enumerate(chosen)
    ]
    return shown.index(max(shown))


def _one_label(job: tuple[str, str, Rows]) -> tuple[str, dict[str, float]]:
    vertical, site, rows = job
    chosen = sampled(rows)
    full = labelled_page(rows, chosen)
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
    inducing, naming, reading, parsing = [], [], [], []
    for vertical, site, rows in all_sites():
        documents = [parse(row["html"]) for row in rows[:SAMPLE]]
        _ = [document.layout for document in documents]
        start = time.process_time()
        lessons = [Lesson(Outline(document)) for document in documents]
        induce(lessons)
        induced = time.process_time()
        learn(lessons, site, "t")  # induces again, then tries the fields of every type on every slot
        inducing.append(induced - start)
        naming.append(time.process_time() - induced)
        template, _, _ = trained(rows, vertical, site)
        for row in rows[:8]:
            start = time.process_time()
            document = parse(row["html"])
            _ = document.layout  # made of every page, for its text and links
            parsed = time.process_time()
            template.read(Outline(document))
            parsing.append(parsed - start)
            reading.append(time.process_time() - parsed)
    print(f"induction of {SAMPLE} pages: median {np.median(inducing):.3f} s, worst {max(inducing):.3f} s of CPU")
    print(f"with names and no prior: median {np.median(naming):.3f} s, worst {max(naming):.3f} s (outlines were there)")
    print(
        f"reading a page: median {np.median(reading) * 1e3:.2f} ms beyond the parse ({np.median(parsing) * 1e3:.2f} ms)"
    )


async def store(rounds: int = 5, lookups: int = 200) -> None:
    """Lookups of a real template, among ten and among ten thousand groups of as many sites; rounds are interleaved."""
    vertical, site, rows = next(all_sites())
    template, _, _ = trained(rows, vertical, site, only_sample=True)
    taken: dict[int, list[float]] = {10: [], 10_000: []}
    with tempfile.TemporaryDirectory() as directory:
        memories = {size: SqliteMemory(Path(directory) / f"{size}.sqlite") for size in taken}
        stores = {size: RuleStore(memory) for size, memory in memories.items()}
        for size, each in stores.items():
            for number in range(size):
                await each.put(replace(template, site=f"site{number}.example", _finder=None))
        for _ in range(rounds):
            for size, each in stores.items():
                began = time.process_time()
                for number in range(lookups):
                    await each.get(f"site{number * 37 % size}.example", template.group)
                taken[size].append((time.process_time() - began) / lookups)
        size_on_disk = (Path(directory) / "10000.sqlite").stat().st_size
        for memory in memories.values():
            await memory.close()
    few, many = (np.median(each) * 1e6 for each in taken.values())
    print(
        f"a lookup, median CPU: {few:.0f} microseconds among 10 groups, {many:.0f} among 10,000 "
        f"(ratio {many / few:.2f}; {size_on_disk / 1e6:.0f} MB on disk)"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("one-label", "redesign", "speed", "store"))
    options.add_argument("--level", default="medium", choices=("none", "light", "medium"))
    options.add_argument("--verticals", nargs="*", default=list(VERTICALS), choices=VERTICALS)
    chosen = options.parse_args()
    CHOSEN[:] = chosen.verticals
    if chosen.what == "one-label":
        one_label()
    elif chosen.what == "redesign":
        redesign(chosen.level)
    elif chosen.what == "store":
        asyncio.run(store())
    else:
        speed()


if __name__ == "__main__":
    main()

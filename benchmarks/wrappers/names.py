"""Slots of the shared sites, named: by an oracle, with priors of other sites of the vertical, and with none.

    python -m benchmarks.wrappers.names [--prior 6 3 0] [--save] [--mistakes]

The site under test gives no label. The model that weighs the channels is trained on the other verticals only; the
prior holds the other sites of the vertical. `--save` trains on all and writes the weights that Nephila ships: numbers
about channels, no word of any site.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.wrappers.sites import VERTICALS, Site, known, sites
from nephila.wrappers.naming import WEIGHTS, Namer, first_rows
from nephila.wrappers.training import Lesson, fit

PRIORS = (6, 3, 0)


def prior_sites(site: Site, everything: list[Site], size: int) -> list[Site]:
    others = [each for each in everything if each.vertical == site.vertical and each.name != site.name]
    if size >= len(others):
        return others
    chosen = np.random.default_rng(len(site.name)).choice(len(others), size, replace=False)
    return [others[place] for place in chosen]


def fields_of(site: Site, prior: list[Site]):
    pairs = []
    for field in site.gold[0]:
        shipped = known(site.vertical, field)
        profile = shipped.profile()
        if prior:
            profile = type(profile)(shipped.name)
            for each in prior:
                each.teach(profile, field)
        pairs.append((field, shipped, profile))
    return pairs


def lesson(site: Site, prior: list[Site]) -> Lesson:
    pairs = fields_of(site, prior)
    rows = first_rows(site.candidates, [(shipped, profile) for _, shipped, profile in pairs])
    return Lesson(
        site.vertical, site.candidates, rows, {shipped.name: site.right(field) for field, shipped, _ in pairs}
    )


def score(
    site: Site, named: dict[str, np.ndarray], prior: list[Site], mistakes: bool
) -> dict[str, tuple[float, float]]:
    result = {}
    for field in site.fields:
        shipped = known(site.vertical, field)
        chances = named[shipped.name]
        place = int(chances.argmax())
        many = np.mean([each.mean_values(field) for each in prior]) > 1.05 if prior else shipped.many
        hit = site.hits[field][place]
        FACTS.setdefault((site.vertical, site.name), []).extend(site.right_facts(field, site.places[place]))
        result[field] = (hit, site.set_score(field, site.units[site.places[place]], bool(many)))
        if mistakes and hit < 0.9:
            best = int(site.hits[field].argmax())
            print(f"  {site.vertical}/{site.name}/{field} {hit:.2f} (oracle {site.hits[field][best]:.2f})")
            for label, at in (("chose", place), ("right", best)):
                each = site.evidence[site.places[at]]
                print(
                    f"    {label} {chances[at]:.2f} {each.values[:3]} {list(each.labels)[:2]} {list(each.markup)[:4]}"
                )
    return result


def table(title: str, scores: dict[tuple[str, str], list[tuple[float, float]]]) -> None:
    every = [pair for pairs in scores.values() for pair in pairs]
    print(
        f"\n{title}: hitF1 {np.mean([p[0] for p in every]):.4f} setF1 {np.mean([p[1] for p in every]):.4f} "
        f"over {len(every)} site-fields"
    )
    for vertical in VERTICALS:
        parts = [
            f"{field} {np.mean([p[0] for p in pairs]):.3f}/{np.mean([p[1] for p in pairs]):.3f}"
            for (name, field), pairs in scores.items()
            if name == vertical
        ]
        print(f"  {vertical}: " + ", ".join(parts))


FACTS: dict[tuple[str, str], list[bool]] = {}
"""Of each site, whether each fact (a field of a page) is right: of the last prior that was tried."""


def system_c(facts: dict[tuple[str, str], list[bool]]) -> None:
    """System C's own measure: 10 groups of pages, 50 facts of each."""
    draw = random.Random(0)
    groups = draw.sample(sorted(facts), 10)
    right = [sum(draw.sample(facts[group], 50)) for group in groups]
    every = [fact for group in facts.values() for fact in group]
    print(f"\nfacts right, 10 groups of 50: {sum(right) / 500:.3f}; all {len(every)} facts: {np.mean(every):.3f}")


SHARED: dict = {}
"""What the processes of the pool inherit: sites, lessons, options."""


def on_vertical(vertical: str):
    """Names the sites of one vertical with a model of the others."""
    everything, lessons, chosen = SHARED["sites"], SHARED["lessons"], SHARED["options"]
    told(f"training without {vertical}")
    namer = Namer(fit([each for (_, name, _), each in lessons.items() if name != vertical]))
    results = {size: defaultdict(list) for size in chosen.prior}
    for size in sorted(chosen.prior):
        FACTS.clear()
        for site in (each for each in everything if each.vertical == vertical):
            prior = prior_sites(site, everything, size)
            pairs = [(shipped, profile) for _, shipped, profile in fields_of(site, prior)]
            for field, pair in score(site, namer.name(site.candidates, pairs), prior, chosen.mistakes).items():
                results[size][vertical, field].append(pair)
    told(f"named {vertical}")
    return results, dict(FACTS)


def save() -> None:
    """Trains on all sites and writes the weights that Nephila ships."""
    WEIGHTS.parent.mkdir(exist_ok=True)
    weights = fit(list(SHARED["lessons"].values()))
    np.savez_compressed(
        WEIGHTS, **{n: a.astype(np.float32) if a.dtype == np.float64 else a for n, a in weights.items()}
    )
    print(f"wrote {WEIGHTS} ({WEIGHTS.stat().st_size} bytes)", flush=True)


def told(text: str) -> None:
    """Progress, for whoever waits; the figures go to stdout."""
    print(f"{time.process_time():6.0f} s of CPU  {text}", file=sys.stderr, flush=True)


def oracle(everything: list[Site]) -> None:
    best: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for site in everything:
        for field in site.fields:
            place = max(range(len(site.slots)), key=lambda place: site.hit(field, site.units[place]))
            units = site.units[place]
            best[site.vertical, field].append((site.hit(field, units), site.set_score(field, units, False)))
    table("slots named by an oracle", best)


def induced(cache: Path | None) -> list[Site]:
    if cache and cache.exists():
        return pickle.loads(cache.read_bytes())
    everything = []
    for site in sites():
        everything.append(site)
        told(f"{len(everything)} of 42 sites induced: {site.vertical}/{site.name}, {len(site.slots)} slots")
    if cache:
        cache.write_bytes(pickle.dumps(everything))
    return everything


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--prior", type=int, nargs="*", default=list(PRIORS))
    options.add_argument("--save", action="store_true")
    options.add_argument("--mistakes", action="store_true")
    options.add_argument("--cache", type=Path, help="keep the induced sites in this file")
    chosen = options.parse_args()
    everything = induced(chosen.cache)
    oracle(everything)
    lessons = {}
    for site in everything:
        for size in PRIORS:
            lessons[size, site.vertical, site.name] = lesson(site, prior_sites(site, everything, size))
        told(f"{len(lessons)} of {len(PRIORS) * len(everything)} lessons")
    SHARED.update(sites=everything, lessons=lessons, options=chosen)
    results = {size: {} for size in chosen.prior}
    every: dict[tuple[str, str], list[bool]] = {}
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        saving = pool.submit(save) if chosen.save else None
        for part, facts in pool.map(on_vertical, VERTICALS):
            every.update(facts)
            for size, scores in part.items():
                results[size].update(scores)
        if saving is not None:
            saving.result()
    for size, scores in results.items():
        table(f"{size} prior sites" if size else "no prior but what is shipped", scores)
    system_c(every)


if __name__ == "__main__":
    main()

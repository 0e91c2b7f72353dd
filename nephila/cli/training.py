"""The work of `nephila train`."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import typer

from nephila.content.gold.datasets import gold_is_present, read_set, set_names
from nephila.content.lines.extract import CLASSIFIERS, LineExtractor
from nephila.content.lines.extract import WEIGHTS as LINE_WEIGHTS
from nephila.content.model import WEIGHTS
from nephila.content.score import Score, bag_score, mean
from nephila.document import parse
from nephila.errors import ConfigError

_NEEDS = "training needs more libraries than crawling: pip install 'nephila[train]'"
# System A's own protocol is of news sites with a hundred pages each.
_LINES_SET = "cn_wwwxmu"


def train_auto(
    data: Path,
    output: Path | None,
    folds: Path | None,
    cache: Path | None,
    *,
    epochs: int | None,
    seed: int,
    variants: int,
) -> None:
    try:
        from nephila.content.training.fit import Settings
        from nephila.content.training.outcome import Places, train_default
    except ImportError as error:
        raise ConfigError(_NEEDS) from error
    chosen: dict[str, Any] = {"seed": seed} | ({"epochs": epochs} if epochs else {})
    places = Places(data, output or WEIGHTS, folds, cache)
    outcome = train_default(places, Settings(**chosen), typer.echo, variants)
    _print(outcome.table)


def train_lines(data: Path, output: Path | None, classifier: str | None) -> None:
    """Cross-validates system A within each site, as the paper does, then trains it on all sites together."""
    try:
        from nephila.content.lines.train import count_lines, cross_validate, fit
    except ImportError as error:
        raise ConfigError(_NEEDS) from error
    if classifier is not None and classifier not in CLASSIFIERS:
        raise ConfigError(f"there is no classifier {classifier!r}: use --classifier {', '.join(CLASSIFIERS)}")
    sites: dict[str, list[Any]] = defaultdict(list)
    name = _LINES_SET if _LINES_SET in set_names(data) else set_names(data)[0]
    for sample in read_set(data, name):
        document = parse(sample.html, sample.url)
        if gold_is_present(sample, lambda html: parse(html).text(hidden=True)):
            sites[sample.site].append((document, sample.gold, count_lines(document, sample.gold)))
    tables = {}
    for chosen in [classifier] if classifier else CLASSIFIERS:
        scores = {}
        for site, pages in sorted(sites.items()):
            folds = cross_validate([counts for _, _, counts in pages], chosen)
            scores[f"{chosen} {site}"] = mean(
                [bag_score(LineExtractor(table).text(pages[page][0]), pages[page][1]) for page, table in folds]
            )
        scores[f"{chosen} mean"] = mean(list(scores.values()))
        _print(scores)
        total = np.sum([counts for pages in sites.values() for _, _, counts in pages], axis=0)
        tables[chosen] = fit(total, chosen)
    target = output or LINE_WEIGHTS
    if target.exists():
        with np.load(target) as kept:
            tables = dict(kept) | tables
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(target, allow_pickle=False, **tables)


def _print(table: dict[str, Score]) -> None:
    from rich.console import Console
    from rich.table import Table

    shown = Table("pages", "P", "R", "F1")
    for name, score in table.items():
        shown.add_row(name, f"{score.precision:.3f}", f"{score.recall:.3f}", f"{score.f1:.3f}")
    Console().print(shown)

"""The work of `nephila evaluate`: samples through all methods, one table a data set, and a picture."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import orjson

from nephila.content import METHODS
from nephila.content.gold.datasets import Sample, gold_is_present, read_set, set_names
from nephila.content.gold.evaluation import PageResult, Row, TextOf, cached_results, interleaved, row_of
from nephila.content.gold.peers import PEERS, installed
from nephila.content.lines import extract_lines
from nephila.content.model import BlockModel
from nephila.document import parse
from nephila.errors import ConfigError, InputError
from nephila.extraction import main_content


@dataclass(slots=True)
class Evaluation:
    """What is measured, and against what."""

    data: Path
    folds: Path | None
    sample: int | None
    peers: bool
    peer_results: Path | None

    def run(self, sets: list[str] | None, methods: list[str], json_output: Path | None, plot: Path | None) -> None:
        for method in methods:
            if method not in METHODS:
                raise InputError(f"there is no method {method!r}: use --method {', '.join(METHODS)}")
        if "auto" in methods and self.folds is None:
            print("Note: without --folds, `auto` is scored on pages that it was trained on.")
        rows: list[Row] = []
        for name in sets or set_names(self.data):
            tables, left_out = self._set(name, methods)
            for group, found in tables.items():
                rows += found
                _print(group, found, left_out if group == name else [])
        if json_output is not None:
            json_output.write_bytes(orjson.dumps([asdict(row) for row in rows], option=orjson.OPT_INDENT_2))
        if plot is not None:
            _plot(rows, plot)

    def _set(self, name: str, methods: list[str]) -> tuple[dict[str, list[Row]], list[str]]:
        samples, left_out = [], []
        for sample in self._sampled(name):
            present = gold_is_present(sample, lambda html: parse(html).text(hidden=True))
            if present:
                samples.append(sample)
            else:
                left_out.append(sample.id)
        ways: dict[str, TextOf] = {method: self._way(method) for method in methods}
        if self.peers:
            ways |= {peer: _peer(peer) for peer in installed()}
        results = interleaved(samples, ways)
        if self.peer_results is not None:
            kept = cached_results(self.peer_results, name, {sample.id for sample in samples})
            results = kept | results
        return {group: _rows(group, pages, results) for group, pages in _groups(name, samples).items()}, left_out

    def _sampled(self, name: str) -> list[Sample]:
        samples = list(read_set(self.data, name))
        if self.sample is not None and self.sample < len(samples):
            samples = random.Random(0).sample(samples, self.sample)
        return samples

    def _way(self, method: str) -> TextOf:
        if method == "lines":
            return lambda sample: extract_lines(parse(sample.html, sample.url))
        if self.folds is None:
            return lambda sample: main_content(parse(sample.html, sample.url)).text
        model_of = fold_models(self.folds)
        return lambda sample: main_content(parse(sample.html, sample.url), model=model_of(sample.fold)).text


def fold_models(directory: Path) -> Callable[[int], BlockModel]:
    """The model of each fold that `nephila train --folds` wrote, read when asked for."""

    @cache
    def model_of(fold: int) -> BlockModel:
        path = directory / f"fold{fold}.npz"
        if not path.exists():
            raise InputError(f"{path} is not there: make it with `nephila train --folds {directory}`")
        with np.load(path) as weights:
            return BlockModel(dict(weights))

    return model_of


_LEAST_GROUP = 20


def _groups(name: str, samples: list[Sample]) -> dict[str, set[str]]:
    """The pages of the whole set, and of each kind or language that the set tells apart."""
    groups = {name: {sample.id for sample in samples}}
    for told in ("kind", "lang"):
        within: dict[str, set[str]] = defaultdict(set)
        for sample in samples:
            within[getattr(sample, told) or ""].add(sample.id)
        within = {value: pages for value, pages in within.items() if len(pages) >= _LEAST_GROUP}
        if "" not in within and len(within) > 1:
            groups |= {f"{name} {value}": within[value] for value in sorted(within)}
            break
    return groups


def _rows(name: str, pages: set[str], results: dict[str, list[PageResult]]) -> list[Row]:
    """One row a method that judged all of the pages, the best first."""
    of_group = {method: [page for page in found if page.id in pages] for method, found in results.items()}
    rows = [row_of(name, method, found) for method, found in of_group.items() if len(found) == len(pages)]
    return sorted(rows, key=lambda row: -row.score.f1)


def _peer(name: str) -> TextOf:
    run = PEERS[name]()
    return lambda sample: run(sample.html, sample.lang)


def _print(name: str, rows: list[Row], left_out: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    pages = rows[0].pages if rows else 0
    table = Table("method", "P", "R", "F1", "under .5", "ms", title=f"{name}: {pages} pages")
    for row in rows:
        poor = "" if row.poor is None else f"{row.poor:.3f}"
        score = row.score
        table.add_row(
            row.method,
            f"{score.precision:.3f}",
            f"{score.recall:.3f}",
            f"{score.f1:.3f}",
            poor,
            f"{row.milliseconds:.1f}",
        )
    console = Console()
    console.print(table)
    if left_out:
        console.print(
            f"left out, since their gold is not in them: {len(left_out)}: {', '.join(left_out)}", soft_wrap=True
        )


def _plot(rows: list[Row], path: Path) -> None:
    try:
        import matplotlib as mpl
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ConfigError("a plot needs matplotlib: pip install 'nephila[train]'") from error
    mpl.use("Agg")
    sets = [name for name in dict.fromkeys(row.set for row in rows) if " " not in name]
    methods = sorted({row.method for row in rows}, key=lambda name: (name not in METHODS, name))
    figure, axes = plt.subplots(figsize=(1.5 + 1.4 * len(sets), 4.5))
    width = 0.8 / max(1, len(methods))
    for place, method in enumerate(methods):
        scores = {row.set: row.score.f1 for row in rows if row.method == method}
        axes.bar(
            [index + place * width for index in range(len(sets))],
            [scores.get(name, 0) for name in sets],
            width,
            label=method,
        )
    axes.set_xticks([index + 0.4 - width / 2 for index in range(len(sets))], sets, rotation=20, ha="right")
    axes.set_ylabel("F1")
    axes.set_ylim(0.5, 1)
    axes.legend(fontsize="small", ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    figure.tight_layout()
    figure.savefig(path)

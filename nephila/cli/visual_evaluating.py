"""The work of `nephila evaluate --method visual`: system D's tables, each beside the paper's figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import orjson

from nephila.content.gold.datasets import set_names
from nephila.content.score import Score
from nephila.content.visual.data import MIXED
from nephila.content.visual.strangers import stranger_tables
from nephila.content.visual.tables import Line, Table, mixed_tables, site_tables


def evaluate_visual(data: Path, sets: list[str] | None, json_output: Path | None) -> None:
    """All tables, or with `sets` those of the mixed set (`chaos`) or of the single sites alone: each but the last two,
    which need both."""
    wanted = sets or set_names(data)
    tables: list[Table] = []
    if any(name != MIXED for name in wanted):
        tables += _shown(site_tables(data))
    if MIXED in wanted:
        tables += _shown(mixed_tables(data))
    if sets is None:
        tables += _shown(stranger_tables(data))
    if json_output is not None:
        json_output.write_bytes(orjson.dumps([asdict(table) for table in tables], option=orjson.OPT_INDENT_2))


def _shown(tables: Iterator[Table]) -> list[Table]:
    from rich.console import Console
    from rich.table import Table as Grid

    console = Console()
    shown: list[Table] = []
    for table in tables:
        with_text = any(line.text for line in table.lines)
        grid = Grid("", "P", "R", "F1", "paper: P", "R", "F1", title=table.title, title_justify="left")
        if with_text:
            grid.add_column("text F1")
        for line in table.lines:
            grid.add_row(*_cells(line, with_text))
        console.print(grid)
        shown.append(table)
    return shown


def _cells(line: Line, with_text: bool) -> list[str]:
    cells = [line.name, *_percent(line.score)]
    cells += [f"{value:.2f}" if value else "" for value in line.paper] if line.paper else ["", "", ""]
    if with_text:
        cells.append(_percent(line.text)[2] if line.text else "")
    return cells


def _percent(score: Score) -> list[str]:
    return [f"{100 * value:.2f}" for value in (score.precision, score.recall, score.f1)]

"""How progress and summary look, in Rich's terms. Imported only when something is drawn."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from nephila.telemetry import figures
from nephila.telemetry.names import Metric
from nephila.telemetry.progress import Progress, WorkerView
from nephila.telemetry.summary import Summary

GOLD = "yellow"
_DIM = "bright_black"
_BAD = "red"
_STATE_STYLES = {"running": "green", "done": _DIM, "failed": _BAD, "silent": _BAD}
_MAX_CAUSES = 6
_MAX_ROWS = 12
_NARROW = 72
_FIXED_LINES = 9
"""Lines of the picture beside the workers' rows."""

_ENDINGS = {
    "finished": ("Finished", "green"),
    "max_pages": ("Stopped at the page limit", GOLD),
    "max_time": ("Stopped at the time limit", GOLD),
    "interrupted": ("Interrupted", GOLD),
    "failed": ("Failed", _BAD),
}


def picture(progress: Progress, title: str, width: int, height: int) -> RenderableType:
    """The live display: headline, bar when there is a bound, figures, errors, workers as far as there is room."""
    width = min(width, 100)
    parts: list[RenderableType] = [_headline(progress, title, width)]
    if progress.max_pages is not None:
        parts.append(_bar(progress, progress.max_pages, width))
    parts += [Text(), _figures(progress, width)]
    if progress.errors():
        parts += [_causes(progress, width)]
    workers = progress.workers()
    room = min(_MAX_ROWS, height - _FIXED_LINES)
    if workers and room > 0:
        parts += [Text(), _workers(workers, room, width)]
    return Group(*parts)


def summary_table(summary: Summary) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(style=_DIM, justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    speed = figures.speed(summary.pages_per_second)
    table.add_row("pages", _text(f"{figures.count(summary.pages)}  ({speed})", "bold"))
    table.add_row("records", figures.count(summary.records))
    table.add_row("received", figures.size(summary.bytes))
    table.add_row("took", figures.duration(summary.seconds))
    if summary.restarts:
        table.add_row("workers", f"{summary.workers}, started again {figures.plural(summary.restarts, 'time')}")
    for label, metric in (
        ("unchanged", Metric.UNCHANGED),
        ("retries", Metric.RETRIES),
        ("robots.txt", Metric.ROBOTS_DENIED),
    ):
        if summary.counters.get(metric):
            count = summary.counters[metric]
            words = (
                f"{figures.plural(count, 'URL')} left out" if metric is Metric.ROBOTS_DENIED else figures.count(count)
            )
            table.add_row(label, words)
    if skipped := summary.labelled.get(Metric.SKIPPED):
        reasons = sorted(skipped.items(), key=lambda item: -item[1])
        table.add_row("no record", _text(", ".join(f"{figures.count(number)} {reason}" for reason, number in reasons)))
    if summary.errors:
        table.add_row("errors", _errors(summary))
    for output in summary.outputs:
        table.add_row("output", _output(output.uri, output.records, output.bytes))
    if summary.dead:
        how = f"  see them: {summary.dead_letters}" if summary.dead_letters else ""
        table.add_row("given up", _text(f"{figures.plural(summary.dead, 'URL')}{how}"))
    if summary.queued:
        table.add_row("left", f"{figures.plural(summary.queued, 'URL')} in the queue")
    if summary.resume:
        table.add_row("go on", _text(summary.resume, "bold"))
    word, style = _ENDINGS[summary.stopped]
    return Group(Text(word, style=f"bold {style}"), table)


def _headline(progress: Progress, title: str, width: int) -> Table:
    row = Table.grid(expand=False)
    row.width = width
    row.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    row.add_column(justify="right", no_wrap=True)
    name = Text.assemble(("nephila", f"bold {GOLD}"), "  ", _text(title))
    row.add_row(name, Text(figures.duration(progress.elapsed()), style="bold"))
    return row


def _bar(progress: Progress, bound: int, width: int) -> Table:
    pages, left = progress.total(Metric.PAGES), progress.time_left()
    words = f"{figures.count(pages)} of {figures.count(bound)}"
    if left is not None:
        words += f", {figures.duration(left)} left"
    row = Table.grid(padding=(0, 1))
    row.width = width
    row.add_column(ratio=1)
    row.add_column(justify="right", no_wrap=True)
    bar = ProgressBar(total=bound, completed=min(pages, bound), complete_style=GOLD, finished_style=GOLD)
    row.add_row(bar, Text(words, style=_DIM))
    return row


def _figures(progress: Progress, width: int) -> Table:
    """Eight figures; each column keeps its width, so that nothing jumps while numbers grow."""
    errors = progress.total(Metric.ERRORS)
    cells = [
        ("pages", figures.count(progress.total(Metric.PAGES)), "bold"),
        ("pages/s", figures.speed(progress.rate()).removesuffix("/s"), "bold"),
        ("queue", figures.count(progress.gauge(Metric.QUEUED)), ""),
        ("hosts", figures.count(progress.gauge(Metric.HOSTS)), ""),
        ("records", figures.count(progress.total(Metric.RECORDS)), ""),
        ("bytes", figures.size(progress.total(Metric.BYTES)), ""),
        ("in flight", figures.count(progress.gauge(Metric.IN_FLIGHT)), ""),
        ("errors", figures.count(errors), _BAD if errors else ""),
    ]
    table = Table.grid(padding=(0, 1))
    table.width = width
    columns = 4 if width >= _NARROW else 2
    for _ in range(columns):
        table.add_column(style=_DIM, no_wrap=True, width=9)
        table.add_column(no_wrap=True, ratio=1)
    for start in range(0, len(cells), columns):
        row = cells[start : start + columns]
        table.add_row(*[cell for label, value, style in row for cell in (Text(label), Text(value, style=style))])
    return table


def _causes(progress: Progress, width: int) -> Table:
    causes = progress.errors()
    words = Text(overflow="ellipsis", no_wrap=True)
    for number, error in enumerate(causes[:_MAX_CAUSES]):
        words.append("   " if number else "")
        words.append(figures.printable(error.cause))
        words.append(f" {figures.count(error.count)}", style=_BAD)
    if len(causes) > _MAX_CAUSES:
        words.append(f"   and {len(causes) - _MAX_CAUSES} more", style=_DIM)
    table = Table.grid(padding=(0, 1))
    table.width = width
    table.add_column(style=_DIM, width=9)
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_row("causes", words)
    return table


def _workers(workers: list[WorkerView], room: int, width: int) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=_DIM, pad_edge=False)
    table.width = min(width, 76)
    table.add_column("worker", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("state", no_wrap=True, overflow="ellipsis", ratio=1)
    numbers = ("pages", "pages/s", "in flight", "errors")[: 4 if width >= _NARROW else 2]
    for head in numbers:
        table.add_column(head, justify="right", no_wrap=True, width=9)
    shown = workers if len(workers) <= room else workers[: room - 1]
    for view in shown:
        cells = (
            figures.count(view.pages),
            figures.speed(view.rate).removesuffix("/s"),
            figures.count(view.in_flight),
            figures.count(view.errors),
        )
        table.add_row(_text(view.worker), _state(view), *cells[: len(numbers)])
    if len(shown) == len(workers):
        return table
    return Group(table, Text(f"and {len(workers) - len(shown)} more", style=_DIM))


def _state(view: WorkerView) -> Text:
    words = view.state if view.state != "silent" else f"silent {figures.duration(view.silent_seconds)}"
    state = _text(words, _STATE_STYLES.get(view.state, GOLD))
    if view.restarts:
        state.append(f" ({view.restarts}\N{MULTIPLICATION SIGN} again)", style=_DIM)
    return state


def _errors(summary: Summary) -> Table:
    """One line a cause; a URL too long for the terminal is cut, the JSON summary has it whole."""
    table = Table.grid(padding=(0, 2))
    shown = summary.errors[:_MAX_ROWS]
    digits = max(len(figures.count(error.count)) for error in shown)
    words = min(32, max(len(error.cause) for error in shown))
    table.add_column(justify="right", style=_BAD, no_wrap=True, width=digits)
    table.add_column(no_wrap=True, overflow="ellipsis", width=words)
    table.add_column(style=_DIM)  # the one that may wrap as a column, so the one that Rich makes narrower
    for error in shown:
        example = Text(figures.printable(error.example or ""), no_wrap=True, overflow="ellipsis")
        table.add_row(figures.count(error.count), _text(error.cause), example)
    if len(summary.errors) > _MAX_ROWS:
        table.add_row("", "", Text(f"and {len(summary.errors) - _MAX_ROWS} causes more", style=_DIM))
    return table


def _output(uri: str, records: int | None, size: int | None) -> Text:
    words = _text("standard output" if uri == "-" else uri, "bold")
    if records is not None:
        words.append(f"  {figures.plural(records, 'record')}")
    if size is not None:
        words.append(f", {figures.size(size)}")
    return words


def _text(words: str, style: str = "") -> Text:
    return Text(figures.printable(words), style=style)

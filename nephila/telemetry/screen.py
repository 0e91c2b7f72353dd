"""The crawl on a screen: live figures on a terminal, a line every ten seconds elsewhere, a summary at the end.

    with Screen(progress, title="example.org") as screen:
        ...
        screen.refresh()                    # about once a second, after progress.update
    print_summary(summarise(progress, stopped="finished", outputs=[...]))

All of it goes to standard error: standard output belongs to the records. Rich is imported only when something is
drawn; it honours NO_COLOR and the terminal's width. Text of strangers never reaches the terminal as markup or codes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from nephila.telemetry import figures
from nephila.telemetry.names import Metric
from nephila.telemetry.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from nephila.telemetry.summary import Summary

PLAIN_SECONDS = 10.0


class Screen:
    """Shows a `Progress` while a crawl runs. `live` None: on a terminal that can move its cursor."""

    def __init__(
        self,
        progress: Progress,
        *,
        title: str = "",
        stream: TextIO | None = None,
        live: bool | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._progress = progress
        self._title = title
        self._stream = stream if stream is not None else sys.stderr
        self._wants_live = can_draw(self._stream) if live is None else live
        self._clock = clock
        self._next_line = clock() + PLAIN_SECONDS
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._wants_live:
            from rich.live import Live

            console = _console(self._stream)
            # Drawn by `refresh` alone: no thread of its own, no redraw of what has not changed. Transient: the
            # summary takes its place.
            self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
            self._live.start()
            self.refresh()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def refresh(self) -> None:
        """Draws the figures as they are; elsewhere than on a terminal, writes a line when ten seconds have passed."""
        if self._live is not None:
            from nephila.telemetry.drawing import picture

            console = self._live.console
            self._live.update(picture(self._progress, self._title, console.width, console.height), refresh=True)
        elif not self._wants_live and self._clock() >= self._next_line:
            self._next_line = self._clock() + PLAIN_SECONDS
            self._stream.write(plain_line(self._progress) + "\n")
            self._stream.flush()


def plain_line(progress: Progress) -> str:
    """`0:42  1,204 pages (30.1/s), 310 queued on 12 hosts, 4 errors, 13.4 MB, 1:58 left`"""
    hosts = figures.plural(progress.gauge(Metric.HOSTS), "host")
    parts = [
        f"{figures.plural(progress.total(Metric.PAGES), 'page')} ({figures.speed(progress.rate())})",
        f"{figures.count(progress.gauge(Metric.QUEUED))} queued on {hosts}",
        figures.plural(progress.total(Metric.ERRORS), "error"),
        figures.size(progress.total(Metric.BYTES)),
    ]
    left = progress.time_left()
    if left is not None:
        parts.append(f"{figures.duration(left)} left")
    return f"{figures.duration(progress.elapsed())}  {', '.join(parts)}"


def print_summary(summary: Summary, stream: TextIO | None = None) -> None:
    """The end of a crawl as a table: colours on a terminal, plain text elsewhere."""
    from nephila.telemetry.drawing import summary_table

    stream = stream if stream is not None else sys.stderr
    console = _console(stream)
    with console.capture() as capture:
        console.print(summary_table(summary))
    lines = [line.rstrip() for line in capture.get().splitlines()]
    stream.write("\n".join(lines) + "\n")
    stream.flush()


def can_draw(stream: TextIO) -> bool:
    """Whether this is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    terminal = stream.isatty()
    # Away from a terminal nothing is cut to a width that nobody has.
    return Console(file=stream, width=None if terminal else 200, highlight=False, markup=False, emoji=False)

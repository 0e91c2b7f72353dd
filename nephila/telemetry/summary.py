"""The end of a crawl in figures: what the summary table shows and `--json-summary FILE` stores.

The keys of the JSON are stable; new ones may come, none changes its meaning within a `schema`:

| key | value |
|---|---|
| `schema` | 1 |
| `stopped` | `finished`, `max_pages`, `max_time`, `interrupted` or `failed` |
| `complete` | true when nothing was left to do |
| `started_at`, `finished_at` | ISO 8601, UTC |
| `seconds`, `pages_per_second` | duration of this run; its mean speed |
| `pages`, `bytes`, `records` | fetched pages, their bytes, records committed; of this run |
| `queued`, `hosts`, `dead` | left in the frontier; its hosts; URLs given up |
| `errors` | list of `cause`, `count`, `example` (a URL or null), most frequent first |
| `outputs` | list of `uri`, `records`, `bytes`: what each holds now, earlier runs included |
| `workers` | how many took part |
| `restarts` | how often one of them was started again |
| `counters` | every counter by its name (nephila/telemetry/names.py) |
| `labelled` | the counters that have shares, by name and label |
| `timings` | by name: `count`, `mean`, `p50`, `p95` in seconds (null when unknown) |
| `resume`, `dead_letters` | the command that goes on; the one that lists the URLs given up; null when not needed |
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import orjson

from nephila.errors import ConfigError
from nephila.telemetry.counters import Timing
from nephila.telemetry.names import Kind, Metric
from nephila.telemetry.progress import ErrorCause, Progress

SCHEMA = 1

Stopped = Literal["finished", "max_pages", "max_time", "interrupted", "failed"]


@dataclass(frozen=True, slots=True)
class Output:
    """What an output holds at the end."""

    uri: str
    records: int | None = None
    """None where the sink cannot tell (standard output)."""
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    stopped: Stopped
    complete: bool
    started: float
    seconds: float
    pages: int
    bytes: int
    records: int
    queued: int
    hosts: int
    dead: int
    workers: int
    restarts: int
    errors: Sequence[ErrorCause] = ()
    outputs: Sequence[Output] = ()
    counters: dict[str, int] = field(default_factory=dict)
    labelled: dict[str, dict[str, int]] = field(default_factory=dict)
    timings: dict[str, Timing] = field(default_factory=dict)
    resume: str | None = None
    dead_letters: str | None = None

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0


def summarise(
    progress: Progress,
    *,
    stopped: Stopped,
    restarts: int | None = None,
    outputs: Sequence[Output] = (),
    resume: str | None = None,
    dead_letters: str | None = None,
) -> Summary:
    """`resume` and `dead_letters` are command lines for the user; they are kept only where they are of use."""
    workers, queued, dead = progress.workers(), progress.gauge(Metric.QUEUED), progress.gauge(Metric.DEAD)
    left = queued + progress.gauge(Metric.LEASED)
    return Summary(
        stopped=stopped,
        complete=stopped == "finished" and not left,
        started=progress.started,
        seconds=progress.elapsed(),
        pages=progress.total(Metric.PAGES),
        bytes=progress.total(Metric.BYTES),
        records=progress.total(Metric.RECORDS),
        queued=queued,
        hosts=progress.gauge(Metric.HOSTS),
        dead=dead,
        workers=len(workers),
        restarts=sum(worker.restarts for worker in workers) if restarts is None else restarts,
        errors=progress.errors(),
        outputs=outputs,
        counters={str(m): progress.total(m) for m in Metric if m.kind is Kind.COUNTER},
        labelled={str(m): progress.labelled(m) for m in Metric if m.kind is Kind.COUNTER and m.label},
        timings={str(m): progress.timing(m) for m in Metric if m.kind is Kind.TIMING},
        resume=resume if left or stopped == "failed" else None,
        dead_letters=dead_letters if dead else None,
    )


def summary_json(summary: Summary) -> bytes:
    """The documented keys, indented for people, with a line's end."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "stopped": summary.stopped,
        "complete": summary.complete,
        "started_at": _iso(summary.started),
        "finished_at": _iso(summary.started + summary.seconds),
        "seconds": round(summary.seconds, 3),
        "pages_per_second": round(summary.pages_per_second, 3),
        "pages": summary.pages,
        "bytes": summary.bytes,
        "records": summary.records,
        "queued": summary.queued,
        "hosts": summary.hosts,
        "dead": summary.dead,
        "errors": [{"cause": e.cause, "count": e.count, "example": e.example} for e in summary.errors],
        "outputs": [{"uri": o.uri, "records": o.records, "bytes": o.bytes} for o in summary.outputs],
        "workers": summary.workers,
        "restarts": summary.restarts,
        "counters": summary.counters,
        "labelled": summary.labelled,
        "timings": {name: _timing(timing) for name, timing in summary.timings.items()},
        "resume": summary.resume,
        "dead_letters": summary.dead_letters,
    }
    return orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def write_summary(summary: Summary, path: Path | str) -> None:
    """Stores the JSON whole or not at all: a reader that waits for the file never sees half of it."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(summary_json(summary))
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise ConfigError(f"cannot write the summary to {path}: {error.strerror}; name another file") from error


def _timing(timing: Timing) -> dict[str, float | int | None]:
    return {
        "count": timing.count,
        "mean": _known(timing.mean),
        "p50": _known(timing.quantile(0.5)),
        "p95": _known(timing.quantile(0.95)),
    }


def _known(seconds: float | None) -> float | None:
    return round(seconds, 6) if seconds is not None and math.isfinite(seconds) else None


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

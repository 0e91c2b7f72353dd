"""Running a crawl for the command line: screen while it runs, summary at the end, exit status."""

from __future__ import annotations

import asyncio
import shlex
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from nephila.api import run
from nephila.crawling.remarks import fetched_nothing
from nephila.job import Job
from nephila.telemetry import Progress, Screen, Summary, configure_logging, print_summary, summary_json, write_summary

_FETCHED_NOTHING = 1
_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class LogOptions:
    level: str = "warning"
    format: str = "text"
    file: Path | None = None

    def order(self) -> dict[str, Any]:
        """The same for a worker process."""
        return {"level": self.level, "format": self.format, "file": str(self.file) if self.file else None}


def run_crawl(
    job: Job,
    *,
    recrawl: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
    json_summary: Path | None = None,
    logs: LogOptions,
) -> int:
    """The crawl in this terminal; returns the exit status."""
    configure_logging(**logs.order())
    progress = Progress(max_pages=job.limits.max_pages, since=time.time())
    screen = None if quiet else Screen(progress, title=_title(job))
    remarks: list[str] = []
    with screen if screen is not None else nullcontext():
        summary = asyncio.run(
            run(
                job,
                recrawl=recrawl,
                overwrite=overwrite,
                logging=logs.order(),
                progress=progress,
                on_progress=screen.refresh if screen is not None else None,
                on_remark=remarks.append,
                on_notice=_tell,
                resume=shlex.join(["nephila", *sys.argv[1:]]),
            )
        )
    if json_summary is not None:
        _store(summary, json_summary)
    if not quiet:
        print_summary(summary)
        for remark in remarks:
            _tell(remark)
    return _status(summary)


def _tell(line: str) -> None:
    typer.echo(f"nephila: {line}", err=True)


def _status(summary: Summary) -> int:
    if summary.stopped == "interrupted":
        return _INTERRUPTED
    return _FETCHED_NOTHING if fetched_nothing(summary) else 0


def _title(job: Job) -> str:
    more = f" and {len(job.seeds) - 1} more" if len(job.seeds) > 1 else ""
    return (job.name or (job.seeds[0] if job.seeds else "")) + more


def _store(summary: Summary, path: Path) -> None:
    if str(path) == "-":
        sys.stdout.buffer.write(summary_json(summary))
    else:
        write_summary(summary, path)

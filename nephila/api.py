"""The Python API of a crawl: `crawl(job)` runs it to its end, `stream(job)` gives the records as they are committed."""

from __future__ import annotations

import asyncio
import logging as log
import shlex
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from nephila.crawling.remarks import remarks
from nephila.crawling.state import State, default_state
from nephila.crawling.supervisor import Outcome, Supervisor, check_seeds
from nephila.errors import ConfigError
from nephila.frontier import Frontier
from nephila.job import Job
from nephila.memory import Memory
from nephila.record import Record
from nephila.sinks.reader import tail
from nephila.telemetry import Output, Progress, Stopped, Summary, collect, redact, summarise
from nephila.telemetry.prometheus import frontier_snapshot, neighbour, serve_metrics, write_targets

__all__ = ["Summary", "crawl", "run", "stream"]

logger = log.getLogger(__name__)


def crawl(job: Job, *, recrawl: bool = False, overwrite: bool = False) -> Summary:
    """Runs the job to its end in worker processes and returns what happened; call it again to resume.

    Ctrl-C once drains, twice stops at once, as on the command line.
    """
    return asyncio.run(run(job, recrawl=recrawl, overwrite=overwrite))


async def run(
    job: Job,
    *,
    recrawl: bool = False,
    overwrite: bool = False,
    logging: dict[str, Any] | None = None,
    progress: Progress | None = None,
    on_progress: Callable[[], None] | None = None,
    on_remark: Callable[[str], None] = logger.warning,
    on_notice: Callable[[str], None] = logger.warning,
    resume: str | None = None,
) -> Summary:
    """`crawl` within a running event loop.

    `on_progress` is called when `progress` has new figures; `on_notice` with a line that a person should read at once,
    `on_remark` with those for the end.
    """
    state = State(job.state or default_state(job))
    check_seeds(job)  # before the output: who has mistyped the URL has not come to it yet
    if not job.outputs:
        raise ConfigError("no output: say where the records go, such as -o pages.jsonl (outputs in a job)")
    figures = progress or Progress(max_pages=job.limits.max_pages, since=time.time())
    said = state.log_size()

    async def turn(memory: Memory, frontier: Frontier) -> None:
        figures.update(await collect(memory), await frontier.stats())
        if on_progress is not None:
            on_progress()

    supervisor = Supervisor(job, state, recrawl, overwrite, logging or {}, on_turn=turn, notice=on_notice)
    with _watched(job, state, figures):
        outcome = await supervisor.run()
    summary = summarise(
        figures,
        restarts=outcome.restarts,
        stopped=_stopped(job, outcome),
        outputs=[Output(redact(uri), *await asyncio.to_thread(state.output_totals, uri)) for uri in job.outputs],
        resume=redact(resume) if resume else None,
        dead_letters=f"nephila dead list --state {shlex.quote(str(state.directory))}",
    )
    for line in remarks(job, outcome, summary, recrawl=recrawl):
        on_remark(line)
    if state.log_size() > said:
        on_remark(f"the workers' warnings are in {state.log}")
    return summary


@contextmanager
def _watched(job: Job, state: State, figures: Progress) -> Iterator[None]:
    """Answers Prometheus while the crawl runs, where the job names an address."""
    if job.metrics is None:
        yield
        return
    endpoint = serve_metrics(job.metrics, lambda: [frontier_snapshot(figures)])
    try:
        state.create()
        workers = [neighbour(endpoint.address, number + 1) for number in range(job.workers)]
        write_targets(state.directory / "metrics.json", [endpoint.address, *workers])
        yield
    finally:
        endpoint.close()


def _stopped(job: Job, outcome: Outcome) -> Stopped:
    if outcome.interrupted:
        return "interrupted"
    if not outcome.finished:
        return "max_time"
    return "max_pages" if job.limits.max_pages is not None and outcome.left else "finished"


async def stream(job: Job) -> AsyncGenerator[Record, None]:
    """The records that this crawl commits, each after it is safely written; leaving the loop stops the crawl.

    Without a `state` the crawl lives in a temporary directory and is forgotten at the end. With one it can be resumed:
    all its records, those of earlier runs too, are in `stream.jsonl` there.
    """
    with ExitStack() as stack:
        directory = job.state or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nephila-")))
        output, state = directory / "stream.jsonl", State(directory)
        outputs = (*job.outputs, str(output))
        supervisor = Supervisor(job.model_copy(update={"outputs": outputs, "state": directory}), state, signals=False)
        start = state.output_totals(str(output))[1] or 0
        running = asyncio.create_task(supervisor.run())
        try:
            async for record in tail(output, state.ledger, finished=running.done, start=start):
                yield record
            await running
        finally:
            supervisor.stop()
            await asyncio.gather(running, return_exceptions=True)

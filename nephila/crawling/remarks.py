"""What a person should be told at the end of a crawl, beside the figures: one line each, with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from nephila.crawling.supervisor import Outcome
from nephila.fetch.errors import Cause
from nephila.job import Job
from nephila.telemetry import Metric, Summary


def remarks(job: Job, outcome: Outcome, summary: Summary, *, recrawl: bool) -> Iterator[str]:
    if outcome.idle:
        yield _nothing_to_do(job, outcome, recrawl)
    if outcome.refused:
        yield (
            f"{outcome.refused:,} links were left out: too many of one shape that showed nothing new"
            f" (limits.family_budget = {job.limits.family_budget}): raise it if they are pages, not a trap"
        )
    if fetched_nothing(summary):
        first = summary.errors[0]
        yield f"nothing could be fetched: {first.cause}" + (f" ({first.example})" if first.example else "")
    if any(error.cause == Cause.ADDRESS for error in summary.errors):
        yield (
            "private addresses are refused: pass --allow-private (http.allow_private in a job)"
            " if they are of your own network"
        )


def fetched_nothing(summary: Summary) -> bool:
    """The crawl came to its end and no page had answered: the seeds, or the network, are at fault."""
    answered = summary.pages + summary.counters.get(Metric.UNCHANGED, 0)
    return summary.stopped == "finished" and not answered and bool(summary.errors)


def _nothing_to_do(job: Job, outcome: Outcome, recrawl: bool) -> str:
    if recrawl:
        return "no page is due for another visit yet: recrawl.start and recrawl.min in a job file say how soon one is"
    if outcome.left and job.limits.max_pages is not None:
        return f"this crawl had reached its limit of {job.limits.max_pages} pages: raise --max-pages to go on"
    return "this crawl is complete: --recrawl visits its pages again, another --state starts anew"

"""Side by side: each method on each data set, as rows of one table. Knows samples, scores and text functions."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nephila.content.gold.datasets import Sample
from nephila.content.score import Score, bag_score, mean, segment_f1, segment_score

TextOf = Callable[[Sample], str]
_POOR = 0.5


@dataclass(frozen=True, slots=True)
class PageResult:
    """How one method did on one page."""

    id: str
    milliseconds: float
    score: Score | None
    segments: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    set: str
    method: str
    pages: int
    score: Score
    poor: float | None
    """The share of pages with an F1 under one half; None where only segments are known."""
    milliseconds: float
    """Median CPU time a page, from HTML to text."""


def judge_page(sample: Sample, text_of: TextOf) -> PageResult:
    """Runs a method on a page. A page on which it fails is a page without text."""
    start = time.process_time()
    try:
        text = text_of(sample)
    except Exception:
        text = ""
    milliseconds = (time.process_time() - start) * 1000
    if sample.segments_only:
        return PageResult(sample.id, milliseconds, None, segment_score(text, sample.wanted, sample.unwanted))
    return PageResult(sample.id, milliseconds, bag_score(text, sample.gold))


def row_of(name: str, method: str, results: Sequence[PageResult]) -> Row:
    """The results of one method on one set, together."""
    scores = [result.score for result in results if result.score is not None]
    segments = [result.segments for result in results if result.segments is not None]
    return Row(
        set=name,
        method=method,
        pages=len(results),
        score=segment_f1(segments) if segments else mean(scores),
        poor=None if segments else sum(score.f1 < _POOR for score in scores) / max(1, len(scores)),
        milliseconds=statistics.median(result.milliseconds for result in results) if results else 0.0,
    )


def interleaved(samples: Iterable[Sample], methods: dict[str, TextOf]) -> dict[str, list[PageResult]]:
    """Each page goes to all methods in turn, so that the machine's moods are shared by all."""
    results: dict[str, list[PageResult]] = {name: [] for name in methods}
    for sample in samples:
        for name, text_of in methods.items():
            results[name].append(judge_page(sample, text_of))
    return results


def cached_results(directory: Path, name: str, pages: set[str]) -> dict[str, list[PageResult]]:
    """What `benchmarks.content_peers` wrote of a set, for the pages that are judged."""
    found: dict[str, list[PageResult]] = {}
    for path in sorted(directory.glob(f"{name}.*.jsonl")):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        found[path.name.removeprefix(f"{name}.").removesuffix(".jsonl")] = [
            PageResult(
                row["id"],
                row["ms"],
                Score(row["p"], row["r"], row["f1"]) if "f1" in row else None,
                tuple(row["segments"]) if "segments" in row else None,
            )
            for row in rows
            if row["id"] in pages
        ]
    return found

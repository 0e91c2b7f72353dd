"""Dead letters of a state directory, read and replayed."""

from __future__ import annotations

from pathlib import Path

from nephila.crawling.state import State
from nephila.errors import InputError, StateError
from nephila.frontier import DeadLetter, Frontier
from nephila.job import Job
from nephila.urls import canonicalize, fingerprint


def _open(directory: Path) -> Frontier:
    state = State(directory)
    if not state.exists:
        raise StateError(f"{directory} holds no crawl: name the directory that was given to --state")
    return state.open_frontier(Job())


async def dead_letters(directory: Path, limit: int) -> list[DeadLetter]:
    frontier = _open(directory)
    try:
        return await frontier.dead_letters(limit)
    finally:
        await frontier.close()


async def replay(directory: Path, urls: list[str]) -> int:
    canonical = [canonicalize(url) for url in urls]
    if None in canonical:
        raise InputError(f"{urls[canonical.index(None)]!r} is not an http or https URL")
    frontier = _open(directory)
    try:
        return await frontier.replay([fingerprint(url) for url in canonical if url is not None] or None)
    finally:
        await frontier.close()

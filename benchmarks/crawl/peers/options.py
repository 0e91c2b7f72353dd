"""The one command line that all peers take, so that they are measured alike."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Options:
    seeds: list[str]
    out: Path
    concurrency: int
    per_host: int
    robots: bool
    redis: str | None

    @property
    def hosts(self) -> list[str]:
        return [urlsplit(seed).hostname or "" for seed in self.seeds]

    @property
    def netlocs(self) -> list[str]:
        return [urlsplit(seed).netloc for seed in self.seeds]


def parse() -> Options:
    parser = argparse.ArgumentParser()
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--per-host", type=int, default=16)
    parser.add_argument("--robots", action="store_true")
    parser.add_argument("--redis")
    given = parser.parse_args()
    return Options(given.seeds, given.out, given.concurrency, given.per_host, given.robots, given.redis)

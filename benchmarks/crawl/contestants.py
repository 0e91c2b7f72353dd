"""Who takes part: the command of each crawler, and how the pages that it brought are read. The only place to adapt
when a command line changes. A contestant that cannot run here says why and is left out.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from benchmarks.crawl.servers import Redis
from benchmarks.crawl.sites import Plan

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Race:
    """What is the same for all."""

    plan: Plan
    concurrency: int = 32
    per_host: int = 16
    robots: bool = True
    project_python: Path = field(default_factory=lambda: ROOT / ".venv" / "bin" / "python")


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    what: str
    command: Callable[[Race, Path, Redis | None], list[str]]
    """From the race, an empty folder of its own, and the Redis where it needs one."""
    pages: Callable[[Race, Path], Counter[str]]
    """The URLs that it brought, each with how often."""
    missing: Callable[[Race], str | None]
    """Why it cannot run here, or None."""
    needs_redis: bool = False
    optional: bool = False
    """Only when asked for by name."""


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


# --- Nephila


def nephila_program(race: Race) -> list[str]:
    script = race.project_python.with_name("nephila")
    if script.exists():
        return [str(script)]
    return [str(race.project_python), "-m", "nephila"]


def nephila_command(race: Race, folder: Path, workers: int, extract: str = "plain") -> list[str]:
    """The crawl as a user would start it; run again in the same folder it resumes."""
    job = folder / "job.toml"
    job.write_text(
        f'extract = "{extract}"\n'
        f"[politeness]\ndelay = 0.0\nparallel = {race.per_host}\n"
        # The job counts for one worker, the race for all together.
        f"concurrency = {max(1, race.concurrency // workers)}\nrobots = {str(race.robots).lower()}\n",
        encoding="utf-8",
    )
    return [
        *nephila_program(race),
        "crawl",
        *race.plan.seeds(),
        *("--job", str(job)),
        *("-o", str(folder / "out.jsonl")),
        *("--workers", str(workers)),
        *("--state", str(folder / "state")),
        "--allow-private",
    ]


def nephila_missing(race: Race) -> str | None:
    if not race.project_python.exists():
        return f"no {race.project_python}: make the project's environment first"
    asked = subprocess.run(
        [*nephila_program(race), "crawl", "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        timeout=120,
        check=False,
    )
    return None if asked.returncode == 0 else f"`nephila crawl --help` fails: {(asked.stderr or '?').splitlines()[-1]}"


def _nephila_on_redis() -> Contestant:
    """What the shared frontier costs, beside the embedded one."""

    def command(race: Race, folder: Path, store: Redis | None) -> list[str]:
        return [*nephila_command(race, folder, 1, "plain"), "--frontier", store.url if store else ""]

    return Contestant(
        "nephila1+redis",
        "Nephila as nephila1, with the frontier in Redis",
        command,
        lambda _, folder: json_lines(folder / "out.jsonl"),
        nephila_missing,
        needs_redis=True,
        optional=True,
    )


def _nephila(name: str, workers: int, extract: str, what: str, *, optional: bool = False) -> Contestant:
    return Contestant(
        name,
        what,
        lambda race, folder, _: nephila_command(race, folder, workers, extract),
        lambda _, folder: json_lines(folder / "out.jsonl"),
        nephila_missing,
        optional=optional,
    )


# --- Peers written in Python


def _peer(name: str, module: str, package: str, what: str, **more: bool) -> Contestant:
    def command(race: Race, folder: Path, store: Redis | None) -> list[str]:
        return [
            sys.executable,
            *("-m", f"benchmarks.crawl.peers.{module}"),
            *race.plan.seeds(),
            *("--out", str(folder / "out.jsonl")),
            *("--concurrency", str(race.concurrency), "--per-host", str(race.per_host)),
            *(["--robots"] if race.robots else []),
            *(["--redis", store.url] if store else []),
        ]

    def missing(_: Race) -> str | None:
        return None if importlib.util.find_spec(package) else f"{package} is not installed: see benchmarks/README.md"

    return Contestant(name, what, command, lambda _, folder: json_lines(folder / "out.jsonl"), missing, **more)


# --- wget2


def _wget2_command(race: Race, folder: Path, _: Redis | None) -> list[str]:
    return [
        *("wget2", "--recursive", "--level=0", "--no-verbose", "--no-config"),
        f"--max-threads={race.concurrency}",
        f"--robots={'on' if race.robots else 'off'}",
        *("--follow-tags=a/href", "--ignore-tags=img/src,img/srcset,source/srcset,link/href,script/src"),
        f"--directory-prefix={folder / 'files'}",
        *race.plan.seeds(),
    ]


def _wget2_pages(race: Race, folder: Path) -> Counter[str]:
    """Files back to URLs; a folder of wget2 is named after the host."""
    found: Counter[str] = Counter()
    for site in range(race.plan.sites):
        address = race.plan.address(site)
        for root in (folder / "files" / address, folder / "files" / f"{address}:{race.plan.port}"):
            for file in root.rglob("*.html*"):
                path = quote(str(file.relative_to(root)))
                found[race.plan.origin(site) + "/" + ("" if path == "index.html" else path)] += 1
    return found


def json_lines(file: Path) -> Counter[str]:
    """The `url` of every line; a line that cannot be read counts as a page of its own, so that it is noticed."""
    return Counter(_urls(file))


def _urls(file: Path) -> Iterator[str]:
    if not file.exists():
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines):
            try:
                yield json.loads(line)["url"]
            except (ValueError, KeyError, TypeError):
                yield f"unreadable line {number + 1}"


CONTESTANTS: dict[str, Contestant] = {
    contestant.name: contestant
    for contestant in (
        _nephila("nephila1", 1, "plain", "Nephila, 1 worker: frontier on disk, text by plain rules, metadata"),
        _nephila("nephila2", 2, "plain", "the same with 2 workers"),
        _nephila("nephila1+text", 1, "auto", "Nephila, 1 worker, trained extraction", optional=True),
        _nephila("nephila2+text", 2, "auto", "the same with 2 workers", optional=True),
        _nephila_on_redis(),
        _peer("bare", "bare_loop", "uvloop", "aiohttp + lexbor loop: the limit of one process"),
        _peer("scrapy", "scrapy_spider", "scrapy", "stock Scrapy + LinkExtractor"),
        _peer(
            "scrapy-redis", "scrapy_redis_spider", "scrapy_redis", "Scrapy with its queue in Redis", needs_redis=True
        ),
        _peer("crawlee", "crawlee_crawler", "crawlee", "Crawlee, Parsel crawler, storage in memory"),
        Contestant(
            "wget2",
            "GNU Wget2, recursive, writes files; C, threads, no extraction",
            _wget2_command,
            _wget2_pages,
            lambda _: None if shutil.which("wget2") else "wget2 is not installed: apt install wget2",
        ),
        _peer(
            "scrapy+trafilatura",
            "scrapy_trafilatura",
            "trafilatura",
            "stock Scrapy + LinkExtractor + trafilatura",
            optional=True,
        ),
    )
}

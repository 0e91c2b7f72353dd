"""`nephila crawl`: the main job."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

_Seeds = Annotated[list[str] | None, typer.Argument(metavar="URL", help="Where to start.", show_default=False)]
_Outputs = Annotated[
    list[str] | None,
    typer.Option("-o", "--output", metavar="FILE|URI", help="Where records go; may be given several times."),
]


def crawl(
    seeds: _Seeds = None,
    output: _Outputs = None,
    seeds_file: Annotated[
        Path | None,
        typer.Option("--seeds", metavar="FILE", help="More URLs to start from, one a line (- for standard input)."),
    ] = None,
    job: Annotated[
        Path | None, typer.Option("--job", metavar="FILE", help="A TOML job file; flags override it.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option("--state", metavar="DIR", help="Where the crawl keeps its state.")
    ] = None,
    frontier: Annotated[
        str | None,
        typer.Option("--frontier", metavar="URL", help="Share the crawl: a Redis server, redis://host:port."),
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", metavar="N", min=1, help="Stop after N pages.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", min=0, help="Follow links N steps at most.")
    ] = None,
    max_time: Annotated[
        str | None, typer.Option("--max-time", metavar="TIME", help="Stop after 90s, 30m, 2h ...")
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", metavar="N", min=1, help="Worker processes.")] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="site|host|prefix|any", help="Which links are followed.")
    ] = None,
    include: Annotated[list[str] | None, typer.Option("--include", metavar="PATTERN", help="Only such URLs.")] = None,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", metavar="PATTERN", help="No such URLs.")] = None,
    delay: Annotated[
        str | None, typer.Option("--delay", metavar="SECONDS", help="Between requests to a host; default: auto.")
    ] = None,
    render: Annotated[
        str | None, typer.Option("--render", metavar="never|auto|always", help="Use a browser where pages need one.")
    ] = None,
    screenshots: Annotated[
        Path | None,
        typer.Option("--screenshots", metavar="DIR", help="Keep a picture of each page that is drawn."),
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch private and loopback addresses too.")
    ] = False,
    user_agent: Annotated[
        str | None, typer.Option("--user-agent", metavar="TEXT", help="Instead of Nephila/VERSION.")
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option("--contact", metavar="URL|MAIL", help="Named in the User-Agent, for the sites' owners."),
    ] = None,
    recrawl: Annotated[
        bool, typer.Option("--recrawl", help="Visit again the pages that are due, changed ones first.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace output files that are there already.")
    ] = False,
    extract: Annotated[
        str | None, typer.Option("--extract", metavar="auto|plain", help="The main text, or all visible text, faster.")
    ] = None,
    refine: Annotated[
        bool, typer.Option("--refine", help="Read each site's first pages at the end, knowing the site.")
    ] = False,
    links: Annotated[bool, typer.Option("--links", help="Write each page's links into its record.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress and no summary.")] = False,
    json_summary: Annotated[
        Path | None, typer.Option("--json-summary", metavar="FILE", help="Write the summary as JSON (- for stdout).")
    ] = None,
    log_level: Annotated[str, typer.Option("--log-level", metavar="LEVEL")] = "warning",
    log_format: Annotated[str, typer.Option("--log-format", metavar="text|json")] = "text",
    log_file: Annotated[Path | None, typer.Option("--log-file", metavar="FILE")] = None,
) -> None:
    """Crawl sites from the URLs given and write one record a page.

    The crawl can be stopped (Ctrl-C once finishes what is under way, twice stops at once) and killed at any moment:
    the same command goes on where it was, and no page is written twice.

    Exit status: 0 done, 1 nothing could be fetched, 2 bad input or an output that fails, 130 interrupted.

    \b
    nephila crawl https://example.org -o pages.jsonl
    nephila crawl https://example.org/blog/ --scope prefix --max-pages 500 -o blog.jsonl.gz
    nephila crawl --job job.toml --workers 4
    """
    from nephila.cli.running import LogOptions, run_crawl
    from nephila.job import Job, load_toml, merge

    given = [*(seeds or []), *(_seeds_of(seeds_file) if seeds_file else [])]
    flags: dict[str, Any] = {
        "seeds": [_with_scheme(seed) for seed in given] or None,
        "outputs": output or None,
        "state": str(state) if state else None,
        "frontier": frontier,
        "workers": workers,
        "render": render,
        "extract": extract,
        "refine": refine or None,
        "links": links or None,
        "limits": {"max_pages": max_pages, "depth": depth, "max_time": max_time},
        "scope": {"mode": scope, "include": include or None, "exclude": exclude or None},
        "politeness": {"delay": delay},
        "browser": {"screenshots": str(screenshots) if screenshots else None},
        "http": {"allow_private": allow_private or None, "user_agent": user_agent, "contact": contact},
    }
    data = merge(load_toml(job) if job else {}, flags)
    raise typer.Exit(
        run_crawl(
            Job.from_dict(data, str(job) if job else "the command line"),
            recrawl=recrawl,
            overwrite=overwrite,
            quiet=quiet,
            json_summary=json_summary,
            logs=LogOptions(log_level, log_format, log_file),
        )
    )


def _seeds_of(path: Path) -> list[str]:
    """The URLs of a file, one a line; blank lines and those that begin with # are left out."""
    from nephila.errors import InputError

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the seeds of {path}: {getattr(error, 'strerror', None) or error}") from None
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def _with_scheme(seed: str) -> str:
    """`example.org/x` means https, as in a browser; a port or loopback name alone means plain http."""
    host = seed.split("/", 1)[0]
    name, colon, port = host.rpartition(":")
    if "://" in seed or not seed or (colon and not port.isdigit() and "[" not in name):
        return seed  # has a scheme, if perhaps a misspelt one (`htp:/x`), which is told as such
    return f"{'http' if ':' in host or host.startswith(('localhost', '127.')) else 'https'}://{seed}"

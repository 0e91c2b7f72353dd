"""A forum with addresses that flip: how much of what each crawler fetches is worth it? (The table of system B.)

    python -m benchmarks.forum_peers

Nephila, HTTrack and a plain breadth-first crawl on the sample forum, a fresh server for each, no delay, as a guest.
Read from the server's own log: *valid* is the first fetch of a page of the index, a board or a thread; *duplicate* a
further fetch of the same content under whatever address (another order, a session in the address, a print view); the
rest of what was answered with a page is *uninformative* (log in, reply, search, members, error pages). Redirects, feeds
and sitemaps are not pages. Needs httrack for its row.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from pathlib import Path
from urllib.parse import parse_qs, urldefrag, urljoin, urlsplit

import aiohttp
from selectolax.lexbor import LexborHTMLParser

from nephila.demo import serve

_SID = re.compile(r";sid=[0-9a-f]+")
_BOARD = re.compile(r"/board/(\d+)")
_THREAD = re.compile(r"/(?:thread|t)/(\d+)(?![\d]*/(?:unread|last|next|previous))")
_FOR_MACHINES = re.compile(r"/(?:robots\.txt|sitemap\.xml|favicon\.ico|feed/)")
_PRINT = re.compile(r"/print/(\d+)")


def content_of(path: str) -> tuple[str, str, str] | None:
    """Which page of the forum an address shows, however it is spelled; None for what no reader came for."""
    parts = urlsplit(_SID.sub("", path))
    page = parse_qs(parts.query).get("page", ["1"])[0]
    if parts.path == "/":
        return "index", "", "1"
    for kind, pattern in (("board", _BOARD), ("thread", _THREAD)):
        found = pattern.match(parts.path)
        if found:
            return kind, found[1], page
    return None


def judge(requests: list[tuple[str, int | None]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str, str]] = set()
    for path, status in requests:
        if status is None or 300 <= status < 400 or _FOR_MACHINES.match(path):
            continue
        content = content_of(path)
        if status == 200 and content is not None:
            counts["duplicate" if content in seen else "valid"] += 1
            seen.add(content)
        elif status == 200 and _PRINT.match(path):
            counts["duplicate"] += 1  # the thread once more, without its furniture
        else:
            counts["uninformative"] += 1
        counts["total"] += 1
    return counts


def nephila(url: str, place: Path, *more: str) -> None:
    command = [sys.executable, "-m", "nephila", "crawl", url, "-o", str(place / "pages.jsonl"), "-q", "--allow-private"]
    subprocess.run([*command, "--state", str(place / "state"), *more], check=True)


def nephila_told(url: str, place: Path) -> None:
    """With what system B's user says by CSS selectors: which links are boards, threads and their pages."""
    wanted = ["--include", "*/board/*", "--include", "*/thread/*"]
    flips = [
        "--exclude",
        "*sort=*",
        "--exclude",
        "*order=*",
        "--exclude",
        r"re:/thread/\d+/(unread|last|next|previous)",
    ]
    nephila(url, place, *wanted, *flips)


def httrack(url: str, place: Path) -> None:
    command = ["httrack", url, "-O", str(place), "--quiet", "--disable-security-limits", "--max-rate=0", "--sockets=8"]
    subprocess.run(
        [*command, "--connection-per-second=0", "--robots=2"], check=True, stdout=subprocess.DEVNULL, timeout=900
    )


def breadth_first(url: str, _: Path) -> None:
    asyncio.run(_walk(url))


async def _walk(url: str, most: int = 20_000) -> None:
    """What a first course on crawling ends with: a queue and a set of addresses; cookies kept, fragments dropped."""
    queue, seen, asked = deque([url]), {url}, 0
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        while queue and asked < most:
            batch = [queue.popleft() for _ in range(min(8, len(queue)))]
            asked += len(batch)
            for page, text in zip(batch, await asyncio.gather(*(_get(session, each) for each in batch)), strict=True):
                for node in LexborHTMLParser(text).css("a[href]"):
                    link = urldefrag(urljoin(page, node.attributes["href"] or "")).url
                    if link.startswith(url) and link not in seen:
                        seen.add(link)
                        queue.append(link)


async def _get(session: aiohttp.ClientSession, url: str) -> str:
    try:
        async with session.get(url) as answer:
            return await answer.text() if "html" in answer.content_type else ""
    except (aiohttp.ClientError, UnicodeDecodeError):
        return ""


CONTESTANTS = {"Nephila, told": nephila_told, "Nephila": nephila, "HTTrack": httrack, "breadth-first": breadth_first}


def main() -> int:
    print(f"{'crawler':<14} {'total':>6} {'valid':>6} {'duplicate':>10} {'uninformative':>14} {'seconds':>8}")
    for name, run in CONTESTANTS.items():
        if name == "HTTrack" and shutil.which("httrack") is None:
            print(f"{name:<14} is not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="nephila-forum-") as temporary:
            place = Path(temporary)
            with serve("forum", log=place / "log.jsonl") as served:
                began = time.monotonic()
                run(served["forum"], place)
                seconds = time.monotonic() - began
                counts = judge([(request.path, request.status) for request in served.requests("forum")])
        row = [counts[word] for word in ("total", "valid", "duplicate", "uninformative")]
        print(f"{name:<14} {row[0]:>6} {row[1]:>6} {row[2]:>10} {row[3]:>14} {seconds:>8.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

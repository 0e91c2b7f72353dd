"""A forum with addresses that flip: how much of what each crawler fetches is worth it? (The table of system B.)

    python -m benchmarks.forum_peers

Nephila, HTTrack, wget2 and a plain breadth-first crawl on the sample forum, a fresh server for each, no delay, as a
guest. Read from the server's own log: *valid* is the first fetch of a page of the index, a board or a thread;
*duplicate* a further fetch of the same content under whatever address (another order, a session in the address, a print
view); the rest of what was answered with a page is *uninformative* (log in, reply, search, members, error pages).
Redirects, feeds and sitemaps are not pages. wget2 writes the `;` of the sessions as `%3B`, which this forum does not
know; wget is run as well. *MB* is what the crawler's processes had in memory at most, *pages/s* counts valid pages.
Needs httrack and wget2 for their rows; writes benchmarks/results/forum_peers.json and, with matplotlib, .png.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import parse_qs, urldefrag, urljoin, urlsplit

import aiohttp
from selectolax.lexbor import LexborHTMLParser

from benchmarks.crawl import measure
from nephila.demo import serve

RESULTS = Path(__file__).parent / "results"
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
    command = [
        sys.executable,
        "-m",
        "nephila",
        "crawl",
        url,
        "-o",
        str(place / "pages.jsonl"),
        "-q",
        "--allow-private",
        "--delay",
        "0",
    ]
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


def wget2(url: str, place: Path) -> None:
    """Every link of the host, scripts and pictures aside; its own limit keeps it from the endless part."""
    command = ["wget2", "-r", "-l", "20", "-e", "robots=on", "--max-threads=8", "-q", "-P", str(place), "--quota=400m"]
    subprocess.run([*command, "--reject=*.css,*.js,*.png,*.svg,*.ico", url], check=False, timeout=900)


def wget(url: str, place: Path) -> None:
    command = ["wget", "-r", "-l", "inf", "-nv", "-P", str(place), "--quota=400m", "--reject=css,js,png,svg,ico", url]
    subprocess.run(command, check=False, timeout=900, stderr=subprocess.DEVNULL)


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


CONTESTANTS = {
    "Nephila": nephila,
    "Nephila, told": nephila_told,
    "HTTrack": httrack,
    "wget2": wget2,
    "wget": wget,
    "breadth-first": breadth_first,
}
PROGRAMS = {"HTTrack": "httrack", "wget2": "wget2", "wget": "wget"}
COLUMNS = ("total", "valid", "duplicate", "uninformative", "seconds", "MB", "pages/s")


@dataclass
class Row:
    crawler: str
    counts: dict[str, int]
    seconds: float
    megabytes: float

    def cells(self) -> list[str]:
        counts = [str(self.counts[word]) for word in COLUMNS[:4]]
        rate = self.counts["valid"] / self.seconds
        return [*counts, f"{self.seconds:.2f}", f"{self.megabytes:.0f}", f"{rate:.1f}"]


def compete(name: str) -> Row:
    """One crawler in a process of its own, on a fresh server."""
    with tempfile.TemporaryDirectory(prefix="nephila-forum-") as temporary:
        place = Path(temporary)
        with serve("forum", log=place / "log.jsonl") as served:
            began = time.monotonic()
            runner = get_context("fork").Process(target=CONTESTANTS[name], args=(served["forum"], place))
            runner.start()
            peak = 0
            while runner.is_alive():
                peak = max(peak, _memory(runner.pid or 0))
                runner.join(0.1)
            seconds = time.monotonic() - began
            counts = judge([(request.path, request.status) for request in served.requests("forum")])
    return Row(name, {word: counts[word] for word in COLUMNS[:4]}, round(seconds, 3), peak / 2**20)


def _memory(pid: int) -> int:
    """Bytes of a process and all below it."""
    return sum(map(measure.rss, measure.tree(pid)))


def draw(rows: list[Row], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 0.7 * len(rows) + 1.2), layout="constrained")
    names, left = [row.crawler for row in rows], [0] * len(rows)
    for word, colour in (("valid", "#2a7f62"), ("duplicate", "#e0a030"), ("uninformative", "#b0b0b0")):
        widths = [row.counts[word] for row in rows]
        axis.barh(names, widths, left=left, color=colour, label=word)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axis.invert_yaxis()
    axis.set_xlabel("pages fetched on the same forum")
    axis.legend(frameon=False, ncols=3, loc="lower right")
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=140)


def main() -> int:
    print("| crawler | " + " | ".join(COLUMNS) + " |\n|---|" + "--:|" * len(COLUMNS))
    rows = []
    for name in CONTESTANTS:
        if name in PROGRAMS and shutil.which(PROGRAMS[name]) is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        rows.append(compete(name))
        print(f"| {name} | " + " | ".join(rows[-1].cells()) + " |", flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "forum_peers.json").write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    try:
        draw(rows, RESULTS / "forum_peers.png")
    except ImportError:
        print("no picture: matplotlib is not installed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

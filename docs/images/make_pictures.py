"""Draws docs/images/crawl.svg: a real crawl of the sample sites, its live screen half way and its summary.

    python docs/images/make_pictures.py

The screen is drawn by the same code that draws it in a terminal, from the figures of this very run; Rich exports it.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

from nephila.api import run
from nephila.cli.showing import FRIENDLY
from nephila.demo import serve
from nephila.job import Job
from nephila.telemetry import Metric, Progress
from nephila.telemetry.drawing import picture, summary_table

PLACE = Path(__file__).parent
WIDTH = 92
HALF_WAY = 1_800
"""Pages after which the screen is kept; the sample sites have about 3,700."""
_FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


async def crawl(console: Console, seeds: list[str], directory: Path) -> None:
    output = "pages.jsonl"
    job = Job(
        seeds=tuple(seeds),
        outputs=(str(directory / output),),
        state=directory / "state",
        workers=2,
        http={"allow_private": True},  # type: ignore[arg-type]
    )
    progress = Progress(since=time.time())
    kept = 0.0

    def look() -> None:
        nonlocal kept
        if not kept and progress.total(Metric.PAGES) >= HALF_WAY:
            kept = progress.elapsed()
            console.print(picture(progress, f"{seeds[0]} and {len(seeds) - 1} more", WIDTH, 24))
            console.print()

    command = f"nephila crawl {' '.join(seeds)} \\\n      --allow-private --workers 2 -o {output} --state state"
    console.print(Text.assemble(("$ ", "bright_black"), (command, "bold")))
    console.print()
    summary = await run(job, progress=progress, on_progress=look)
    console.print(Text(f"... {summary.seconds - kept:.0f} seconds later", "bright_black"))
    console.print()
    with console.capture() as capture:
        console.print(summary_table(summary))
    console.print(Text.from_ansi(capture.get().replace(f"{directory}/", "").rstrip()))


def main() -> None:
    console = Console(record=True, width=WIDTH, force_terminal=True, highlight=False, color_system="truecolor")
    with serve(*FRIENDLY) as served, tempfile.TemporaryDirectory() as directory:
        asyncio.run(crawl(console, [served[name] for name in FRIENDLY], Path(directory)))
    # The reader's own monospaced font: a picture must not fetch one from somewhere.
    drawn = console.export_svg(title="nephila crawl", unique_id="crawl")
    (PLACE / "crawl.svg").write_text(_FONTS.sub("", drawn).replace("Fira Code, monospace", "monospace"))


if __name__ == "__main__":
    main()

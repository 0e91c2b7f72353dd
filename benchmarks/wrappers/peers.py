"""One labelled page of each site: Nephila and AutoScraper on the same pages, in the same run.

    python -m benchmarks.wrappers.peers [--verticals book movie] [--pages 20] [--python .venv-peers/bin/python]

Both get the values of the same page; Nephila sees 19 more pages of the site without labels, as a crawl does. Both are
scored on the same other pages: hitF1, the first value of a field is among the right ones. AutoScraper 1.1.14 needs
Beautiful Soup 4.12 (`pip install autoscraper 'beautifulsoup4<4.13'`): with later ones it finds next to nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.wrappers.learned import CHOSEN, Rows, all_sites, labelled_page, sampled, trained
from benchmarks.wrappers.sites import VERTICALS, f1
from nephila.document import parse
from nephila.wrappers.outline import Outline


class Peer:
    """AutoScraper in an environment of its own."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, "-m", "benchmarks.wrappers.autoscraper_peer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self._answer()["bs4"]

    def ask(self, page: str, wanted: dict[str, str], pages: list[str]) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"page": page, "wanted": wanted, "pages": pages}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit("AutoScraper did not start: name an interpreter that has it with --python")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@dataclass
class Tally:
    scores: list[float] = field(default_factory=list)
    learning: list[float] = field(default_factory=list)
    reading: list[float] = field(default_factory=list)

    def add(self, rows: Rows, found: list[dict[str, str]], names: list[str]) -> None:
        for name in names:
            gold = sum(bool(row["gold"][name]) for row in rows)
            if gold:
                values = [
                    (row["gold"][name], each[name]) for row, each in zip(rows, found, strict=True) if name in each
                ]
                self.scores.append(f1(sum(value in right for right, value in values), len(values), gold))

    def line(self, name: str) -> str:
        return (
            f"{name:12} hitF1 {np.mean(self.scores):.3f}  learning a site {np.median(self.learning):.2f} s, "
            f"reading a page {np.median(self.reading) * 1e3:.1f} ms, parse included (median CPU)"
        )


def compare(vertical: str, site: str, rows: Rows, count: int, peer: Peer, mine: Tally, theirs: Tally) -> None:
    chosen = sampled(rows)
    full = labelled_page(rows, chosen)
    page = rows[chosen[full]]
    texts = set(Outline(parse(page["html"])).texts)
    wanted = {name: next((v for v in values if v in texts), "") for name, values in page["gold"].items()}
    wanted = {name: value for name, value in wanted.items() if value}
    tests = [row for place, row in enumerate(rows) if place not in chosen][:count]
    start = time.process_time()
    template, _, _ = trained(rows, vertical, site, [full], only_sample=True)
    mine.learning.append(time.process_time() - start)
    found = []
    for row in tests:
        start = time.process_time()
        outline = Outline(parse(row["html"]))
        reading = template.read(outline)
        mine.reading.append(time.process_time() - start)
        found.append({name: outline.texts[unit] for name, unit in reading.units.items()})
    mine.add(tests, found, list(wanted))
    answer = peer.ask(page["html"], wanted, [row["html"] for row in tests])
    theirs.learning.append(answer["build"])
    theirs.reading += answer["read"]
    squashed = [{name: " ".join(value.split()) for name, value in each.items()} for each in answer["found"]]
    theirs.add(tests, squashed, list(wanted))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--verticals", nargs="*", default=list(VERTICALS), choices=VERTICALS)
    options.add_argument("--pages", type=int, default=20, help="of each site, to be read")
    options.add_argument("--python", default=".venv-peers/bin/python")
    chosen = options.parse_args()
    CHOSEN[:] = chosen.verticals
    peer, mine, theirs = Peer(chosen.python), Tally(), Tally()
    begin: dict[str, int] = {}
    for vertical, site, rows in all_sites():
        begin.setdefault(vertical, len(mine.scores))
        compare(vertical, site, rows, chosen.pages, peer, mine, theirs)
        print(f"{vertical}/{site}: {np.mean(mine.scores):.3f} {np.mean(theirs.scores):.3f} so far", file=sys.stderr)
    peer.close()
    print(f"{len(mine.scores)} site-fields, {chosen.pages} pages a site, Beautiful Soup {peer.version}")
    for (vertical, first), last in zip(begin.items(), [*list(begin.values())[1:], None], strict=True):
        part = slice(first, last)
        print(f"{vertical:12} nephila {np.mean(mine.scores[part]):.3f}  autoscraper {np.mean(theirs.scores[part]):.3f}")
    print(mine.line("nephila"))
    print(theirs.line("autoscraper"))


if __name__ == "__main__":
    main()

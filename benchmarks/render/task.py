"""What every contestant is given and gives back. Run as a program of its own: `python CONTESTANT.py TASK.json`."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path


@dataclass
class Task:
    urls: list[str]
    marks: list[str]
    """Of each page, a sentence that only its script brings."""
    concurrency: int
    executable: str
    wait: str
    """A selector that is there when the page is drawn; empty: a contestant must find out by itself."""
    done: list[float] = field(default_factory=list)
    found: int = 0

    @classmethod
    def read(cls) -> Task:
        return cls(**json.loads(Path(sys.argv[1]).read_text()))

    def drew(self, url: str, html: str) -> None:
        self.done.append(time.monotonic())
        self.found += self.marks[self.urls.index(url)] in unescape(html)

    def report(self) -> None:
        seconds = self.done[-1] - self.done[0]
        print(json.dumps({"pages": len(self.done), "found": self.found, "rate": (len(self.done) - 1) / seconds}))

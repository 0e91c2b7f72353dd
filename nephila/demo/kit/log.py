"""The request log: one JSON line for every request that a sample site got; a crawler's politeness is read from it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import BinaryIO

import orjson


def arrival() -> int:
    """Now, in microseconds since the epoch."""
    return time.time_ns() // 1000


class RequestLog:
    """Appends to `path`, a line at a time and unbuffered, so that a reader sees a request when its answer begins."""

    def __init__(self, path: Path | None) -> None:
        self._file: BinaryIO | None = path.open("ab", buffering=0) if path else None

    def write(
        self, *, at: int, site: str, host: str, method: str, path: str, status: int | None, agent: str, peer: str = ""
    ) -> None:
        """Records one request; `status` is None when the server answered with no valid status line."""
        if self._file is None:
            return
        line = {
            "at": at, "site": site, "host": host, "method": method, "path": path,
            "status": status, "agent": agent, "peer": peer,
        }  # fmt: skip
        self._file.write(orjson.dumps(line) + b"\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

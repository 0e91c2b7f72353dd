"""One crawl of the dashboard, in a process of its own: `python -m nephila.dashboard.runner DIRECTORY`.

The directory holds `job.json`; SIGTERM drains. What ended it goes to `end.json`, for the dashboard to show.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import orjson

from nephila.api import run
from nephila.errors import NephilaError
from nephila.job import Job
from nephila.telemetry import configure_logging


def main() -> int:
    directory = Path(sys.argv[1])
    log = directory / "log" / "crawl.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    configure_logging(level="warning", format="text", file=str(log))
    end: dict[str, object] = {}
    try:
        job = Job.from_dict(orjson.loads((directory / "job.json").read_bytes()))
        end["stopped"] = asyncio.run(run(job, logging={"file": str(log)})).stopped
    except NephilaError as error:
        end["error"] = str(error)
    finally:
        end["at"] = time.time()
        (directory / "end.json").write_bytes(orjson.dumps(end))
    return 2 if "error" in end else 0


if __name__ == "__main__":
    sys.exit(main())

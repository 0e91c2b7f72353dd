"""The process of one worker: `python -m nephila.crawling.worker_process`. Takes its orders from standard input.

The first line is the order (JSON: job, state directory, worker name, logging). After that, a line `drain` asks it to
finish what is under way, and the end of the stream means that the supervisor is gone: it stops at once. The exit
statuses are in `nephila.crawling.orders`.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Any

import orjson

_GARBAGE = (100_000, 50, 100)
"""A page makes thousands of short-lived objects and hardly a cycle: collected rarely, a fifth of the CPU is saved."""


def main() -> int:
    # The terminal sends Ctrl-C to the whole group; the supervisor decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order: dict[str, Any] = orjson.loads(sys.stdin.buffer.readline())
    gc.set_threshold(*_GARBAGE)
    # Only now: a program is no garbage, and to look for some in it takes a tenth of the time that loading takes.
    import uvloop

    from nephila.crawling.worker import work
    from nephila.telemetry import configure_logging

    gc.freeze()
    configure_logging(**order["logging"], worker=order["label"])
    return uvloop.run(work(order))


if __name__ == "__main__":
    # The standard input's thread may still be reading: interpreter shutdown would wait for its lock.
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

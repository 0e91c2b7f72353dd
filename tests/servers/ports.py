"""Ports for the servers that tests start.

Not the kernel's choice (port 0, let go, and bound again by the server a moment later): outgoing connections get theirs
from the same range, so that a neighbour's crawl may have it in that moment, or while a server is down for a test.
"""

from __future__ import annotations

import os
import random
import socket
from contextlib import suppress
from itertools import count

_FIRST, _SHARE, _SHARES = 10_000, 2_000, 11
"""Below the 32,768 from which connections go out. Test processes that run side by side have a share each."""
_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _SHARES
_turns = count(random.randrange(_SHARE))


def free_port() -> int:
    """Free on every address of this machine, and not given to anybody here before."""
    for turn in _turns:
        port = _FIRST + _PROCESS * _SHARE + turn % _SHARE
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port
    raise AssertionError("unreachable")

"""Patience with a store that does not answer: the crawl waits, and loses nothing.

While a commit waits, no lease is acked and soon no new one is claimed; so a store that stalls slows the crawl down.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from nephila.errors import SinkError
from nephila.sinks.base import UnreachableError

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 900.0
"""Seconds that a store may be away before the crawl stops, to be resumed."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 10.0


def patiently(attempt: Callable[[], T], uri: str, patience: float = PATIENCE) -> T:
    """Calls `attempt` until it does not raise UnreachableError any more."""
    deadline = time.monotonic() + patience
    pause = _FIRST_PAUSE
    while True:
        try:
            return attempt()
        except UnreachableError as error:
            if time.monotonic() + pause > deadline:
                raise SinkError(f"{error}; nothing is lost: mend it and run again to resume") from error
            if pause == _FIRST_PAUSE:
                logger.warning("%s does not answer, waiting for it: %s", uri, error)
        time.sleep(pause)
        pause = min(_LONGEST_PAUSE, 2 * pause)

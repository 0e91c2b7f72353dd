"""How long a visited page stays fresh: one rule for every backend. Knows the contract alone."""

from __future__ import annotations

from nephila.frontier.base import Limits

# A page found changed may have changed several times since the last look, one found unchanged not once: the interval
# comes down faster than it goes up, and settles a little below the page's own rhythm.
SHORTER, LONGER = 0.5, 1.5


def next_interval(limits: Limits, last: float | None, changed: bool) -> float:
    """Seconds until the next visit; `last` is the interval that has just passed, None on the first visit."""
    wanted = limits.recrawl_start if last is None else last * (SHORTER if changed else LONGER)
    return min(limits.recrawl_max, max(limits.recrawl_min, wanted))

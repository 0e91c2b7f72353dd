"""What the memory holds of one origin's robots.txt: the last good copy, and how the asking goes. Bytes in and out."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import orjson

from nephila.fetch.robots_rules import PARSE_LIMIT, Robots, is_unreachable

HOUR = 3600.0
DAY = 24 * HOUR
GIVE_UP_AFTER = 30 * DAY
"""RFC 9309, 2.3.1.4: unreachable for this long counts as having no file."""
_LONGEST_PAUSE = 6 * HOUR
_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class KeptRobots:
    status: int
    """Of the last answer that told something (see `is_unreachable`); 0 when there never was one."""
    body: bytes
    fetched_at: float
    expires_at: float
    failures: int = 0
    """Attempts in a row that found the server unreachable."""
    failing_since: float = 0.0
    reason: str = ""
    """Why the last of these attempts failed."""

    @classmethod
    def never_reached(cls, now: float) -> KeptRobots:
        return cls(status=0, body=b"", fetched_at=now, expires_at=now)

    def failed_again(self, now: float, first_pause: float, reason: str = "") -> KeptRobots:
        """The copy stays in force; the server is left alone for twice as long as after the last failure."""
        pause = min(first_pause * 2.0 ** min(self.failures, 32), _LONGEST_PAUSE)
        since = self.failing_since if self.failures else now
        failures = self.failures + 1
        return replace(
            self, expires_at=now + pause, failures=failures, failing_since=since, reason=reason[:_LONGEST_REASON]
        )

    def read(self, url: str, now: float) -> Robots:
        if not is_unreachable(self.status):
            return Robots.parse(self.body, self.status, url)
        if now - self.failing_since >= GIVE_UP_AFTER:
            return Robots()
        return Robots(retry_at=self.expires_at, reason=self.reason)

    def keep_for(self, now: float) -> float:
        """Seconds; well beyond the day that the copy is good for, since it serves on when the server fails."""
        return max(self.expires_at - now, 0.0) + 2 * GIVE_UP_AFTER

    def dumps(self) -> bytes:
        facts = {
            "status": self.status,
            "fetched_at": self.fetched_at,
            "expires_at": self.expires_at,
            "failures": self.failures,
            "failing_since": self.failing_since,
            "reason": self.reason,
        }
        # One byte beyond the limit is kept, so that a cut file is still known as one.
        return orjson.dumps(facts) + b"\n" + zlib.compress(self.body[: PARSE_LIMIT + 1])

    @classmethod
    def loads(cls, raw: bytes) -> KeptRobots | None:
        """None when the bytes are not ours: the file is simply asked for again."""
        head, _, packed = raw.partition(b"\n")
        try:
            facts = orjson.loads(head)
            body = zlib.decompressobj().decompress(packed, PARSE_LIMIT + 1)
            return cls(
                status=int(facts["status"]),
                body=body,
                fetched_at=float(facts["fetched_at"]),
                expires_at=float(facts["expires_at"]),
                failures=int(facts["failures"]),
                failing_since=float(facts["failing_since"]),
                reason=str(facts.get("reason", ""))[:_LONGEST_REASON],
            )
        except (ValueError, TypeError, KeyError, zlib.error):
            return None

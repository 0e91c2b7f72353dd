from __future__ import annotations

from pathlib import Path

from nephila.dedupe import Limits
from nephila.dedupe.redis import RedisDuplicates
from tests.servers.redis import needs_redis, shared_redis

from .conformance import DuplicatesConformance

pytestmark = needs_redis


class TestRedis(DuplicatesConformance):
    def make(self, place: Path, limits: Limits) -> RedisDuplicates:
        return RedisDuplicates(shared_redis(), str(place), limits)

"""The shared stores of a crawl: which server, under which name, and how they are opened.

A state directory whose crawl is shared keeps a note of it (`shared.json`, readable by its owner alone: the URL may hold
a password), so that `nephila status` and the like need to be told the directory only.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from nephila.errors import ConfigError, StateError
from nephila.frontier import Frontier, Limits, Politeness
from nephila.memory import Memory


@dataclass(frozen=True, slots=True)
class Shared:
    url: str
    """redis://..., see nephila.redis."""
    job: str
    """Names the job among those of the server: crawls with the same name share their work."""

    def frontier(self, politeness: Politeness, limits: Limits) -> Frontier:
        _check(self.url)
        from nephila.frontier.redis import RedisFrontier

        return RedisFrontier(self.url, self.job, politeness, limits)

    def memory(self) -> Memory:
        _check(self.url)
        from nephila.memory.redis import RedisMemory

        return RedisMemory(self.url, self.job)

    def save(self, note: Path) -> None:
        content = orjson.dumps(asdict(self))
        if note.exists() and note.read_bytes() == content:
            return
        hidden = note.with_name(f".{note.name}.{os.getpid()}")
        descriptor = os.open(hidden, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        hidden.replace(note)

    @classmethod
    def load(cls, note: Path) -> Shared | None:
        try:
            facts = orjson.loads(note.read_bytes())
            return cls(str(facts["url"]), str(facts["job"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            raise StateError(f"{note} cannot be read: move it away and give --frontier again") from None


def _check(url: str) -> None:
    try:
        from nephila.redis import is_redis, without_password
    except ImportError:
        raise ConfigError("a shared frontier needs the redis extra: pip install 'nephila[redis]'") from None
    if not is_redis(url):
        shown = without_password(url)
        raise ConfigError(f"frontier: {shown!r} is not a server: write redis://host:port, or rediss:// for TLS")

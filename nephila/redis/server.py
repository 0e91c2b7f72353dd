"""Scripts on a Redis server: how the shared frontier and memory reach it, hold on while it is away, and explain errors.

`Server` runs one script at a time over one connection. A server that is restarted, stalled, out of memory, loading,
or a read-only replica is asked again until it is itself again; it is said once that it is away and once that it is
back. A script that may have run before its answer was lost is sent again under the same number, so that the script can
tell. Scripts run in the order in which they were asked for, those of callers that were broken off as well. This module
knows how to connect, retry and explain; it knows no key.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from redis import exceptions

from nephila.errors import StateError
from nephila.redis.connecting import (
    Client,
    check_url,
    close_client,
    cluster_client,
    is_hopeless,
    plain_client,
    plainly,
    root_cause,
    without_password,
)
from nephila.redis.scripts import Script

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 3600.0
"""Seconds that a server which was there before is waited for."""
_FIRST_PATIENCE = 5.0
"""Seconds that a server which nobody answered from yet is waited for: it may be starting, or not exist."""
_LAST_WORD = 5.0
"""Seconds that a caller which is broken off waits for the answer to what was sent."""
_OLDEST = (6, 2)
_warned_of: set[str] = set()
"""Servers that keep nothing on disk; said once in a process."""
_AWAY = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
    exceptions.MasterDownError,
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
    exceptions.ClusterError,
    exceptions.RedisClusterException,
    OSError,
)
# Codes of answers that redis-py has no class for, or that stand within the message of an older server.
_AWAY_CODES = re.compile(r"\b(?:OOM|READONLY|MISCONF|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|BUSY)\b")
_REFUSED = (exceptions.AuthenticationError, exceptions.NoPermissionError, exceptions.AuthorizationError)


class Server:
    """A Redis or Valkey server, or a cluster of them, named by a URL.

    `redis://[user:password@]host[:port][/db]`, `rediss://` for TLS (`?ssl_ca_certs=FILE` for a CA of one's own),
    `unix:///path`. Of a cluster any node will do, or several: `redis://a:7000,b:7000`.
    """

    def __init__(self, url: str, *, patience: float = PATIENCE) -> None:
        self.name = without_password(url)
        self._url = url
        self._patience = patience
        self._client: Client | None = None
        self._met = False
        self.outages = 0
        """How often it was away: each time it may have come back without the last second of what it was told."""
        self._closed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._identity = os.urandom(8).hex().encode()
        self._number = 0
        check_url(url)

    async def run(
        self, script: Script, key: bytes, *arguments: bytes | float | str, patience: float | None = None
    ) -> Any:
        """Runs a script once: ARGV[2] to [4] tell it who asks, for the how-manieth time, and whether again."""
        head, *rest = arguments
        async with self._turn:
            self._number += 1
            number, again = self._number, b"0"

            async def attempt() -> Any:
                nonlocal again
                asked, again = again, b"1"
                return await self._evaluate(script, key, (head, self._identity, number, asked, *rest))

            return await self._patiently(attempt, self._patience if patience is None else patience)

    async def scan_hash(
        self, key: bytes, keep: Callable[[dict[bytes, bytes]], dict[bytes, bytes]]
    ) -> dict[bytes, bytes]:
        """All of a hash, in portions: for people, not for the crawl. `keep` thins out what is held after each."""

        async def attempt() -> dict[bytes, bytes]:
            client: Any = await self._connected()
            cursor, kept = 0, dict[bytes, bytes]()
            while True:
                cursor, portion = await client.hscan(key, cursor, count=1000)
                kept = keep(kept | portion)
                if not cursor:
                    return kept

        async with self._turn:
            return await self._patiently(attempt, self._patience)

    async def close(self) -> None:
        """Calls that wait for the server end with an error; may be called twice."""
        self._closed.set()
        client, self._client = self._client, None
        if client is not None:
            await close_client(client)

    # -- one attempt -----------------------------------------------------------------------------------------------

    async def _evaluate(self, script: Script, key: bytes, arguments: tuple[bytes | float | str, ...]) -> Any:
        client: Any = await self._connected()
        try:
            return await client.execute_command("EVALSHA", script.sha, 1, key, *arguments)
        except exceptions.NoScriptError:  # a new server, or one that was restarted
            return await client.execute_command("EVAL", script.text, 1, key, *arguments)

    async def _connected(self) -> Client:
        if self._client is None:
            client: Any = plain_client(self._url)
            try:
                info: dict[str, Any] = await client.info()
                if info.get("cluster_enabled"):
                    await close_client(client)
                    client = cluster_client(self._url)
                    await client.initialize()
                self._inspect(info)
            except BaseException:
                await close_client(client)
                raise
            self._client = client
        return self._client

    def _inspect(self, info: dict[str, Any]) -> None:
        """What would lose URLs is refused, or told, before the first of them is entrusted."""
        version = tuple(int(part) for part in re.findall(r"\d+", str(info.get("redis_version", "")))[:2])
        if version and version < _OLDEST:
            raise StateError(f"{self.name}: Redis {info['redis_version']} is too old; 6.2 or newer is needed")
        policy = str(info.get("maxmemory_policy", ""))
        if info.get("maxmemory") and policy.startswith("allkeys"):
            raise StateError(
                f"{self.name}: Redis drops keys when its memory is full (maxmemory-policy {policy}), "
                "and URLs would be lost; set maxmemory-policy noeviction"
            )
        if info.get("aof_enabled") == 0 and self.name not in _warned_of:
            _warned_of.add(self.name)
            logger.warning("%s has no append-only file: what it holds is lost when it dies (appendonly yes)", self.name)

    # -- many attempts ---------------------------------------------------------------------------------------------

    async def _patiently(self, attempt: Callable[[], Coroutine[Any, Any, T]], patience: float) -> T:
        began, pause, said = time.monotonic(), 0.05, False
        while True:
            if self._closed.is_set():
                raise StateError(f"{self.name}: this connection was closed")
            try:
                result = await _undivided(attempt())
            except exceptions.RedisError as error:
                reason = self._explained(error)
            except OSError as error:
                reason = plainly(error)
            else:
                if said:
                    logger.warning("%s is back after %.1f s", self.name, time.monotonic() - began)
                self._met = True
                return result
            await self._disconnect()
            self.outages += 1
            if time.monotonic() - began > (patience if self._met else min(patience, _FIRST_PATIENCE)):
                raise StateError(f"{self.name}: Redis cannot be used: {reason}")
            if self._met and not said:
                logger.warning("%s cannot be used, holding on until it is back: %s", self.name, reason)
                said = True
            await self._sleep(pause * random.uniform(0.5, 1.0))
            pause = min(1.0, pause * 1.6)

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closed.wait()

    async def _disconnect(self) -> None:
        """A cluster may have other masters now, and a connection that timed out an answer under way."""
        client, self._client = self._client, None
        if client is not None:
            await close_client(client)

    def _explained(self, error: exceptions.RedisError) -> str:
        """Why the server is away; raises where waiting does not help."""
        cause = root_cause(error)
        if isinstance(cause, _REFUSED) or "NOAUTH" in str(cause) or "WRONGPASS" in str(cause):
            raise StateError(f"{self.name}: Redis refuses these credentials: {plainly(cause)}") from error
        if not self._met and is_hopeless(error):
            raise StateError(f"{self.name}: Redis cannot be reached: {plainly(error)}") from error
        if not isinstance(error, _AWAY) and not _AWAY_CODES.search(str(error)):
            if isinstance(error, exceptions.ResponseError) and "script" in str(error).lower():
                raise error  # a fault of ours, which no patience mends
            raise StateError(f"{self.name}: {plainly(error)}") from error
        return plainly(error)


async def _undivided(attempt: Coroutine[Any, Any, T]) -> T:
    """A caller that is broken off amid an attempt hears the answer first, and is broken off then.

    Otherwise what was sent could run after what is sent next, over another connection: a claim after the release of all
    claims. And redis-py would not always notice: it sends within `asyncio.wait_for`, which before Python 3.12 forgets
    that it was cancelled when the sending has just ended.
    """
    task = asyncio.create_task(attempt)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        try:
            await asyncio.wait([task], timeout=_LAST_WORD)
        finally:
            if not task.cancel() and not task.cancelled():
                task.exception()  # nobody is interested in it any more
        raise

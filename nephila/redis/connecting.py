"""URLs of Redis servers, the clients that they ask for, and their errors as one plain line."""

from __future__ import annotations

import logging
import random
import re
import ssl
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from redis import exceptions
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from nephila.errors import ConfigError

logger = logging.getLogger(__name__)

_SCHEMES = {"redis", "rediss", "unix"}
_TIMEOUT = 10.0
"""Seconds without an answer after which a connection is given up; a script takes some milliseconds."""

Client = Redis | RedisCluster


def is_redis(place: str) -> bool:
    return "://" in place and place.split("://", 1)[0] in _SCHEMES


def without_password(url: str) -> str:
    """For messages."""
    parts = urlsplit(url)
    kept = [(key, value) for key, value in parse_qsl(parts.query) if key not in ("password", "username")]
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, place, parts.path, urlencode(kept), ""))


def check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise ConfigError(f"{without_password(url)}: write a Redis server as redis://host:port, or rediss:// for TLS")
    try:
        for node in parts.netloc.rpartition("@")[2].split(","):
            _ = urlsplit(f"//{node}").port
    except ValueError:
        raise ConfigError(f"{without_password(url)}: the port must be a number up to 65535") from None
    if parts.scheme != "unix" and parts.path.strip("/") and not parts.path.strip("/").isdigit():
        raise ConfigError(f"{without_password(url)}: the path names a database by its number, such as /0")


def plain_client(url: str) -> Redis:
    parts = urlsplit(url)
    if "," in parts.netloc:  # any node will do to begin with
        login, at, nodes = parts.netloc.rpartition("@")
        url = urlunsplit(parts._replace(netloc=login + at + random.choice(nodes.split(","))))
    try:
        client: Redis = Redis.from_url(url, **_options())
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{without_password(url)}: {error}") from None
    return client


def cluster_client(url: str) -> RedisCluster:
    parts = urlsplit(url)
    login, _, nodes = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    options: dict[str, Any] = {key: value for key, value in parse_qsl(parts.query) if key.startswith("ssl_")}
    places = [urlsplit(f"//{node}") for node in nodes.split(",")]
    return RedisCluster(
        startup_nodes=[ClusterNode(place.hostname or "localhost", place.port or 6379) for place in places],
        username=unquote(user) or None,
        password=unquote(password) or None,
        ssl=parts.scheme == "rediss",
        **options,
        **_options(),
    )


def _options() -> dict[str, Any]:
    # Retries are the server's (nephila.redis.server): a script that claims must be told that it is asked again.
    retry: Any = Retry(NoBackoff(), 0)
    return {"socket_timeout": _TIMEOUT, "socket_connect_timeout": _TIMEOUT, "retry": retry, "protocol": 2}


async def close_client(client: Client) -> None:
    try:
        await client.aclose()
    except (exceptions.RedisError, OSError, RuntimeError):
        logger.debug("closing a broken connection", exc_info=True)


def root_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def is_hopeless(error: BaseException) -> bool:
    """No such name, no certificate that fits: asking again gives the same answer."""
    text = str(error)
    hopeless = ("CERTIFICATE", "Name or service not known", " -2 ", "No address associated")
    return isinstance(root_cause(error), ssl.SSLError) or any(sign in text for sign in hopeless)


_STATES: tuple[tuple[type[BaseException], str], ...] = (
    (exceptions.OutOfMemoryError, "its memory is full (maxmemory)"),
    (exceptions.ReadOnlyError, "it is a read-only replica"),
    (exceptions.BusyLoadingError, "it is loading its data"),
)


def plainly(error: BaseException) -> str:
    """One line, without the script's own name and place."""
    for kind, state in _STATES:
        if isinstance(error, kind):
            return state
    text = re.sub(r"\s+", " ", str(error)).strip() or type(error).__name__
    return re.sub(r",? ?script: [0-9a-f]{40}.*$", "", text).rstrip(".")

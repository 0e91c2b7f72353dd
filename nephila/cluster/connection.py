"""The connection to ZooKeeper: a kazoo client with our patience, authentication and access rights."""

from __future__ import annotations

import logging
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import AuthFailedError, KazooException, NoAuthError
from kazoo.retry import KazooRetry
from kazoo.security import make_digest_acl

from nephila.cluster.address import ZooKeeperAddress
from nephila.errors import ConfigError

MAX_SESSION = 30.0
"""ZooKeeper grants at most 20 ticks (40 s by default): a session must not be shorter than we believe it is."""
_CONNECT_SECONDS = 15.0


def connect(address: ZooKeeperAddress, session_seconds: float) -> KazooClient:
    """A started client; ConfigError when the ensemble cannot be reached or refuses us."""
    if not 1.0 <= session_seconds <= MAX_SESSION:
        raise ConfigError(f"a session of {session_seconds:g} s: write 1 to {MAX_SESSION:g}")
    rights: dict[str, Any] = {}
    if address.user is not None:
        rights["auth_data"] = [("digest", f"{address.user}:{address.password}")]
        rights["default_acl"] = [make_digest_acl(address.user, address.password, all=True)]
    client = KazooClient(
        hosts=address.hosts,
        timeout=session_seconds,
        # For ever, and soon: a worker without its coordinator has nothing better to do than to look for it.
        connection_retry=KazooRetry(max_tries=-1, delay=0.1, backoff=1.5, max_delay=1.0),
        command_retry=KazooRetry(max_tries=3, delay=0.1, max_delay=0.5),
        logger=_quiet(),
        **rights,
    )
    try:
        client.start(timeout=_CONNECT_SECONDS)
        client.ensure_path(address.root)
        client.get_children(address.root)
    except (NoAuthError, AuthFailedError):
        close(client)
        raise ConfigError(
            f"ZooKeeper refuses us {address.root}: name the user and password that made it, as in"
            " zookeeper://user:password@host/path"
        ) from None
    except (KazooException, client.handler.timeout_exception) as error:
        close(client)
        raise ConfigError(
            f"cannot reach ZooKeeper at {address.hosts} ({type(error).__name__}): is it running?"
        ) from None
    return client


def close(client: KazooClient) -> None:
    client.stop()
    client.close()


def _quiet() -> logging.Logger:
    """Kazoo tells each lost connection as a warning of its own; the presence tells it once, in our words."""
    logger = logging.getLogger("nephila.cluster.kazoo")
    logger.setLevel(logging.ERROR)
    return logger

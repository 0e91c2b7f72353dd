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

logger = logging.getLogger(__name__)

MAX_SESSION = 30.0
"""Longer, and nobody would be waiting for it any more; ZooKeeper grants at most 20 ticks (40 s by default)."""
MEMBERS = "members"
"""The node below the root that has one for each worker."""
_CONNECT_SECONDS = 15.0
_ASKED = 0.75
"""Part of the wanted session time that ZooKeeper is asked for. It ends sessions at its ticks, up to one late, and hears
of what its followers' clients did up to half a tick late; the rest of the time is for that, and for the master's part.
"""


class SessionClient(KazooClient):  # type: ignore[misc]
    """A client that knows how long a session it was given: the ensemble has bounds of its own, in ticks."""

    def __init__(self, *, timeout: float, **options: Any) -> None:
        super().__init__(timeout=timeout, **options)
        self.granted = timeout
        # Kazoo keeps the answer to itself; its reading time is two thirds of it.
        self._dial = self._connection._connect
        self._connection._connect = self._connect_and_note

    def _connect_and_note(self, *place: Any) -> tuple[float, float]:
        read_timeout, connect_timeout = self._dial(*place)
        self.granted = read_timeout * 1.5 / 1000.0
        return read_timeout, connect_timeout

    def revive(self) -> bool:
        """Kazoo's thread ends for good at an answer that it did not expect; starts it again if it has ended so."""
        if self._stopped.is_set() or not self._connection.connection_stopped.is_set():
            return False
        self.start_async()
        return True


def connect(address: ZooKeeperAddress, session_seconds: float) -> SessionClient:
    """A started client; ConfigError when the ensemble cannot be reached or refuses us.

    `session_seconds`: how soon the others should know of our death, the server's lateness included.
    """
    if not 1.0 <= session_seconds <= MAX_SESSION:
        raise ConfigError(f"a session of {session_seconds:g} s: write 1 to {MAX_SESSION:g}")
    rights: dict[str, Any] = {}
    if address.user is not None:
        rights["auth_data"] = [("digest", f"{address.user}:{address.password}")]
        rights["default_acl"] = [make_digest_acl(address.user, address.password, all=True)]
    client = SessionClient(
        hosts=address.hosts,
        timeout=session_seconds * _ASKED,
        # For ever, and soon: a worker without its coordinator has nothing better to do than to look for it.
        connection_retry=KazooRetry(max_tries=-1, delay=0.1, backoff=1.5, max_delay=1.0),
        command_retry=KazooRetry(max_tries=3, delay=0.1, max_delay=0.5),
        logger=_quiet(),
        **rights,
    )
    try:
        client.start(timeout=_CONNECT_SECONDS)
        # A node that is just going down lets us in and hangs up: the next one is asked.
        patiently = KazooRetry(max_tries=-1, delay=0.1, max_delay=0.5, deadline=_CONNECT_SECONDS)
        patiently(client.ensure_path, f"{address.root}/{MEMBERS}")
        patiently(client.get_children, address.root)
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
    if client.granted > session_seconds:
        logger.warning(
            "ZooKeeper gives sessions of %.1f s at least: a death is noticed later than wished for; lower its tickTime",
            client.granted,
        )
    return client


def close(client: KazooClient) -> None:
    client.stop()
    client.close()


def _quiet() -> logging.Logger:
    """Kazoo tells each lost connection as a warning of its own; the presence tells it once, in our words."""
    logger = logging.getLogger("nephila.cluster.kazoo")
    logger.setLevel(logging.ERROR)
    return logger

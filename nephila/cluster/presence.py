"""Presence: this worker's place among the members, the fence that goes with it, and the mastership.

A member is an ephemeral node whose name is never used again, so whoever is gone from the list is gone for good, and
what it held can be given to others. The fence is the other half of that promise: a worker acts only while it knows that
its session lives. Each beat goes through ZooKeeper's leader; when it answers, the session cannot have ended earlier
than one session time after the *question*. A worker that was stopped (SIGSTOP, a paused machine) or cut off finds its
fence closed before it can ask a host again, whatever its timers believe.

One thread does it all, and kazoo's callbacks only wake it. Knows ZooKeeper, nothing of jobs.
"""

from __future__ import annotations

import logging
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import orjson
from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import ConnectionClosedError, KazooException, NodeExistsError, NoNodeError, SessionExpiredError

from nephila.cluster.address import ZooKeeperAddress
from nephila.cluster.connection import MEMBERS, SessionClient, close, connect

logger = logging.getLogger(__name__)

_BEATS = 6
"""A session's time is divided into so many beats: three in a row may fail before the fence closes."""
_SAFETY = 0.9


def new_name() -> str:
    """Unlike every other, ever: the host for people, the rest against chance."""
    return f"{socket.gethostname()[:40]}-{secrets.token_hex(4)}"


class Presence:
    def __init__(
        self,
        address: ZooKeeperAddress,
        *,
        session_seconds: float = 6.0,
        facts: Mapping[str, Any] | None = None,
        on_lost: Callable[[str], None] = lambda _: None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """`session_seconds`: how soon after its death the others know of it.

        `on_lost` is told the name that is no more, `on_change` when the master should look at the members.

        Both are called in the thread of the presence.
        """
        self._address, self._session = address, session_seconds
        self._facts = orjson.dumps(dict(facts or {}))
        self._on_lost, self._on_change = on_lost, on_change
        self._client: SessionClient | None = None
        self._name: str | None = None
        self._open_until = 0.0
        self._master = False
        self._wake = threading.Event()
        self._lost = threading.Event()
        self._members_changed = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._live, name="presence", daemon=True)

    # -- what the station asks -------------------------------------------------------------------------------------

    @property
    def name(self) -> str | None:
        """Who we are now; None between two lives."""
        return self._name

    @property
    def is_master(self) -> bool:
        return self._master and time.monotonic() < self._open_until

    def may_act(self, name: str) -> bool:
        """The fence of one life."""
        return self._name == name and time.monotonic() < self._open_until

    def members(self) -> dict[str, dict[str, Any]]:
        """Every living member with its facts, as the leader knows them; raises KazooException."""
        client, path = self._require(), self._path(MEMBERS)
        client.sync(path)
        found = {}
        for name in client.get_children(path):
            try:
                found[name] = orjson.loads(client.get(f"{path}/{name}")[0] or b"{}")
            except NoNodeError:
                continue
        return found

    def living(self) -> set[str]:
        """Their names alone."""
        client, path = self._require(), self._path(MEMBERS)
        client.sync(path)
        return set(client.get_children(path))

    def master(self) -> str | None:
        try:
            return bytes(self._require().get(self._path("master"))[0]).decode()
        except NoNodeError:
            return None

    @property
    def client(self) -> SessionClient:
        return self._require()

    @property
    def root(self) -> str:
        return self._address.root

    # -- life ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Joins; raises ConfigError when ZooKeeper cannot be had."""
        self._client = connect(self._address, self._session)
        self._client.add_listener(self._state_changed)
        with suppress(KazooException, self._client.handler.timeout_exception):  # the thread tries again
            self._beat()
        self._thread.start()

    def close(self) -> None:
        """Leaves: the node is gone at once, and with it the mastership."""
        self._closed.set()
        self._open_until = 0.0
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)
        if self._client is not None:
            close(self._client)

    def _live(self) -> None:
        while not self._closed.is_set():
            self._wake.wait(self._require().granted / _BEATS)
            self._wake.clear()
            if self._closed.is_set():
                return
            if self._require().revive():
                logger.warning("the connection to ZooKeeper had broken down: begun anew")
            try:
                self._beat()
            except (SessionExpiredError, ConnectionClosedError):
                self._lose()
            except (KazooException, self._require().handler.timeout_exception) as error:
                logger.debug("no answer from ZooKeeper: %s", type(error).__name__)
            except Exception:  # whatever it was: without this thread the fence would stay closed for ever
                logger.exception("a beat went wrong")

    def _state_changed(self, state: str) -> None:
        if state == KazooState.LOST:
            self._lost.set()
        if state != KazooState.CONNECTED:
            self._open_until = 0.0  # stop claiming at once: what the others believe of us is not known
            if not self._closed.is_set():
                logger.warning("the session with ZooKeeper is %s: no host is asked until it is back", state.lower())
        self._wake.set()

    # -- one beat --------------------------------------------------------------------------------------------------

    def _beat(self) -> None:
        if self._lost.is_set():
            self._lose()
        client = self._require()
        if not client.connected:
            return
        if self._name is None:
            self._join(client)
        asked, granted = time.monotonic(), client.granted
        path = f"{self._path(MEMBERS)}/{self._name}"
        client.sync_async(path).get(timeout=granted)
        stat = client.exists_async(path).get(timeout=granted)
        session = client.client_id
        if session is None:  # it is being renewed at this moment
            return
        if stat is None or stat.ephemeralOwner != session[0]:
            self._lose()
            return
        if not self._lost.is_set():
            self._open_until = asked + granted * _SAFETY
        self._contend(client)

    def _join(self, client: KazooClient) -> None:
        name = new_name()
        client.create(f"{self._path(MEMBERS)}/{name}", self._facts, ephemeral=True, makepath=True)
        self._name = name
        logger.info("joined the cluster as %s", name)

    def _lose(self) -> None:
        self._lost.clear()
        self._open_until, self._master = 0.0, False
        name, self._name = self._name, None
        if name is not None:
            logger.warning("the session of %s has ended: its leases are no longer ours; joining under a new name", name)
            self._on_lost(name)
        self._wake.set()

    def _contend(self, client: KazooClient) -> None:
        """The one that makes the node is the master; it keeps no state, so anyone can be."""
        path = self._path("master")
        if not self._master:
            try:
                client.create(path, (self._name or "").encode(), ephemeral=True)
            except NodeExistsError:
                stat, session = client.exists(path, watch=self._woken), client.client_id
                if stat is None:
                    self._wake.set()  # gone in this very moment: try again
                    return
                if session is None or stat.ephemeralOwner != session[0]:
                    return
            self._master = True
            self._members_changed.set()
            logger.info("%s is the master now", self._name)
        if self._members_changed.is_set():
            self._members_changed.clear()
            client.get_children(self._path(MEMBERS), watch=self._membership_changed)
            self._on_change()

    def _woken(self, _event: object) -> None:
        self._wake.set()

    def _membership_changed(self, _event: object) -> None:
        self._members_changed.set()
        self._wake.set()
        if self._master:
            self._on_change()  # at once: the next beat sets the watch again, and looks once more

    def _path(self, node: str) -> str:
        return f"{self._address.root}/{node}"

    def _require(self) -> SessionClient:
        if self._client is None:
            raise RuntimeError("the presence has not been started")
        return self._client

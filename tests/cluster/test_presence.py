"""Membership, fence and mastership on a real ensemble, with sessions and nodes that die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from kazoo.client import KazooClient
from kazoo.exceptions import NoAuthError

from nephila.cluster.address import parse_address
from nephila.cluster.presence import Presence
from nephila.errors import ConfigError
from tests.servers.zookeeper import TICK, Ensemble

ROOT = Path(__file__).parent.parent.parent
SESSION = 12.0
"""Long: a machine with much to do must not end a session that no test means to end."""
SHORT = 3.0


@contextmanager
def present(address: str, **options: object) -> Iterator[Presence]:
    presence = Presence(parse_address(address), session_seconds=SESSION, **options)  # type: ignore[arg-type]
    presence.start()
    try:
        until(lambda: presence.name is not None)
        yield presence
    finally:
        presence.close()


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it does not come to pass"
        time.sleep(0.05)


def expire(presence: Presence, ensemble: Ensemble) -> None:
    """Ends the session as the server would: a second client takes it over and closes it."""
    twin = KazooClient(hosts=ensemble.hosts, client_id=presence.client.client_id, timeout=SESSION)
    twin.start(timeout=30)
    twin.stop()
    twin.close()


def test_a_session_is_as_long_as_the_ensemble_grants_it(ensemble: Ensemble) -> None:
    """The fence must not stay open beyond the session, however long a one was asked for."""
    for wanted, granted in ((4.0, 3.0), (30.0, 20 * TICK / 1000)):
        presence = Presence(parse_address(ensemble.url("/granted")), session_seconds=wanted)
        presence.start()
        try:
            assert presence.client.granted == granted
        finally:
            presence.close()


def test_members_see_each_other_and_one_is_the_master(ensemble: Ensemble) -> None:
    address = ensemble.url("/members")
    with present(address, facts={"pid": 1}) as one:
        until(lambda: one.is_master)
        changes: list[int] = []
        with present(address, on_change=lambda: changes.append(1)) as two:
            assert one.living() == {one.name, two.name}
            assert one.members()[str(one.name)] == {"pid": 1}
            assert not two.is_master
            assert two.master() == one.name
        assert not changes  # told to the master alone
        until(lambda: one.living() == {one.name})


def test_master_hears_of_every_change_and_its_place_is_taken_when_it_leaves(ensemble: Ensemble) -> None:
    address = ensemble.url("/mastership")
    changes: list[int] = []
    with present(address) as first:
        until(lambda: first.is_master)
        with present(address, on_change=lambda: changes.append(1)) as second:
            first.close()
            until(lambda: second.is_master and bool(changes))
            heard = len(changes)
            with present(address):
                until(lambda: len(changes) > heard)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_one_whose_session_ended_is_fenced_and_comes_back_under_a_new_name(ensemble: Ensemble) -> None:
    lost: list[str] = []
    with present(ensemble.url("/lost"), on_lost=lost.append) as presence:
        before = presence.name
        assert before is not None
        until(lambda: presence.may_act(before))
        expire(presence, ensemble)
        until(lambda: lost == [before])
        assert not presence.may_act(before)
        until(lambda: presence.name not in (None, before))
        until(lambda: presence.may_act(str(presence.name)))
        assert not presence.may_act(before)
        assert presence.living() == {presence.name}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_connection_whose_thread_died_is_begun_anew(ensemble: Ensemble, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kazoo ends its thread at an answer that it did not expect, and would stay away for ever."""
    with present(ensemble.url("/fallen")) as presence:
        until(lambda: presence.may_act(str(presence.name)))
        with monkeypatch.context() as patch:
            patch.setattr(presence.client._connection, "_read_response", lambda *_: [].pop())
            until(lambda: not presence.may_act(str(presence.name)))
        until(lambda: presence.may_act(str(presence.name)))
        assert presence.living() >= {presence.name}


STOPPED = """
import signal, sys, time
from nephila.cluster.address import parse_address
from nephila.cluster.presence import Presence
presence = Presence(parse_address(sys.argv[1]), session_seconds=float(sys.argv[2]))
presence.start()
name = presence.name
signal.signal(signal.SIGCONT, lambda *_: print(presence.may_act(name), flush=True))
print("ready", flush=True)
while True:
    time.sleep(0.001)  # the handler runs between two of them
"""


def test_a_stopped_process_finds_its_fence_closed_the_moment_it_wakes(ensemble: Ensemble) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED, ensemble.url("/stopped"), str(SHORT)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGSTOP)
        time.sleep(SHORT + 0.5)
        process.send_signal(signal.SIGCONT)
        assert process.stdout.readline() == "False\n"
    finally:
        process.kill()
        process.wait()


def test_the_ensemble_may_lose_any_node_and_members_stay(ensemble: Ensemble) -> None:
    with present(ensemble.url("/restarts")) as presence:
        before = presence.name
        for node in ensemble.nodes:
            node.kill()
            until(lambda: presence.name is not None and presence.may_act(presence.name))
            node.start()
            ensemble.wait()
        until(lambda: presence.name is not None and presence.may_act(presence.name))
        assert presence.name == before


def test_nodes_are_closed_to_those_without_the_password(ensemble: Ensemble) -> None:
    with present(ensemble.url("/guarded/here", "me:secret")) as presence:
        stranger = KazooClient(hosts=ensemble.hosts)
        stranger.start(timeout=30)
        try:
            for path in ("/guarded/here", f"/guarded/here/members/{presence.name}"):
                with pytest.raises(NoAuthError):
                    stranger.get(path)
        finally:
            stranger.stop()
            stranger.close()
        with pytest.raises(ConfigError, match="user and password"), present(ensemble.url("/guarded/here", "me:wrong")):
            pass


def test_no_zookeeper_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nephila.cluster.connection._CONNECT_SECONDS", 1.0)
    with pytest.raises(ConfigError, match="is it running"), present("zookeeper://127.0.0.1:1"):
        pass

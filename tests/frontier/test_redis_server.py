"""The shared frontier when its server is restarted, killed, stalled, full, a replica, guarded, or a cluster."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from nephila.errors import ConfigError, StateError
from nephila.frontier import Frontier, HostRule, Limits, Politeness, Visit
from nephila.frontier.redis import RedisFrontier
from nephila.memory.redis import RedisMemory
from tests.frontier.harness import entry
from tests.servers.certificates import make_certificates
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer, needs_redis

pytestmark = needs_redis

WIDE = Politeness(HostRule(parallel=50))
OPEN = Limits(family_budget=None)


def frontier_at(url: str, **options: Any) -> RedisFrontier:
    return RedisFrontier(url, "job", WIDE, OPEN, **options)


def play(scenario: Callable[[RedisFrontier], Awaitable[object]], url: str, **options: float) -> None:
    async def run() -> None:
        frontier = frontier_at(url, **options)
        try:
            await scenario(frontier)
        finally:
            await frontier.close()

    asyncio.run(asyncio.wait_for(run(), 60))


async def crawl(frontier: Frontier, worker: str = "w") -> set[int]:
    """Claims and completes to the end; the numbers of what was done."""
    done: set[int] = set()
    while leases := await frontier.claim(worker, 10):
        await frontier.complete([Visit(lease) for lease in leases], [])
        done |= {lease.fingerprint for lease in leases}
    return done


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if "append-only" not in record.message]


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_restarted_server_is_waited_for_and_has_lost_nothing(
    tmp_path: Path, end: str, caplog: pytest.LogCaptureFixture
) -> None:
    with RedisServer(tmp_path, appendonly="yes", appendfsync="always") as server:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(n) for n in range(100)])
            (first,) = await frontier.claim("w", 10)
            before = await frontier.stats()
            getattr(server, end)()
            waiting = asyncio.create_task(frontier.complete([Visit(first)], [entry(1000)]))
            also = asyncio.create_task(frontier.stats())
            await asyncio.sleep(0.5)
            assert not waiting.done()
            await asyncio.to_thread(server.start)
            assert await waiting == {first.token}
            assert (await also).queued in (before.queued, before.queued + 1)
            assert await crawl(frontier) == {*range(100), 1000} - {first.fingerprint}

        play(scenario, server.url)
    lines = said(caplog)
    assert len([line for line in lines if "holding on until it is back" in line]) == 1, "said once"
    assert len([line for line in lines if "is back after" in line]) == 1


def test_a_kill_in_mid_work_costs_a_fetch_and_never_a_url(tmp_path: Path) -> None:
    """appendfsync everysec: the last second of acks and links is lost, together."""
    with RedisServer(tmp_path, appendonly="yes", appendfsync="everysec") as server:

        async def scenario(frontier: RedisFrontier) -> None:
            total = 400
            await frontier.add([entry(n, f"h{n % 7}") for n in range(0, total, 10)])
            work = asyncio.create_task(steady(frontier, total))
            for _ in range(3):
                await asyncio.sleep(0.4)
                server.kill()
                await asyncio.to_thread(server.start)
            done = await work
            assert done == set(range(total))
            stats = await frontier.stats()
            assert (stats.done, stats.queued, stats.leased) == (total, 0, 0), "each is done once in the books"

        async def steady(frontier: RedisFrontier, total: int) -> set[int]:
            done: set[int] = set()
            while not await frontier.drained():
                leases = await frontier.claim("w", 5)
                await asyncio.sleep(0.01)
                found = [
                    entry(lease.fingerprint + n, f"h{(lease.fingerprint + n) % 7}")
                    for lease in leases
                    if lease.fingerprint % 10 == 0
                    for n in range(1, 10)
                ]
                await frontier.complete([Visit(lease) for lease in leases], found)
                done |= {lease.fingerprint for lease in leases}
                if not leases:
                    await frontier.release("w")  # claims whose books were lost with the last second
            return done

        play(scenario, server.url)


def test_a_call_that_is_broken_off_ends_at_whatever_moment_that_comes(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            async def ask_on() -> None:
                while True:
                    await frontier.stats()

            for turns in range(400):
                asking = asyncio.create_task(ask_on())
                for _ in range(turns % 40):
                    await asyncio.sleep(0)
                asking.cancel()
                ended, _ = await asyncio.wait([asking], timeout=20)
                assert ended, f"it has not heard that it was broken off after {turns % 40} turns of the loop"

        play(scenario, server.url)


def test_a_call_that_is_broken_off_does_not_wait_for_a_server_that_is_away(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(1)])
            server.kill()
            asking = asyncio.create_task(frontier.stats())
            await asyncio.sleep(0.3)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                async with asyncio.timeout(20):
                    await asking

        play(scenario, server.url)


def test_an_answer_that_was_lost_is_given_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A stalled server does what it was asked to when it wakes, though the client has hung up and asks again."""
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(30)])
            with server.stalled():
                claiming = asyncio.create_task(frontier.claim("w", 5))
                await asyncio.sleep(1.0)
            leases = await claiming
            assert len({lease.token for lease in leases}) == 5
            assert (await frontier.stats()).leased == 5, "claimed once"
            with server.stalled():
                completing = asyncio.create_task(frontier.complete([Visit(lease) for lease in leases], []))
                await asyncio.sleep(1.0)
            assert await completing == {lease.token for lease in leases}, "accepted, not called stale"
            assert (await frontier.stats()).done == 5

        play(scenario, f"{server.url}?socket_timeout=0.3")
    assert len([line for line in said(caplog) if "holding on" in line]) == 2


def test_paused_clients_wait(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(1)])
            server.client().client_pause(700)
            assert await frontier.add([entry(1), entry(2)]) == 1

        play(scenario, f"{server.url}?socket_timeout=0.3")


def test_a_server_without_memory_takes_nothing_by_halves(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(3)])
            leases = await frontier.claim("w", 3)
            before = await frontier.stats()
            client = server.client()
            client.config_set("maxmemory", 1)
            adding = asyncio.create_task(frontier.add([entry(n) for n in range(100, 150)]))
            await asyncio.sleep(0.4)
            assert not adding.done()
            other = frontier_at(server.url)
            assert await other.stats() == before
            completing = asyncio.create_task(other.complete([Visit(leases[0])], [entry(200)]))
            await asyncio.sleep(0.4)
            assert not completing.done(), "an ack goes with its links"
            assert await frontier_stats(server) == before
            client.config_set("maxmemory", 0)
            assert await adding == 50
            assert await completing == {leases[0].token}
            assert (await frontier.stats()).queued == 51
            await other.close()

        play(scenario, server.url)
    assert any("its memory is full" in line for line in said(caplog))


async def frontier_stats(server: RedisServer) -> object:
    frontier = frontier_at(server.url)
    try:
        return await frontier.stats()
    finally:
        await frontier.close()


def test_a_read_only_replica_is_waited_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with RedisServer(tmp_path / "a") as main, RedisServer(tmp_path / "b") as replica:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(1)])
            replica.client().execute_command("REPLICAOF", "127.0.0.1", main.port)
            await asyncio.sleep(0.3)
            adding = asyncio.create_task(frontier.add([entry(2)]))
            await asyncio.sleep(0.5)
            assert not adding.done()
            replica.client().execute_command("REPLICAOF", "NO", "ONE")
            assert await adding == 1

        play(scenario, replica.url)
    assert any("a read-only replica" in line for line in said(caplog))


def test_a_server_that_never_answered_is_not_waited_for_long(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(StateError, match=r"redis://127\.0\.0\.1:\d+: Redis cannot be used: .*refused|Connect call"):
        play(lambda frontier: frontier.add([entry(1)]), f"redis://127.0.0.1:{free_port()}")
    assert time.monotonic() - began < 40


def test_a_name_that_does_not_exist_is_told_at_once() -> None:
    with pytest.raises(StateError, match=r"^redis://nowhere\.invalid: Redis cannot be reached: [^\n]*$"):
        play(lambda frontier: frontier.stats(), "redis://:secret@nowhere.invalid")


@pytest.mark.parametrize(
    ("url", "told"), [("redis://host:port", "port"), ("redis://host/books", "number"), ("http://host", "redis://")]
)
def test_a_url_that_is_none_is_told(url: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        frontier_at(url)


def test_patience_ends_with_an_error_and_closing_ends_it_at_once(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            await frontier.add([entry(1)])
            server.kill()
            with pytest.raises(StateError, match="Redis cannot be used"):
                await frontier.stats()

        play(scenario, server.url, patience=0.3)
        server.start()

        async def closing(frontier: RedisFrontier) -> None:
            await frontier.stats()
            server.kill()
            waiting = asyncio.create_task(frontier.stats())
            await asyncio.sleep(0.2)
            await frontier.close()
            with pytest.raises(StateError, match="closed"):
                await waiting

        play(closing, server.url)


def test_a_password_opens_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    with RedisServer(tmp_path, requirepass="s3cr/et") as server:

        async def scenario(frontier: RedisFrontier) -> None:
            assert await frontier.add([entry(1)]) == 1

        place = f"127.0.0.1:{server.port}"
        play(scenario, f"redis://:s3cr%2Fet@{place}")
        server.client().acl_setuser(
            "crawler", enabled=True, passwords=["+pw"], keys=["nephila:*"], commands=["+@all", "-@dangerous", "+info"]
        )
        play(lambda frontier: frontier.drained(), f"redis://crawler:pw@{place}")
        for login in ("", ":wrong@", "nobody:pw@"):
            with pytest.raises(StateError, match=f"^redis://{place}: Redis refuses these credentials: [^\n]*$") as told:
                play(scenario, f"redis://{login}{place}")
            assert "wrong" not in str(told.value)


def test_tls_with_a_certificate_of_ones_own(tmp_path: Path) -> None:
    made = make_certificates(tmp_path)
    port = free_port()
    tls: dict[str, Any] = {
        "tls_port": port,
        "tls_cert_file": made.certificate,
        "tls_key_file": made.key,
        "tls_ca_cert_file": made.ca,
    }
    with RedisServer(tmp_path / "redis", **tls, tls_auth_clients="no"):

        async def scenario(frontier: RedisFrontier) -> None:
            assert await frontier.add([entry(1)]) == 1

        play(scenario, f"rediss://localhost:{port}?ssl_ca_certs={made.ca}")
        with pytest.raises(StateError, match=r"CERTIFICATE_VERIFY_FAILED|certificate"):
            play(scenario, f"rediss://localhost:{port}")


def test_a_server_that_drops_keys_is_refused(tmp_path: Path) -> None:
    with RedisServer(tmp_path, maxmemory="1gb", maxmemory_policy="allkeys-lru") as server:
        with pytest.raises(StateError, match="maxmemory-policy noeviction"):
            play(lambda frontier: frontier.stats(), server.url)
        server.client().config_set("maxmemory-policy", "noeviction")
        play(lambda frontier: frontier.stats(), server.url)


def test_scripts_that_the_server_forgot_are_sent_again(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def scenario(frontier: RedisFrontier) -> None:
            for number in range(3):
                assert await frontier.add([entry(number)]) == 1
                server.client().script_flush()

        play(scenario, server.url)


def test_a_memory_counts_once_through_a_stall(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:

        async def run() -> None:
            memory = RedisMemory(f"{server.url}?socket_timeout=0.3", "job")
            await memory.put("s", "n", b"1")
            with server.stalled():
                counting = asyncio.create_task(memory.update("s", "n", lambda value: str(int(value or 0) + 1).encode()))
                await asyncio.sleep(1.0)
            assert await counting == b"2"
            assert await memory.get("s", "n") == b"2"
            await memory.close()

        asyncio.run(run())


def test_a_warning_names_a_server_without_a_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with RedisServer(tmp_path) as server:
        play(lambda frontier: frontier.stats(), server.url)
        play(lambda frontier: frontier.stats(), server.url)
    assert len([record for record in caplog.records if "append-only" in record.message]) == 1

"""The conformance suite of the memory: a backend that passes keeps every promise of nephila/memory/base.py.

class TestMyMemory(MemoryConformance):
    opener = "tests.memory.test_mine:open_memory"   # a function (place, clock) -> Memory
"""

from __future__ import annotations

import asyncio
import importlib
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from nephila.memory import Memory

Opener = Callable[[Path, Callable[[], float]], Memory]


class StillClock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def load(opener: str) -> Opener:
    module, _, name = opener.partition(":")
    found: Opener = getattr(importlib.import_module(module), name)
    return found


def count_up(value: bytes | None) -> bytes:
    return str(int(value or b"0") + 1).encode()


class MemoryConformance:
    opener: str

    def play(self, place: Path, scenario: Callable[[Memory, StillClock], Awaitable[None]]) -> None:
        async def run() -> None:
            clock = StillClock()
            memory = load(self.opener)(place, clock)
            try:
                await scenario(memory, clock)
            finally:
                await memory.close()

        asyncio.run(run())

    def test_it_is_a_memory(self, tmp_path: Path) -> None:
        async def scenario(memory: Memory, clock: StillClock) -> None:
            assert isinstance(memory, Memory)
            await memory.close()  # closing twice is no error

        self.play(tmp_path, scenario)

    def test_a_fact_is_kept_as_it_was(self, tmp_path: Path) -> None:
        async def first(memory: Memory, clock: StillClock) -> None:
            assert await memory.get("robots", "a") is None
            await memory.put("robots", "a", b"old")
            await memory.put("robots", "a", bytes(range(256)) * 2000)
            await memory.put("robots", "", b"")
            await memory.put("site", "a", b"elsewhere")

        async def second(memory: Memory, clock: StillClock) -> None:
            assert await memory.get("robots", "a") == bytes(range(256)) * 2000
            assert await memory.get("robots", "") == b""
            assert await memory.get("site", "a") == b"elsewhere"

        self.play(tmp_path, first)
        self.play(tmp_path, second)

    def test_a_fact_expires_after_its_ttl(self, tmp_path: Path) -> None:
        async def scenario(memory: Memory, clock: StillClock) -> None:
            await memory.put("s", "brief", b"1", ttl=10)
            await memory.put("s", "long", b"2")
            await memory.put("s", "renewed", b"3", ttl=10)
            clock.now += 9
            assert await memory.get("s", "brief") == b"1"
            await memory.put("s", "renewed", b"4")
            clock.now += 1
            assert await memory.get("s", "brief") is None
            assert await memory.items("s") == [("long", b"2"), ("renewed", b"4")]
            await memory.put("s", "brief", b"again")
            clock.now += 1e6
            assert await memory.get("s", "brief") == b"again"

        self.play(tmp_path, scenario)

    def test_update_reads_changes_and_writes(self, tmp_path: Path) -> None:
        async def scenario(memory: Memory, clock: StillClock) -> None:
            assert await memory.update("s", "n", count_up) == b"1"
            assert await memory.update("s", "n", count_up) == b"2"
            assert await memory.get("s", "n") == b"2"
            assert await memory.update("s", "n", lambda _: None) is None
            assert await memory.get("s", "n") is None
            assert await memory.update("s", "n", lambda _: None) is None

        self.play(tmp_path, scenario)

    def test_update_keeps_the_ttl_and_takes_an_expired_fact_for_absent(self, tmp_path: Path) -> None:
        async def scenario(memory: Memory, clock: StillClock) -> None:
            await memory.put("s", "n", b"7", ttl=10)
            clock.now += 5
            assert await memory.update("s", "n", count_up) == b"8"
            clock.now += 5
            assert await memory.get("s", "n") is None
            assert await memory.update("s", "n", count_up) == b"1"
            clock.now += 1e6
            assert await memory.get("s", "n") == b"1"

        self.play(tmp_path, scenario)

    def test_an_update_that_raises_changes_nothing(self, tmp_path: Path) -> None:
        def broken(value: bytes | None) -> bytes:
            raise ZeroDivisionError

        async def scenario(memory: Memory, clock: StillClock) -> None:
            await memory.put("s", "n", b"1")
            with pytest.raises(ZeroDivisionError):
                await memory.update("s", "n", broken)
            assert await memory.update("s", "n", count_up) == b"2"

        self.play(tmp_path, scenario)

    def test_items_are_those_of_the_space_with_the_prefix_in_order(self, tmp_path: Path) -> None:
        keys = ["", "a", "a/1", "a/2", "a/\U0010ffff", "a/\U0010ffff\U0010ffff", "a0", "b", "ß", "a/%", "a/_", "A/1"]

        async def scenario(memory: Memory, clock: StillClock) -> None:
            for key in keys:
                await memory.put("s", key, key.encode())
            await memory.put("t", "a/1", b"other")
            assert await memory.items("s") == [(key, key.encode()) for key in sorted(keys)]
            within = [key for key in sorted(keys) if key.startswith("a/")]
            assert [key for key, _ in await memory.items("s", "a/")] == within
            top = [key for key in sorted(keys) if key.startswith("a/\U0010ffff")]
            assert [key for key, _ in await memory.items("s", "a/\U0010ffff")] == top
            assert await memory.items("s", "zzz") == []
            assert await memory.items("nowhere") == []

        self.play(tmp_path, scenario)

    def test_updates_of_many_tasks_are_all_counted(self, tmp_path: Path) -> None:
        async def scenario(memory: Memory, clock: StillClock) -> None:
            await asyncio.gather(*(memory.update("s", "n", count_up) for _ in range(100)))
            assert await memory.get("s", "n") == b"100"

        self.play(tmp_path, scenario)

    def test_updates_of_several_processes_are_all_counted(self, tmp_path: Path) -> None:
        root = Path(__file__).parents[2]
        command = [sys.executable, "-m", "tests.memory.conformance", self.opener, str(tmp_path), "300"]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        processes = [subprocess.Popen(command, cwd=root, env=environment) for _ in range(3)]
        assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]

        async def scenario(memory: Memory, clock: StillClock) -> None:
            assert await memory.get("s", "n") == b"900"

        self.play(tmp_path, scenario)


async def _count(opener: str, place: Path, times: int) -> None:
    memory = load(opener)(place, time.time)
    for _ in range(times):
        await memory.update("s", "n", count_up)
    await memory.close()


if __name__ == "__main__":
    asyncio.run(_count(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))

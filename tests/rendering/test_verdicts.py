"""What was decided is remembered, shared between workers, and changed only by what two looks agree on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from nephila.memory import SqliteMemory
from nephila.rendering.verdicts import Verdict, Verdicts


def test_one_clear_look_or_two_that_agree_decide() -> None:
    verdict = Verdict()
    verdict.saw("plain", enough=False)
    assert verdict.way is None
    verdict.saw("plain", enough=False)
    assert verdict.way == "plain"
    clear = Verdict()
    clear.saw("browser", enough=True)
    assert clear.way == "browser"


def test_a_rebuilt_site_changes_the_verdict_after_two_looks() -> None:
    verdict = Verdict()
    verdict.saw("browser", enough=True)
    verdict.saw("plain", enough=False)
    assert verdict.way == "browser"
    verdict.saw("plain", enough=False)
    assert verdict.way == "plain"


def test_verdicts_outlive_the_process_and_reach_other_workers(tmp_path: Path) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        verdict = await Verdicts(memory).of("example.org/#")
        verdict.saw("data", enough=True, paths=("p json:0/text",))
        await Verdicts(memory).keep("example.org/#", verdict)
        again = await Verdicts(memory).of("example.org/#")
        assert (again.way, again.paths) == ("data", ("p json:0/text",))
        assert not again.old
        await memory.close()

    asyncio.run(run())


def test_pages_that_come_at_once_share_a_verdict(tmp_path: Path) -> None:
    """Else each of them would be looked at, though what the first one shows decides for all."""

    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        verdicts = Verdicts(memory)
        first, second, third = await asyncio.gather(*(verdicts.of("example.org/#") for _ in range(3)))
        assert first is second is third
        await memory.close()

    asyncio.run(run())

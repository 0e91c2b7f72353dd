"""Draws a page as a user without rights and prints how Chromium was shut in: `python -m ... [no-namespaces|insist]`.

Run as root it draws one page first, so that everything is imported while it can still be read, and then becomes nobody.
With `no-namespaces` the kernel grants this process none, as many containers do not.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sys
from pathlib import Path

from nephila.fetch.browser import BrowserOptions, BrowserPool
from nephila.fetch.errors import FetchError
from tests.fetch.browser.nasty import nasty_site

NOBODY = 65534
_NEW_USER = 0x10000000


async def draw(sandbox: bool | None = None) -> dict[str, object]:
    options = BrowserOptions(sandbox=sandbox, allow_private=True)
    async with nasty_site() as (root, _), BrowserPool(options) as pool:
        try:
            rendered = await pool.render(root + "slow-data")  # its text comes through the proxy
        except FetchError as error:
            return {"error": str(error)}
        assert pool.current is not None
        processes = await pool.current.processes()
        command = Path(f"/proc/{processes[0]}/cmdline").read_bytes()
        return {
            "drawn": "Words that came late" in rendered.html,
            "user": os.geteuid(),
            "unsafe": b"--no-sandbox" in command,
            "filtered": [_filter(pid) for pid in processes if _is_renderer(pid)],
        }


def _is_renderer(pid: int) -> bool:
    return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()


def _filter(pid: int) -> int:
    """2: the kernel filters the system calls of this process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Seccomp:"))


def forbid_namespaces() -> None:
    """In a user namespace of our own, with the same ids, in which no further one can be made."""
    mapped, written = os.pipe(), os.pipe()
    parent = os.getpid()
    helper = os.fork()
    if helper == 0:
        os.read(mapped[0], 1)
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{parent}/{name}").write_text("0 0 100000")
        os.write(written[1], b"x")
        os._exit(0)
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER):
        raise OSError(ctypes.get_errno(), "unshare")
    os.write(mapped[1], b"x")
    os.read(written[0], 1)
    os.waitpid(helper, 0)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def main() -> None:
    asyncio.run(draw())
    if "no-namespaces" in sys.argv:
        forbid_namespaces()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    print(json.dumps(asyncio.run(draw(True if "insist" in sys.argv else None))))


if __name__ == "__main__":
    main()

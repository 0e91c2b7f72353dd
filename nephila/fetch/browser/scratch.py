"""The directory that a pool's browsers may write to: made for one process, removed with it or by the next one."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = re.compile(r"nephila-browser-(\d+)-.+").fullmatch


@contextmanager
def scratch_directory() -> Iterator[Path]:
    _sweep(Path(tempfile.gettempdir()))
    path = Path(tempfile.mkdtemp(prefix=f"nephila-browser-{os.getpid()}-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def temporary_files_in(path: Path) -> Iterator[None]:
    """Processes started meanwhile keep their temporary files there (Playwright's driver has no setting for it)."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before


def _sweep(parent: Path) -> None:
    """Removes what processes of ours that were killed have left."""
    for path in parent.glob("nephila-browser-*"):
        found = _NAME(path.name)
        try:
            if found and path.stat().st_uid == os.getuid() and not Path(f"/proc/{found[1]}").exists():
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue

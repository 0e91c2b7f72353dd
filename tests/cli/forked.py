"""Many command lines in one go: each in a process of its own, forked from one that has loaded the program once.

    python -m tests.cli.forked < commands.json

Reads a list of [directory, argument, ...] and tells the exit status, the output and the error output of each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import orjson

from tests.crawl.crawling import PATIENCE, Done

ROOT = Path(__file__).parents[2]


def run_all(commands: Sequence[tuple[Path, Sequence[str]]]) -> list[Done]:
    """`nephila ARGUMENT...` in each directory."""
    asked = orjson.dumps([[str(directory), *arguments] for directory, arguments in commands])
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = subprocess.run(
        [sys.executable, "-m", "tests.cli.forked"],
        input=asked,
        capture_output=True,
        timeout=PATIENCE,
        check=True,
        env=environment,
        cwd=ROOT,
    )
    return [Done(*each) for each in orjson.loads(told.stdout)]


def _run(directory: str, arguments: list[str]) -> tuple[int, str, str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.chdir(directory)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os._exit(_status(arguments))
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), _text(out), _text(err)


def _status(arguments: list[str]) -> int:
    from nephila.cli import main

    sys.argv = ["nephila", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def main() -> None:
    import nephila.cli.looking
    import nephila.cli.running  # noqa: F401 - what most commands load

    commands: list[list[str]] = orjson.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(orjson.dumps([_run(directory, arguments) for directory, *arguments in commands]))


if __name__ == "__main__":
    main()

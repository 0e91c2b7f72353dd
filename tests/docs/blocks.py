"""The code blocks of the documentation, and how they are run.

| language | what happens |
|---|---|
| `python` | run as a program |
| `toml` | written to the file that its first line names (`# job.toml`) |
| `console` | each line after `$ ` is run; lines that follow it are the output that a reader will see |
| others | not run: `text` for what is shown only, `sh` for what a test must not do (`make test`) |

The blocks of a page share a directory and run in their order. They speak of https://example.org; here that is a sample
site on loopback, so private addresses are allowed to them. Output has to agree in shape: numbers, the width of gaps and
what a line of `...` stands for are left open.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.servers.redis import shared_redis

PUBLIC = "https://example.org"
SERVER = "redis://redis.example:6379"
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"\d[\d.,:]*")
_PROGRESS = re.compile(r"\d+:\d\d  [\d,]+ pages? \(.+ queued on ")
"""The line that a crawl writes every ten seconds: examples are over before, but on a busy machine."""


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Step:
    """A command of a console block with the lines that are said to follow it."""

    command: str
    shown: list[str]


def blocks(page: Path) -> list[Block]:
    text = page.read_text()
    return [Block(found[1], found[2], text[: found.start()].count("\n") + 1) for found in _FENCE.finditer(text)]


def steps(block: Block) -> Iterator[Step]:
    command, shown = "", list[str]()
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if command:
                yield Step(command, shown)
            command, shown = line.removeprefix("$ "), []
        elif command.endswith("\\"):
            command = command.removesuffix("\\") + line.strip()
        else:
            shown.append(line)
    assert command, f"line {block.line}: a console block begins with `$ ` and a command"
    yield Step(command, shown)


class Room:
    """A directory in which the blocks of one page are run, and the site that they speak of."""

    def __init__(self, directory: Path, site: str, environment: dict[str, str]) -> None:
        self._root = self._at = directory
        self._site = site.rstrip("/")
        self._environment = environment

    def run(self, block: Block) -> None:
        if block.language == "python":
            self._python(block)
        elif block.language == "toml":
            self._store(block)
        elif block.language == "console":
            for step in steps(block):
                self._step(step, block.line)

    def _store(self, block: Block) -> None:
        name = block.text.splitlines()[0].removeprefix("# ")
        assert re.fullmatch(r"[\w./-]+\.toml", name), f"line {block.line}: the first line has to name the file"
        text = self._local(block.text)
        private = "allow_private = true\n"
        text = text.replace("[http]\n", f"[http]\n{private}") if "[http]\n" in text else f"{text}\n[http]\n{private}"
        (self._at / name).write_text(text)

    def _python(self, block: Block) -> None:
        program = self._at / f"line{block.line}.py"
        program.write_text(self._local(block.text).replace("Job(", 'Job(http={"allow_private": True}, '))
        done = self._call([sys.executable, program.name])
        assert done.returncode == 0, f"line {block.line}:\n{done.stdout}"

    def _step(self, step: Step, line: int) -> None:
        if step.command.startswith("cd "):
            self._at = (self._at / step.command[3:].strip()).resolve()
            assert self._at.is_relative_to(self._root), f"line {line}: {step.command}"
            return
        command = self._local(step.command)
        if command != step.command:
            command = command.replace("nephila crawl ", "nephila crawl --allow-private ")
        done = self._call(["bash", "-o", "pipefail", "-c", command])
        complains = bool(step.shown) and step.shown[0].startswith("nephila: ")  # remarks come after a summary
        assert (done.returncode == 2) if complains else (done.returncode == 0), (
            f"line {line}: `{step.command}` ended with {done.returncode}:\n{done.stdout}"
        )
        if step.shown:
            seen = done.stdout.replace(self._site, PUBLIC).replace("crawl --allow-private ", "crawl ")
            lines = seen.splitlines()
            if not any(map(_PROGRESS.match, step.shown)):
                lines = [each for each in lines if not _PROGRESS.match(each)]
            assert same_shape(step.shown, lines), f"line {line}: `{step.command}` prints:\n{seen}"

    def _local(self, text: str) -> str:
        if SERVER in text:
            text = text.replace(SERVER, shared_redis())
        return text.replace(PUBLIC, self._site)

    def _call(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self._at,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
            check=False,
        )


def same_shape(shown: list[str], seen: list[str]) -> bool:
    """Whether the lines differ in numbers and gaps alone; a shown line `...` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(_shape(line)) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{_shape(line)}\n" for line in seen)) is not None


def _shape(line: str) -> str:
    return " ".join(_NUMBER.sub("0", line).split())

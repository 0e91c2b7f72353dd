"""Mistakes of people: one clear line on standard error that names what to change, status 2, no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.forked import run_all
from tests.crawl.crawling import PATIENCE, Done, nephila

URL = "https://example.org/"
OUT = ("-o", "pages.jsonl")


def files(root: Path) -> None:
    (root / "exists.jsonl").write_text("somebody else's\n")
    (root / "typo.toml").write_text("[limits]\nmax_page = 3\n")
    (root / "misplaced.toml").write_text("max_pages = 3\n")
    (root / "broken.toml").write_text("x = = 3")
    (root / "site.toml").write_text('[sites."example.org"]\ndelai = 3\n')


MISTAKES: list[tuple[list[str], list[str]]] = [
    (["crawl", "ht!tp://x", *OUT], ["ht!tp://x", "not an http or https URL"]),
    (["crawl", "ftp://example.org/", *OUT], ["ftp://example.org/", "not an http or https URL"]),
    (["crawl", "htp:/example.org", *OUT], ["htp:/example.org", "not an http or https URL"]),
    (["crawl", "htp:/example.org"], ["htp:/example.org", "not an http or https URL"]),
    (["crawl", *OUT], ["nothing to crawl", "give a URL"]),
    (["crawl"], ["nothing to crawl", "give a URL"]),
    (["crawl", URL], ["no output", "-o"]),
    (["crawl", URL, "-o", "pages.xyz"], ["pages.xyz", ".jsonl"]),
    (["crawl", URL, "-o", "gopher://x/y"], ["gopher://", ".jsonl"]),
    (["crawl", URL, "-o", "s3:/bucket/pages.jsonl"], ["s3:/bucket", "s3://"]),
    (["crawl", URL, "-o", "sqlite://pages.db"], ["sqlite://pages.db", "sqlite:///pages.db"]),
    (["crawl", URL, *OUT, *OUT], ["outputs", "pages.jsonl", "twice"]),
    (["crawl", URL, "-o", "exists.jsonl"], ["exists.jsonl", "--overwrite"]),
    (["crawl", URL, *OUT, "--job", "typo.toml"], ["typo.toml", "limits.max_page", "limits.max_pages"]),
    (["crawl", URL, *OUT, "--job", "misplaced.toml"], ["misplaced.toml", "limits.max_pages"]),
    (["crawl", URL, *OUT, "--job", "site.toml"], ["site.toml", "delai", "delay"]),
    (["crawl", URL, *OUT, "--job", "broken.toml"], ["broken.toml", "line 1"]),
    (["crawl", URL, *OUT, "--job", "missing.toml"], ["missing.toml", "No such file"]),
    (["crawl", *OUT, "--seeds", "missing.txt"], ["missing.txt", "No such file"]),
    (["crawl", URL, *OUT, "--state", "exists.jsonl/state"], ["exists.jsonl/state", "directory"]),
    (["crawl", URL, *OUT, "--state", "/proc/none"], ["/proc/none"]),
    (["crawl", URL, *OUT, "--max-pages", "0"], ["--max-pages", "1"]),
    (["crawl", URL, *OUT, "--max-time", "3x"], ["max_time", "3x"]),
    (["crawl", URL, *OUT, "--scope", "planet"], ["scope", "planet", "prefix"]),
    (["crawl", URL, *OUT, "--delay", "soon"], ["delay", "soon"]),
    (["crawl", URL, *OUT, "--include", "re:("], ["re:("]),
    (["crawl", URL, *OUT, "--log-level", "loud"], ["loud", "WARNING"]),
    (["crawl", URL, *OUT, "--nonsense"], ["--nonsense", "--help"]),
    (["crawl", "http://127.0.0.1:8080/", *OUT], ["private", "--allow-private"]),
    (["crawl", "http://localhost/", *OUT], ["private", "--allow-private"]),
    (["crawl", "http://0x7f000001/", *OUT], ["private", "--allow-private"]),
    (["crawl", "http://[::1]/", *OUT], ["private", "--allow-private"]),
    (["status", "--state", "missing"], ["missing", "--state"]),
    (["dead", "list", "--state", "missing"], ["missing", "--state"]),
    (["dead", "replay", "--state", "missing", "nonsense:"], ["nonsense:"]),
    (["status"], ["--state"]),
    (["nonsense"], ["nonsense", "--help"]),
    (["demo", "nonsense"], ["nonsense", "news"]),
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Done]]:
    """What the program says to each."""
    places = [tmp_path_factory.mktemp("mistake") for _ in MISTAKES]
    for place in places:
        files(place)
    told = run_all([(place, arguments) for place, (arguments, _) in zip(places, MISTAKES, strict=True)])
    return list(zip(places, told, strict=True))


@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=[" ".join(mistake)[:60] for mistake, _ in MISTAKES])
def test_a_mistake_gets_one_line(answers: list[tuple[Path, Done]], number: int) -> None:
    place, done = answers[number]
    assert done.status == 2
    assert done.out == ""
    assert done.err.count("\n") == 1, done.err
    assert done.err.startswith("nephila: ")
    for words in MISTAKES[number][1]:
        assert words in done.err
    assert (place / "exists.jsonl").read_text() == "somebody else's\n"


def test_a_name_that_nobody_has_is_told_as_such(tmp_path: Path) -> None:
    url = "http://no.such.host.invalid/"
    (tmp_path / "job.toml").write_text("[limits]\nmax_attempts = 1\n")
    done = nephila("crawl", url, *OUT, "--state", "state", "--job", "job.toml", cwd=tmp_path)
    assert done.status == 1
    assert url in done.last_line
    assert "name not found" in done.last_line
    assert "robots.txt" in nephila("dead", "list", "--state", "state", cwd=tmp_path).out


def test_a_dead_host_is_named_and_given_up(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/"
    (tmp_path / "job.toml").write_text("[limits]\nmax_attempts = 2\n")
    done = nephila("crawl", url, "--allow-private", *OUT, "--state", "state", "--job", "job.toml", cwd=tmp_path)
    assert done.status == 1
    assert "nothing could be fetched" in done.last_line
    assert url in done.last_line
    assert "connection refused" in done.last_line
    listed = nephila("dead", "list", "--state", "state", cwd=tmp_path)
    assert url in listed.out
    replayed = nephila("dead", "replay", "--state", "state", cwd=tmp_path)
    assert replayed.status == 0
    assert replayed.out.startswith("1 ")
    assert "no URL was given up" in nephila("dead", "list", "--state", "state", cwd=tmp_path).err


@pytest.mark.parametrize("command", [["worker"], ["submit", "job.toml"], ["status"], ["pause", "job"]])
def test_a_command_that_needs_more_than_is_installed_says_what(command: list[str], tmp_path: Path) -> None:
    program = "import sys; sys.modules['kazoo'] = None; from nephila.cli import main; main()"
    arguments = [*command, "--frontier", "redis://127.0.0.1:1"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == "nephila: this needs kazoo, which is not installed: pip install 'nephila[cluster]'\n"

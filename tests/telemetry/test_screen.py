from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest

from nephila.errors import ConfigError
from nephila.telemetry import (
    Counters,
    Metric,
    Output,
    Progress,
    Screen,
    figures,
    print_summary,
    summarise,
    summary_json,
)
from nephila.telemetry.summary import write_summary


def busy_progress(*, workers: int = 3, max_pages: int | None = 5000) -> Progress:
    progress = Progress(max_pages=max_pages)
    snapshots = []
    for number in range(workers):
        counters = Counters(f"worker-{number + 1}")
        counters.state = "running"
        counters.add(Metric.PAGES, 1234)
        counters.add(Metric.BYTES, 45_678_901)
        counters.error("timeout", "https://a.example/slow/" + "x" * 200)
        counters.error("\x1b[31mevil [bold]", "https://a.example/\x1b]0;title\x07")
        counters.observe(Metric.FETCH_SECONDS, 0.2)
        snapshots.append(counters.snapshot())
    progress.update(snapshots, SimpleNamespace(queued=98_765, leased=4, dead=2, hosts=17))
    return progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_live_picture_keeps_within_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Screen(busy_progress(workers=30), title="https://a.example/" + "y" * 200, stream=stream) as screen:
        drawn = stream.tell()
        screen.refresh()
        frame = stream.getvalue()[drawn:]
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame)
    assert max(map(len, text.splitlines())) <= width
    assert len(text.splitlines()) <= 24
    for words in ("37,020", "98,765", "hosts", "errors", "worker-1", "more"):
        assert words in text


def test_text_of_strangers_is_neither_code_nor_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Screen(busy_progress(), title="\x1b]0;x\x07", stream=stream):
        pass
    print_summary(summarise(busy_progress(), stopped="finished"), stream)
    shown = stream.getvalue()
    assert "\x1b]0" not in shown
    assert "\x07" not in shown
    assert "\x1b[31m" not in shown
    assert "evil [bold]" in shown


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    colours = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7]|38;[\d;]+)m")
    for no_color, expected in (("", True), ("1", False)):
        monkeypatch.setenv("NO_COLOR", no_color)
        stream = Terminal()
        print_summary(summarise(busy_progress(), stopped="finished"), stream)
        assert (colours.search(stream.getvalue()) is not None) == expected


def test_elsewhere_a_line_every_ten_seconds() -> None:
    stream, now = io.StringIO(), [0.0]
    with Screen(busy_progress(), stream=stream, clock=lambda: now[0]) as screen:
        for second in range(35):
            now[0] = float(second)
            screen.refresh()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert re.fullmatch(r"0:0\d  3,702 pages \(0\.0/s\), 98,765 queued on 17 hosts, 6 errors, 137 MB", lines[0])


def test_summary_tells_what_to_do_next() -> None:
    stream = io.StringIO()
    summary = summarise(
        busy_progress(),
        stopped="interrupted",
        outputs=[Output("pages.jsonl", 3702, 137_000_000), Output("-")],
        resume="nephila crawl --state here",
        dead_letters="nephila status --dead",
    )
    print_summary(summary, stream)
    text = stream.getvalue()
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    for words in (
        "Interrupted",
        "3,702",
        "timeout",
        "https://a.example/slow/",
        "pages.jsonl  3,702 records, 137 MB",
        "2 URLs  see them: nephila status --dead",
        "98,765 URLs in the queue",
        "nephila crawl --state here",
    ):
        assert words in text


def test_a_finished_crawl_names_no_way_to_resume() -> None:
    progress = Progress()
    progress.update([], SimpleNamespace(queued=0, leased=0, dead=0, hosts=0))
    summary = summarise(progress, stopped="finished", resume="nephila crawl", dead_letters="nephila dead")
    assert summary.complete
    assert summary.resume is summary.dead_letters is None


def test_json_summary_has_the_documented_keys(tmp_path: Path) -> None:
    path = tmp_path / "new" / "summary.json"
    write_summary(summarise(busy_progress(), stopped="max_pages", outputs=[Output("a.jsonl", 1, 2)]), path)
    data = orjson.loads(path.read_bytes())
    from nephila.telemetry import summary as module

    documented = {
        key
        for row in (module.__doc__ or "").splitlines()
        if row.startswith("| `")
        for key in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert set(data) == documented
    assert data["stopped"] == "max_pages"
    assert not data["complete"]
    assert data["pages"] == data["counters"]["pages"] == 3702
    assert data["errors"][1]["cause"] == "timeout"
    assert data["outputs"] == [{"uri": "a.jsonl", "records": 1, "bytes": 2}]
    assert data["timings"]["fetch_seconds"] == {"count": 3, "mean": 0.2, "p50": 0.25, "p95": 0.25}
    assert list(path.parent.iterdir()) == [path]
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="name another file"):
        write_summary(summarise(busy_progress(), stopped="finished"), tmp_path / "file" / "summary.json")
    assert summary_json(summarise(Progress(), stopped="failed")).endswith(b"}\n")


LOGGING_UNDER_A_SCREEN = """
import logging, sys
from nephila.telemetry import Progress, Screen, configure_logging
configure_logging()
with Screen(Progress(), title="x") as screen:
    logging.getLogger("nephila").warning("a line of the log")
    screen.refresh()
"""


def test_log_lines_go_above_the_live_picture() -> None:
    """On a real pseudo-terminal: the line is whole, and the picture is drawn again below it."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", LOGGING_UNDER_A_SCREEN], stderr=follower, env={**os.environ, "TERM": "xterm"}
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            data = os.read(leader, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
    assert process.wait() == 0
    os.close(leader)
    text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", shown)
    lines = [line.strip() for line in text.replace(b"\r", b"\n").split(b"\n") if b"a line of the log" in line]
    assert len(lines) == 1
    assert lines[0].endswith(b"WARNING nephila a line of the log")
    assert text.rfind(b"pages") > text.find(b"a line of the log")


def test_nothing_heavy_is_imported_before_it_is_drawn() -> None:
    heavy = "{'rich', 'scrapy', 'zstandard'}"
    code = f"import sys, nephila.telemetry, nephila.sinks; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (figures.size(0), "0 B"),
        (figures.size(999), "999 B"),
        (figures.size(1000), "1.00 kB"),
        (figures.size(999_999), "1.00 MB"),
        (figures.size(45_300_000), "45.3 MB"),
        (figures.size(10**16), "10000 TB"),
        (figures.duration(42.4), "0:42"),
        (figures.duration(3599.6), "1:00:00"),
        (figures.duration(2 * 86400 + 3 * 3600 + 245), "2 d 03:04:05"),
        (figures.speed(0.04), "0.0/s"),
        (figures.speed(1234.5), "1,234/s"),
        (figures.plural(1, "page"), "1 page"),
    ],
)
def test_figures_are_short_and_plain(shown: str, wanted: str) -> None:
    assert shown == wanted

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nephila.errors import ConfigError
from nephila.telemetry import configure_logging

log = logging.getLogger("nephila.test")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in [h for h in root.handlers if h not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    logging.captureWarnings(False)


def failing() -> None:
    raise ValueError("no luck at https://me:hunter2@a.example/?token=hunter2")


def test_json_lines_follow_the_elastic_common_schema(tmp_path: Path) -> None:
    file = tmp_path / "log" / "w.jsonl"
    configure_logging("debug", "json", file, worker="w1")
    log.warning("gave up %s", "x", extra={"url": "https://a.example/?sid=hunter2", "status": 503, "attempt": 2})
    try:
        failing()
    except ValueError:
        log.exception("broke")
    first, second = map(json.loads, file.read_text().splitlines())
    assert first["message"] == "gave up x"
    assert first["log.level"] == "warning"
    assert first["log.logger"] == "nephila.test"
    assert first["ecs.version"]
    assert first["@timestamp"].endswith("Z")
    assert isinstance(first["process.pid"], int)
    assert first["service.name"] == "nephila"
    assert first["service.node.name"] == "w1"
    assert first["url.full"] == "https://a.example/?sid=***"
    assert first["http.response.status_code"] == 503
    assert first["labels.attempt"] == 2
    assert second["error.type"] == "ValueError"
    assert second["error.message"] == "no luck at https://***@a.example/?token=***"
    assert "in failing" in second["error.stack_trace"]
    assert "hunter2" not in file.read_text()


def test_text_lines_hide_secrets_in_message_fields_and_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("INFO", worker="w1")
    log.info("Authorization: Bearer hunter2", extra={"password": "hunter2", "note": "https://u:hunter2@h/"})
    try:
        failing()
    except ValueError:
        log.exception("broke")
    shown = capsys.readouterr().err
    assert "hunter2" not in shown
    assert "INFO [w1] nephila.test Authorization: ***" in shown
    assert "password=*** note=https://***@h/" in shown
    assert "ValueError: no luck" in shown


def test_a_message_cannot_forge_a_line_or_drive_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "log"
    configure_logging("INFO", "text", file)
    message = "found \x1b[2J\r\n2031-01-01 00:00:00.000 ERROR nephila forged \ud800"
    # To our handler alone: pytest's own would carry the lone surrogate into its report, which cannot be sent.
    (ours,) = [handler for handler in logging.getLogger().handlers if type(handler).__module__.startswith("nephila")]
    ours.handle(logging.makeLogRecord({"name": "nephila.test", "levelno": 20, "levelname": "INFO", "msg": message}))
    first, second = file.read_text().splitlines()
    assert "found" in first
    assert second.startswith("    2031")
    assert "\x1b" not in first + second


def test_a_huge_message_is_cut(tmp_path: Path) -> None:
    configure_logging("INFO", "text", tmp_path / "log")
    log.info("x" * 10_000_000)
    assert (tmp_path / "log").stat().st_size < 40_000


def test_configuring_again_replaces_and_keeps_foreign_handlers(tmp_path: Path) -> None:
    foreign = logging.NullHandler()
    logging.getLogger().addHandler(foreign)
    configure_logging("INFO", "text", tmp_path / "one")
    configure_logging("WARNING", "text", tmp_path / "two")
    log.warning("once")
    assert (tmp_path / "one").read_text() == ""
    assert (tmp_path / "two").read_text().count("once") == 1
    assert foreign in logging.getLogger().handlers
    logging.getLogger().removeHandler(foreign)


def test_libraries_are_quieter_than_nephila_unless_debugging(tmp_path: Path) -> None:
    configure_logging("INFO", "text", tmp_path / "log")
    logging.getLogger("scrapy.core.engine").info("chatter")
    log.info("news")
    configure_logging("DEBUG", "text", tmp_path / "log")
    logging.getLogger("scrapy.core.engine").debug("detail")
    text = (tmp_path / "log").read_text()
    assert "chatter" not in text
    assert "news" in text
    assert "detail" in text


def test_bad_settings_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="choose one of DEBUG, INFO"):
        configure_logging("LOUD")
    with pytest.raises(ConfigError, match="choose text or json"):
        configure_logging("INFO", "xml")  # type: ignore[arg-type]
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot write the log"):
        configure_logging("INFO", "text", tmp_path / "file" / "log")


WRITER = """
import logging, sys
from pathlib import Path
from nephila.telemetry import configure_logging
configure_logging("INFO", "json", Path(sys.argv[1]), worker=sys.argv[2])
for number in range(60):
    logging.getLogger("nephila").info("%d %s", number, sys.argv[2] * 20_000)
"""


def test_lines_of_several_processes_in_one_file_do_not_mix(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path / "log", name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert len(lines) == 120
    assert {line["service.node.name"] for line in lines} == {"a", "b"}

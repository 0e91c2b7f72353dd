"""Log lines for people (text) or machines (JSON in the Elastic Common Schema), without secrets, for every process.

    configure_logging("INFO", "json", Path("state/log/worker-1.jsonl"), worker="worker-1")
    logging.getLogger("nephila.fetch").warning("gave up", extra={"url": url, "status": 503})

Redaction happens in the formatters, over everything that is written: message, fields, traceback.
"""

from __future__ import annotations

import logging
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

import orjson

from nephila import __version__
from nephila.errors import ConfigError
from nephila.telemetry.redact import MASK, redact

LogFormat = Literal["text", "json"]

ECS_VERSION = "8.17.0"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
MAX_LENGTH = 32_768
"""Characters of one message or traceback; no page's text can fill the disk."""

_NOISY = ("scrapy", "twisted", "asyncio", "aiohttp", "urllib3", "filelock", "playwright", "kazoo", "redis", "hpack")
"""Libraries that tell at INFO what is of use to their own authors."""

_ECS_NAMES = {
    "url": "url.full",
    "host": "url.domain",
    "status": "http.response.status_code",
    "worker": "service.node.name",
}
"""Fields given by `extra=` that the schema has a name for; others go below `labels.`."""

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure_logging(
    level: str | int = "INFO",
    format: LogFormat = "text",  # noqa: A002
    file: Path | str | None = None,
    *,
    worker: str | None = None,
) -> None:
    """Sends the log of this process to a file, or to standard error; call it first thing in each process.

    Several processes may share a file: each line is one append. Calling again replaces what was configured before;
    handlers of others stay.
    """
    number = _level(level)
    if format not in ("text", "json"):
        raise ConfigError(f"log format {format!r} is unknown: choose text or json")
    handler: logging.Handler = _StderrHandler() if file is None else _LineFileHandler(Path(file))
    handler.setFormatter(EcsFormatter(worker) if format == "json" else TextFormatter(worker))
    root = logging.getLogger()
    for former in [h for h in root.handlers if isinstance(h, _StderrHandler | _LineFileHandler)]:
        root.removeHandler(former)
        former.close()
    root.addHandler(handler)
    root.setLevel(number)
    for name in _NOISY:
        logging.getLogger(name).setLevel(number if number <= logging.DEBUG else max(number, logging.WARNING))
    logging.captureWarnings(True)


class TextFormatter(logging.Formatter):
    """`2031-05-06 07:08:09.123 WARNING nephila.fetch gave up url=https://...`; further lines are indented.

    The indent keeps a message that carries line ends (a stranger's text) from posing as a line of the log.
    """

    def __init__(self, worker: str | None = None) -> None:
        super().__init__()
        self._worker = f" [{worker}]" if worker else ""

    def format(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        parts = [_clean(record.getMessage()) + fields, *_traceback(self, record)]
        head = (
            f"{_when(record):%Y-%m-%d %H:%M:%S}.{int(record.msecs):03} {record.levelname}{self._worker} {record.name}"
        )
        return f"{head} " + "\n    ".join("\n".join(parts).splitlines())


class EcsFormatter(logging.Formatter):
    """One JSON object a line, with the flat dotted names of the Elastic Common Schema."""

    def __init__(self, worker: str | None = None) -> None:
        super().__init__()
        self._service = {"service.name": "nephila", "service.version": __version__}
        if worker:
            self._service["service.node.name"] = worker

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "@timestamp": _when(record).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "log.level": record.levelname.lower(),
            "message": _clean(record.getMessage()),
            "ecs.version": ECS_VERSION,
            "log.logger": record.name,
            "process.pid": record.process,
            "process.thread.name": record.threadName,
            **self._service,
        }
        for name, value in _fields(record).items():
            line[_ECS_NAMES.get(name) or (name if "." in name else f"labels.{name}")] = value
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line["error.type"] = type(error).__qualname__
            line["error.message"] = _clean(str(error))
        for text in _traceback(self, record):
            line["error.stack_trace"] = text
        return orjson.dumps(line).decode()


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Asks for standard error at every line: the live screen puts its own in place while it is up."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return sys.stderr


class _LineFileHandler(logging.Handler):
    """Appends each line in one write, so that lines of several processes do not mix."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise ConfigError(f"cannot write the log to {path}: {error.strerror}; name another file") from error

    def emit(self, record: logging.LogRecord) -> None:
        try:
            os.write(self._fd, (self.format(record) + "\n").encode("utf-8", "replace"))
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        self.acquire()
        try:
            if self._fd >= 0:
                os.close(self._fd)
                self._fd = -1
        finally:
            self.release()
        super().close()


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What the caller gave by `extra=`, made safe."""
    return {name: _safe(name, value) for name, value in vars(record).items() if name not in _STANDARD}


def _safe(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if redact(f"{name}=x") != f"{name}=x":
        return MASK
    return _clean(str(value))


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> list[str]:
    """The traceback, without the formatter's cache on the record, which would keep it unredacted for others."""
    parts = []
    if record.exc_info:
        parts.append(_clean(formatter.formatException(record.exc_info)))
    if record.stack_info:
        parts.append(_clean(formatter.formatStack(record.stack_info)))
    return ["\n".join(parts)] if parts else []


def _clean(text: str) -> str:
    """Redacted, bounded, valid, and free of control characters other than line ends and tabs."""
    if len(text) > MAX_LENGTH:
        text = text[:MAX_LENGTH] + f"... ({len(text) - MAX_LENGTH:,} characters more)"
    text = redact(text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text


def _when(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _level(level: str | int) -> int:
    if isinstance(level, int):
        return level
    if level.upper() not in LEVELS:
        raise ConfigError(f"log level {level!r} is unknown: choose one of {', '.join(LEVELS)}")
    return int(logging.getLevelName(level.upper()))

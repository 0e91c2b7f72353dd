"""The directions between the rooms are part of the design: a room imports only the rooms whose products it takes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "nephila"

# Products that everybody may name.
COMMON = {"errors", "filter_lists", "native", "page", "record", "redis", "sqlite", "__init__"}

ALLOWED: dict[str, set[str]] = {
    "urls": set(),
    "frontier": set(),
    "memory": set(),
    "native": set(),
    "sinks": set(),
    "archive": {"fetch"},
    "dedupe": set(),
    "telemetry": {"memory"},
    "document": {"urls"},
    "content": {"document", "urls", "memory"},
    "fetch": {"urls", "frontier", "memory", "job"},
    "quality": set(),
    "wrappers": {"document", "urls", "memory", "content"},
    "forum": {"content", "document", "memory", "urls"},
    "job": set(),
    "rendering": {"content", "document", "fetch", "frontier", "job", "memory", "reading", "urls"},
    "demo": set(),
    "crawling": {
        "dedupe",
        "document",
        "fetch",
        "forum",
        "frontier",
        "job",
        "memory",
        "pipeline",
        "quality",
        "reading",
        "rendering",
        "sinks",
        "telemetry",
        "urls",
    },
    "dashboard": {
        "api",
        "cluster",
        "content",
        "crawling",
        "document",
        "extraction",
        "frontier",
        "job",
        "memory",
        "sinks",
        "telemetry",
        "wrappers",
    },
}


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("nephila"):
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("nephila.")}
    return found


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_room_imports_only_what_it_takes(room: str) -> None:
    place = PACKAGE / room
    files = sorted(place.rglob("*.py")) if place.is_dir() else [PACKAGE / f"{room}.py"]
    for path in files:
        strangers = _imports(path) - ALLOWED[room] - COMMON - {room} - {"__version__"}
        assert not strangers, f"{path.relative_to(PACKAGE)} imports {sorted(strangers)}"

"""System D's data: pages as its own script saw them, one file a site, `<site>.jsonl.xz`. Knows files and pages only."""

from __future__ import annotations

import lzma
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from nephila.content.gold.datasets import DataError, set_names
from nephila.content.visual.page import VisualBlock, VisualPage, folded

MIXED = "chaos"
"""The set of many sites, which has gold texts."""
_LINK = re.compile(r"<a\b[^>]*>(.*?)</a>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_ELEMENT = re.compile(r"<[a-z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GoldPage:
    page: VisualPage
    gold: str | None


def site_names(directory: Path) -> list[str]:
    return [name for name in set_names(directory) if name != MIXED]


def read_pages(directory: Path, name: str) -> list[GoldPage]:
    path = directory / f"{name}.jsonl.xz"
    if not path.exists():
        raise DataError(f"no data set {name!r} in {directory}; there are: {', '.join(set_names(directory))}")
    with lzma.open(path, "rb") as lines:
        rows = [orjson.loads(line) for line in lines]
    try:
        return [GoldPage(_page(row), row.get("gold")) for row in rows]
    except (KeyError, TypeError) as error:
        raise DataError(f"{path} holds no rendered pages: name the directory of system D's data") from error


def _page(row: dict[str, Any]) -> VisualPage:
    bound = row["body"]["bound"]
    blocks = [_block(block) for block in row["texts"]]
    return VisualPage(
        row["url"],
        [text for text in row["titles"] if text],
        [text for text in row["descriptions"] if text],
        float(bound["width"]),
        float(bound["height"]),
        row["body"]["computed"],
        [block for block in blocks if block.text],
    )


def _block(row: dict[str, Any]) -> VisualBlock:
    bound, html = row["bound"], row["html"]
    text = folded("".join(row["text"]))
    linked = sum(len(" ".join(_TAG.sub("", link).split())) for link in _LINK.findall(html))
    return VisualBlock(
        float(bound["left"]),
        float(bound["top"]),
        float(bound["width"]),
        float(bound["height"]),
        row["computed"],
        tuple(row["path"]),
        tuple(_step(element) for element in row["selector"]),
        text,
        min(linked, len(text)),
        len(_ELEMENT.findall(html)),
        len(_LINK.findall(html)),
    )


def _step(element: dict[str, Any]) -> str:
    own = f"#{element['id']}" if element["id"] else ""
    return str(element["name"]) + own + "".join(f".{name}" for name in element["classes"])

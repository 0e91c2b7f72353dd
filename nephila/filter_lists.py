"""Filter lists in AdBlock's language (EasyList and the like), applied by Brave's engine: the extra `rules`.

The lists are the user's; none is shipped. Knows files and addresses, neither pages nor browsers.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nephila.errors import ConfigError


def engine_of(paths: Iterable[Path]) -> Any:
    """Brave's engine with these lists; `.xz` files too."""
    try:
        import adblock
    except ImportError:
        raise ConfigError("filter lists need Brave's engine: pip install 'nephila[rules]'") from None
    filters = adblock.FilterSet()
    for path in paths:
        filters.add_filters(_text_of(path).splitlines())
    return adblock.Engine(filters)


class NetworkFilter:
    """Says of a page's requests which are not to be made."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._engine = engine_of(paths)

    def blocks(self, url: str, page: str, kind: str) -> bool:
        """`kind` as the lists call it: script, image, xmlhttprequest, subdocument, ..."""
        return bool(self._engine.check_network_urls(url, page, kind).matched)


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (lzma.decompress(data) if path.suffix == ".xz" else data).decode("utf-8", "replace")
    except (OSError, lzma.LZMAError) as error:
        raise ConfigError(f"cannot read the filter list {path}: {error}") from None

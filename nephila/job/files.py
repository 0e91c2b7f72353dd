"""Job files as plain data, before anything is checked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nephila.errors import ConfigError


def load_toml(path: Path | str) -> dict[str, Any]:
    """The tables of a job file as plain data, so that flags can be laid over them before the check."""
    try:
        with Path(path).open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"cannot read the job file {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` laid over `base`, table by table; None in `over` means not given."""
    merged = dict(base)
    for key, value in over.items():
        if value is None:
            continue
        below = merged.get(key)
        merged[key] = merge(below if isinstance(below, Mapping) else {}, value) if isinstance(value, Mapping) else value
    return merged

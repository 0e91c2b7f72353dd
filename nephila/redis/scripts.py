"""Lua scripts: each in a file of its own, with the parts that its first line names (`-- with: a b`) before it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_WITH = "-- with: "


@dataclass(frozen=True, slots=True)
class Script:
    """A script, known to the server by its hash."""

    name: str
    text: bytes
    sha: str


@cache
def load_script(package: str, name: str) -> Script:
    """The script `lua/<name>.lua` of a package; its parts lie beside it or, shared by all packages, in this one."""
    code = _text(package, name)
    first = code.partition("\n")[0]
    parts = first.removeprefix(_WITH).split() if first.startswith(_WITH) else []
    text = "\n".join([*(_text(package, part) for part in parts), code]).encode()
    return Script(name, text, hashlib.sha1(text).hexdigest())


def _text(package: str, name: str) -> str:
    place = files(package).joinpath("lua", f"{name}.lua")
    return (place if place.is_file() else files(__package__).joinpath("lua", f"{name}.lua")).read_text("utf-8")

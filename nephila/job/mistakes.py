"""What is wrong with a job, in a line for the person who wrote it: the setting, and the nearest that there is."""

from __future__ import annotations

import difflib
import re
from typing import Any

from pydantic import ValidationError

from nephila.job.rules import SiteRules, Table

_SECRET = {"headers", "cookies", "proxy", "frontier"}
_PLAINER = {
    "model_type": "write it as a table of settings",
    "dict_type": "write it as a table",
    "tuple_type": "write it as a list, in brackets",
}


def explain(error: ValidationError, job: type[Table]) -> str:
    """One line that names the setting and what to change."""
    first = error.errors(include_url=False)[0]
    # Pydantic names the branch of a union too (`delay.function-after[...]`): that part is no key of the file.
    place = tuple(str(part) for part in first["loc"] if not re.search(r"^\[key\]$|\w\[.*\]$", str(part)))
    if first["type"] == "extra_forbidden":
        return _unknown_key(job, (*place[:-1], str(first["loc"][-1])))
    message = _PLAINER.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    # What may be a secret is not told again: this line goes to logs.
    shown = _is_plain(first["input"]) and not _SECRET & set(place)
    return f"{'.'.join(place)}: {message}" + (f" (got {first['input']!r})" if shown else "")


def _is_plain(value: Any) -> bool:
    return isinstance(value, (int, float, bool)) or (isinstance(value, str) and len(value) < 80)


def _unknown_key(job: type[Table], place: tuple[str, ...]) -> str:
    *tables, key = place
    known = list(_table_at(job, tables).model_fields)
    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    elsewhere = [".".join((name, key)) for name, table in _tables(job).items() if key in table.model_fields]
    if elsewhere and not tables:
        hint = f"did you mean {elsewhere[0]}?"
    elif nearest:
        hint = f"did you mean {'.'.join((*tables, nearest[0]))}?"
    else:
        hint = f"known here: {', '.join(known)}"
    return f"unknown key {'.'.join(place)}; {hint}"


def _tables(job: type[Table]) -> dict[str, type[Table]]:
    return {
        name: info.annotation
        for name, info in job.model_fields.items()
        if isinstance(info.annotation, type) and issubclass(info.annotation, Table)
    }


def _table_at(job: type[Table], place: list[str]) -> type[Table]:
    if not place:
        return job
    if place[0] == "sites":
        return SiteRules
    return _tables(job).get(place[0], job)

"""Writes the parts of the pages that are facts of the code: job keys, help texts, figures, errors, measurements.

    python docs/generate.py           # rewrites what stands between `<!-- generated: NAME -->` and `<!-- end -->`
    python docs/generate.py --check   # changes nothing, names the pages that are behind the code

The tests check it too. What is written by hand stands outside of the marks.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from nephila.cli import app
from nephila.fetch.errors import Cause, FetchError
from nephila.job import Job, SiteRules
from nephila.job.values import Size
from nephila.telemetry.names import Kind, Metric

DOCS = Path(__file__).parent
_MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    return [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]


def regenerated(text: str) -> str:
    """The page with every generated part made anew."""
    return _MARKED.sub(lambda found: f"{found[1]}{PARTS[found[2]]()}\n{found[3]}", text)


# -- job keys ---------------------------------------------------------------------------------------------------------


def job_keys() -> str:
    """One table for the top of the file and one for each table of it."""
    plain = {name: field for name, field in Job.model_fields.items() if _table_of(field) is None}
    parts = ["### Top of the file\n", _key_table(Job, plain)]
    for name, field in Job.model_fields.items():
        model = _table_of(field)
        if model is not None:
            head = f'[{name}."HOST"]' if model is SiteRules else f"[{name}]"
            head = f"[{head}]" if get_origin(field.annotation) is tuple else head
            parts += [f"\n### `{head}`\n", *_own_docstring(model), _key_table(model, model.model_fields)]
    return "\n".join(parts)


def _table_of(field: FieldInfo) -> type[BaseModel] | None:
    candidates = (field.annotation, *get_args(field.annotation))
    return next((kind for kind in candidates if isinstance(kind, type) and issubclass(kind, BaseModel)), None)


def _own_docstring(model: type[BaseModel]) -> Iterator[str]:
    if model.__doc__ and "__doc__" in vars(model) and model.__doc__ != BaseModel.__doc__:
        yield inspect.cleandoc(model.__doc__) + "\n"


def _key_table(model: type[BaseModel], fields: dict[str, FieldInfo]) -> str:
    meanings = attribute_docstrings(model)
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for name, field in fields.items():
        cells = (f"`{name}`", _type(field), _default(field), meanings.get(name, ""))
        rows.append("| " + " | ".join(cell.replace("|", "\\|").replace("<", "\\<") for cell in cells) + " |")
    return "\n".join(rows)


def attribute_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The texts below the attributes of a class, which Python itself throws away."""
    (tree,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(model))).body
    assert isinstance(tree, ast.ClassDef)  # noqa: S101
    found = {}
    for attribute, after in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(attribute, ast.AnnAssign)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            found[ast.unparse(attribute.target)] = inspect.cleandoc(str(after.value.value))
    return found


def _type(field: FieldInfo) -> str:
    kind: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    return _type_name(kind) + _bounds(field)


def _type_name(kind: Any) -> str:
    if kind == Size or "_bytes" in repr(kind):
        return "size"
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return "time" if "<lambda>" in repr(arguments[1:]) else _type_name(arguments[0])
    if origin is Literal:
        return " or ".join(f"`{value!r}`".replace("'", '"') for value in arguments)
    if origin in (Union, UnionType):
        return " or ".join(_type_name(argument) for argument in arguments if argument is not type(None))
    if origin is tuple:
        return f"list of {_type_name(arguments[0])}s"
    if origin is dict:
        return "table of strings"
    return {str: "string", Path: "string", int: "integer", bool: "true or false", float: "number"}[kind]


def _bounds(field: FieldInfo) -> str:
    low = [f"from {bound.ge}" for bound in field.metadata if getattr(bound, "ge", None)]
    high = [f"to {bound.le}" for bound in field.metadata if getattr(bound, "le", None)]
    return f" {' '.join(low + high)}" if low or high else ""


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is None:
        return "none"
    if value in ((), {}):
        return "empty"
    if field.annotation is int and any("_bytes" in repr(part) for part in field.metadata):
        return f'`"{value // 2**20} MB"`'
    if isinstance(value, float):
        return f"`{_duration(value)}`"
    shown = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
    return f"`{shown}`"


def _duration(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600)):
        if seconds >= length and seconds % length == 0:
            return f'"{seconds / length:.0f}{unit}"'
    return f"{seconds:g}"


# -- command line -----------------------------------------------------------------------------------------------------


def commands() -> str:
    """Every command with what `--help` prints, 80 columns wide."""
    root = typer.main.get_command(app)
    parts = []
    for path, command in _walk(root, ("nephila",)):
        shown = _context(path, command).get_help().rstrip()
        parts.append(f"## `{' '.join(path)}`\n\n```text\n{shown}\n```\n")
    return "\n".join(parts).rstrip()


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _walk(inner, (*path, name))


def _context(path: tuple[str, ...], command: Any) -> Any:
    settings = {"help_option_names": ["-h", "--help"]}
    return command.context_class(command, info_name=" ".join(path), terminal_width=80, **settings)


# -- figures and causes -----------------------------------------------------------------------------------------------


def counters() -> str:
    rows = ["| name | counts | split by |", "|---|---|---|"]
    rows += [f"| `{m}` | {m.help} | {m.label or ''} |" for m in Metric if m.kind is Kind.COUNTER]
    return "\n".join(rows)


def causes() -> str:
    rows = ["| cause | tried again |", "|---|---|"]
    rows += [f"| `{cause}` | {'yes' if FetchError(cause).may_pass else 'no'} |" for cause in Cause]
    return "\n".join(rows)


# -- measurements -----------------------------------------------------------------------------------------------------


def sinks() -> str:
    """What `benchmarks.sinks` found last."""
    rows = ["| output | read by | kills | records, each once | lost or double | records/s | CPU µs a record |"]
    rows += ["|---|---|--:|--:|--:|--:|--:|"]
    for row in json.loads((DOCS.parent / "benchmarks" / "results" / "sinks.json").read_text()):
        cells = (f"{value:,}" if isinstance(value, int | float) else str(value) for value in row.values())
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _result(name: str) -> dict[str, Any] | None:
    path = DOCS.parent / "benchmarks" / "results" / name
    found: dict[str, Any] | None = json.loads(path.read_text()) if path.exists() else None
    return found


def duplicates() -> str:
    """What `benchmarks.duplicates` found last."""
    row = _result("duplicates.json") or {}
    heads = "| documents | precision | recall | CPU µs a document | bytes a document |\n|--:|--:|--:|--:|--:|\n"
    names = ("documents", "precision", "recall", "cpu_us_per_document", "bytes_per_document")
    return heads + "| " + " | ".join(f"{row[name]:,}" for name in names) + " |"


def dashboard() -> str:
    """What `benchmarks/dashboard.py` found last."""
    rows = ["| request | median ms | slowest of 20, ms | CPU at most, ms |", "|---|--:|--:|--:|"]
    for name, (middle, slowest, *cost) in (_result("dashboard.json") or {}).items():
        rows.append(f"| {name} | {middle} | {slowest} | {next(filter(None, cost), '')} |")
    return "\n".join(rows)


def watched() -> str:
    """What `benchmarks.crawl.watched` found last."""
    rows = ["| pages | rounds | pages a second, of those alone | CPU a page, times that alone |", "|--:|--:|--:|--:|"]
    if row := _result("watched.json"):
        cells = (f"{row['pages']:,}", row["rounds"], f"{row['pages_per_second_kept']:.1%}", row["cpu_per_page"])
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)


def crawl() -> str:
    """What `make bench` found last."""
    told: dict[str, Any] = _result("crawl.json") or {"medians": []}
    bare = next((row for row in told["medians"] if row["name"] == "bare"), None)
    rows = ["| crawler | pages/s (least to most) | CPU ms a page | peak MB | pages/s, of the bare loop's |"]
    rows += ["|---|--:|--:|--:|--:|"]
    for row in told["medians"]:
        rate = f"{row['pages_per_second']:.0f} ({row['slowest']:.0f} to {row['fastest']:.0f})"
        share = f"{row['pages_per_second'] / bare['pages_per_second']:.2f}" if bare else ""
        cells = (row["name"], rate, f"{row['cpu_ms_per_page']:.1f}", f"{row['peak_rss_mb']:.0f}", share)
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def scaling() -> str:
    """What `benchmarks.cluster_scaling` found last."""
    runs: Any = _result("cluster_scaling.json") or []
    names = list(dict.fromkeys(run["who"] for run in runs))
    rows = ["| workers | " + " | ".join(f"{name}, pages/s | efficiency" for name in names) + " |"]
    rows += ["|--:|" + "--:|--:|" * len(names)]
    for workers in sorted({run["workers"] for run in runs}):
        found = {run["who"]: run for run in runs if run["workers"] == workers}
        cells = [f"{found[name]['pages_a_second']:.0f} | {found[name]['efficiency']:.0%}" for name in names]
        rows.append(f"| {workers} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


PARTS: dict[str, Callable[[], str]] = {
    "job-keys": job_keys,
    "commands": commands,
    "counters": counters,
    "causes": causes,
    "sinks": sinks,
    "duplicates": duplicates,
    "watched": watched,
    "crawl": crawl,
    "scaling": scaling,
    "dashboard": dashboard,
}


def main() -> int:
    behind = [page for page in pages() if page.exists() and regenerated(page.read_text()) != page.read_text()]
    for page in behind:
        if "--check" not in sys.argv:
            page.write_text(regenerated(page.read_text()))
        print(page.relative_to(DOCS.parent))
    return 1 if behind and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())

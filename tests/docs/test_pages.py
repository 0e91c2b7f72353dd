"""The documentation agrees with the code and with itself."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import orjson
import pytest

import nephila
from nephila.job import Job
from nephila.record import FIELD_NAMES, Record
from nephila.telemetry import Progress, summarise, summary_json

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]


def _page(name: str) -> str:
    return (DOCS / name).read_text()


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = _load(DOCS / "generate.py")


def _first_cells(text: str) -> list[str]:
    """The names in the first column of the tables."""
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


@pytest.mark.parametrize("page", generate.pages(), ids=lambda page: page.name)
def test_generated_parts_are_those_of_the_code(page: Path) -> None:
    text = page.read_text()
    assert generate.regenerated(text) == text, "run: python docs/generate.py"


def test_generated_parts_are_in_place() -> None:
    marks = [name for page in PAGES for name in re.findall(r"<!-- generated: ([\w-]+) -->", page.read_text())]
    assert sorted(marks) == sorted(generate.PARTS)


def test_every_job_key_has_a_meaning() -> None:
    models = [Job, *filter(None, map(generate._table_of, Job.model_fields.values()))]
    for model in models:
        silent = {
            name
            for name, field in model.model_fields.items()
            if generate._table_of(field) is None and not generate.attribute_docstrings(model).get(name)
        }
        assert not silent, f"{model.__name__} does not say what these keys mean"


def test_help_in_the_docs_is_what_the_command_prints() -> None:
    nephila = str(Path(sys.executable).parent / "nephila")
    printed = subprocess.run([nephila, "crawl", "--help"], capture_output=True, text=True, check=True).stdout
    assert " ".join(printed.split()) in " ".join(_page("cli.md").split())


def test_every_field_of_a_record_is_described() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", _page("record.md"), re.MULTILINE)
    assert [name for name, _ in rows] == list(FIELD_NAMES)
    types = {field.name: str(field.type).replace(" | None", "").replace(", Any]", ", any]") for field in fields(Record)}
    assert {name: kind.strip() for name, kind in rows} == {name: _plain_type(kind) for name, kind in types.items()}


def _plain_type(kind: str) -> str:
    names = {"str": "string", "int": "integer", "float": "number", "bool": "true or false"}
    names |= {"list[str]": "list of strings", "list[dict[str, any]]": "list of objects", "dict[str, any]": "object"}
    return names[kind]


def test_every_key_of_the_summary_is_described() -> None:
    keys = orjson.loads(summary_json(summarise(Progress(), stopped="finished")))
    assert _first_cells(_page("operations.md").split("## The summary as JSON")[1].split("\n## ")[0]) == list(keys)


def test_public_names_are_described() -> None:
    assert sorted(_first_cells(_page("python.md"))) == sorted(nephila.__all__)


def test_scrapy_settings_are_those_of_the_code() -> None:
    places = ("addon.py", "middleware.py", "browser/scrapy.py")
    code = "".join((ROOT / "nephila" / "fetch" / place).read_text() for place in places)
    internal = {"NEPHILA_DOWNLOAD_HANDLERS"}  # of the project, kept from one setting to the next
    assert set(_first_cells(_page("scrapy.md"))) == set(re.findall(r'"(NEPHILA_\w+)"', code)) - internal


def test_make_targets_exist() -> None:
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = {target for page in PAGES for target in re.findall(r"`?\bmake ([a-z-]+)`", page.read_text())}
    assert {"demo", "test"} <= told <= made


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", page.read_text()):
        link = "".join(target)
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = link.partition("#")
        place = (page.parent / path).resolve() if path else page
        assert place.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in _anchors(place), f"{link}: no such heading"


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as forges make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_index_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\(([\w-]+\.md)", _page("index.md")))
    assert linked == {page.name for page in DOCS.glob("*.md")} - {"index.md"}

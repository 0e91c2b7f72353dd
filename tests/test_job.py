"""The job: from TOML, flags and Python; one clear line for every mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.errors import ConfigError
from nephila.fetch.politeness import JobPoliteness
from nephila.job import Job, load_toml, merge

FULL = """
seeds = ["https://example.org/"]
outputs = ["pages.jsonl"]
workers = 2

[scope]
mode = "prefix"
include = ["*/blog/*", "re:^https://example[.]org/\\\\d+"]

[limits]
max_pages = 100
max_time = "2h"
max_body = "2.5 MB"
timeout = 10

[politeness]
delay = "500ms"
"""


def complaint(data: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as failure:
        Job.from_dict(data, "job.toml")
    message = str(failure.value)
    assert message.startswith("job.toml: ")
    assert "\n" not in message
    return message.removeprefix("job.toml: ")


def test_a_toml_file_becomes_a_job(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text(FULL.replace('"500ms"', '"auto"'))
    job = Job.from_toml(path)
    assert job.seeds == ("https://example.org/",)
    assert (job.limits.max_time, job.limits.max_body, job.limits.timeout) == (7200.0, int(2.5 * 2**20), 10.0)
    assert (job.politeness.delay, job.scope.mode, job.limits.depth) == ("auto", "prefix", None)
    path.write_text(FULL)
    with pytest.raises(ConfigError, match=r"politeness.delay: write a time"):
        Job.from_toml(path)


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        ({"seed": []}, "unknown key seed; did you mean seeds?"),
        ({"max_pages": 3}, "unknown key max_pages; did you mean limits.max_pages?"),
        ({"limits": {"max_page": 3}}, "unknown key limits.max_page; did you mean limits.max_pages?"),
        ({"sites": {"x.org": {"dela": 1}}}, "unknown key sites.x.org.dela; did you mean sites.x.org.delay?"),
        ({"zzz": 1}, "unknown key zzz; known here: seeds, outputs,"),
    ],
)
def test_an_unknown_key_names_the_nearest_known_one(data: dict[str, Any], hint: str) -> None:
    assert complaint(data).startswith(hint)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"limits": {"timeout": "5 parsecs"}}, "limits.timeout: write a time as a number with one of the units"),
        ({"limits": {"max_time": "1h30m"}}, "limits.max_time: write a time"),
        ({"limits": {"max_body": "big"}}, "limits.max_body: write a size"),
        ({"limits": {"max_body": 0}}, "limits.max_body: "),
        ({"limits": {"max_pages": True}}, "limits.max_pages: write a number"),
        ({"limits": {"timeout": True}}, "limits.timeout: write a number"),
        ({"limits": {"timeout": float("inf")}}, "limits.timeout: "),
        ({"limits": {"timeout": float("nan")}}, "limits.timeout: "),
        ({"limits": 5}, "limits: write it as a table of settings"),
        ({"politeness": {"delay": "fast"}}, "politeness.delay: write a time"),
        ({"politeness": {"delay": -1}}, "politeness.delay: "),
        ({"scope": {"mode": "sites"}}, "scope.mode: Input should be 'site', 'host', 'prefix' or 'any'"),
        ({"scope": {"include": ["re:("]}}, "scope.include.0: not a regular expression"),
        ({"sites": {"https://x.org/": {}}}, "sites.https://x.org/: 'https://x.org/' is not a host"),
        ({"seeds": "https://x.org"}, "seeds: write it as a list"),
        ({"workers": 0}, "workers: "),
        ({"recrawl": {"min": 2, "max": 1}}, "recrawl: min is above max"),
        ({"http": {"headers": {"X Y": "a"}}}, "http.headers."),
        ({"http": {"user_agent": "a\nb"}}, "http.user_agent: line breaks"),
        ({"http": {"proxy": "localhost:3128"}}, "http.proxy: write a proxy as http://"),
    ],
)
def test_a_bad_value_names_its_place_and_what_to_write(data: dict[str, Any], what: str) -> None:
    assert complaint(data).startswith(what)


@pytest.mark.parametrize(
    "data",
    [
        {"http": {"proxy": "htp://user:s3cret@host"}},
        {"http": {"headers": {"Authorization": "Bearer s3cret\r\nX: y"}}},
        {"http": {"cookies": {"session": "s3cret; x"}}},
        {"sites": {"x.org": {"headers": {"A": "s3cret\n"}}}},
    ],
)
def test_a_secret_is_not_told_again(data: dict[str, Any]) -> None:
    assert "s3cret" not in complaint(data)


def test_hosts_of_sites_are_named_as_the_crawl_names_them() -> None:
    names = {"Example.ORG": 1, "a.example:443": 2, "b.example.:80": 3, "bücher.example": 4, "c.example:8080": 5}
    job = Job.from_dict({"sites": {name: {"delay": delay} for name, delay in names.items()}})
    rule = JobPoliteness(job=job).rule
    hosts = ["example.org", "a.example", "b.example", "xn--bcher-kva.example", "c.example:8080"]
    assert [rule(host).delay for host in hosts] == [1, 2, 3, 4, 5]
    assert rule("d.example").delay == 0.5
    assert [rule(host).delay for host in ("localhost:8000", "127.0.0.1", "[::1]:80", "10.1.2.3:8")] == [0.0] * 4


def test_files_that_cannot_be_read_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the job file"):
        load_toml(tmp_path / "none.toml")
    (tmp_path / "broken.toml").write_text("seeds = [")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for name in ("broken", "binary"):
        with pytest.raises(ConfigError, match="is not valid TOML"):
            load_toml(tmp_path / f"{name}.toml")


def test_flags_are_laid_over_the_file() -> None:
    file = {"workers": 2, "limits": {"depth": 3, "max_pages": 5}, "scope": 7}
    flags = {"workers": None, "limits": {"depth": 1, "max_pages": None}, "scope": {"mode": "host"}}
    assert merge(file, flags) == {"workers": 2, "limits": {"depth": 1, "max_pages": 5}, "scope": {"mode": "host"}}
    assert file["limits"] == {"depth": 3, "max_pages": 5}


def test_a_job_travels_as_json_and_comes_back() -> None:
    job = Job.from_dict({"seeds": ["https://x.org"], "sites": {"x.org": {"delay": "2s"}}, "limits": {"max_body": "1K"}})
    assert Job.from_dict(job.model_dump(mode="json")) == job


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from([*Job.model_fields, "unknown"])


@given(st.dictionaries(keys, values | st.dictionaries(st.sampled_from(["delay", "depth", "headers", "x"]), values)))
def test_any_data_is_a_job_or_one_line(data: dict[str, Any]) -> None:
    try:
        Job.from_dict(data)
    except ConfigError as error:
        complaint_line = str(error)
    else:
        return
    assert complaint_line.startswith("the job: ")


@pytest.mark.parametrize("key", ["[", "a[b]", "", "limits.x"])
def test_the_oddest_key_is_named(key: str) -> None:
    with pytest.raises(ConfigError, match="unknown key"):
        Job.from_dict({key: 1})

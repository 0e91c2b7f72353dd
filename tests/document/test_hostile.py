"""Pages made to hang, exhaust or crash the parser: each in a process of its own, with its memory and CPU bounded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

MEMORY_BYTES = 1_500_000_000
CPU_SECONDS = 40
"""Far above what any page takes here (3 s): without the guard the same pages take minutes or all memory."""

PROGRAM = """
import resource
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({cpu}, {cpu}))
from nephila.document import parse, plain_text
from nephila.errors import InputError
body = {body}
try:
    document = parse(body, "https://e.org/")
except InputError as error:
    print("refused", error)
else:
    plain_text(document)
    document.text()
    document.metadata, document.relations, document.robots
    [block.html_length() for block in document.blocks[:100]]
    print("truncated" if document.truncated else "whole", len(document.blocks))
    del document
"""


# A quoted tag here and there, so that no two ends of tags are far from each other.
ATTRIBUTES = "b' '.join(b\"a%d='<b>'\" % i if i % 300 == 0 else b'a%d' % i for i in range(75_000))"


def survive(body: str, *, native: bool = True) -> str:
    body = body.replace("ATTRIBUTES", ATTRIBUTES)
    program = PROGRAM.format(memory=MEMORY_BYTES, cpu=CPU_SECONDS, body=body)
    environment = os.environ | ({} if native else {"NEPHILA_NATIVE": "0"})
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr[-2000:] or f"killed by signal {-done.returncode}"
    return done.stdout.strip()


TRUNCATED = {
    "100,000 levels": "b'<div>' * 100_000 + b'x'",
    "100,000 levels, closed": "b'<div>' * 100_000 + b'x' + b'</div>' * 100_000",
    "100,000 levels of lists": "b'<ul><li>' * 100_000",
    "100,000 levels of spans and paragraphs": "b'<span>' * 100_000 + b'<p>x</p>' * 100_000",
    "formatting elements that multiply": "b''.join(b'<p><font color=%d>x</p>' % i for i in range(50_000))",
    "a million attributes": "b'<p ' + b' '.join(b'a%d=1' % i for i in range(1_000_000)) + b'>x'",
    "a million quoted attributes": "b'<p ' + b' '.join(b\"a%d='>'\" % i for i in range(1_000_000)) + b'>x'",
    "attributes with tags in their quotes": "b'<p ' + ATTRIBUTES + b'>x'",
    "many attributes after what is rare": "b'<math></math><p ' + ATTRIBUTES + b'>x'",
    "attributes of many bodies": "b''.join(b'<body a%d=1>' % i for i in range(200_000))",
    "a name of its own for every attribute": "b''.join(b'<p x%d=1>' % i for i in range(500_000))",
    "50 MB": "b'<p>words and words</p>' * 2_300_000",
    "one line of 50 MB": "b'x' * 50_000_000",
    "200,000 links": "b'<a href=/x>y</a>' * 200_000",
}
HARMLESS = {
    "empty": "b''",
    "NULs": "b'\\0' * 1_000_000",
    "a million empty elements": "b'<i></i>' * 1_000_000",
    "a gigantic attribute": "b'<p title=\"' + b'a' * 9_000_000 + b'\">x'",
    "a million angle brackets": "b'<' * 1_000_000",
    "unclosed comments": "b'<!--' * 500_000",
    "deep JSON-LD": "b'<script type=application/ld+json>' + b'[' * 500_000 + b'</script>'",
    "JSON-LD of quotes": "b'<script type=application/ld+json>{\"a\":' + b'\"x\\\\\\\\' * 200_000 + b'</script>'",
    "nested templates": "b'<template>' * 5_000 + b'x'",
    "a refresh of spaces": "b'<meta http-equiv=refresh content=\"1' + b' ' * 100_000 + b'\">'",
}
REFUSED = {
    "binary": "bytes(range(256)) * 200_000",
    "random": "__import__('random').Random(1).randbytes(5_000_000)",
    "an image": "b'\\x89PNG' + bytes(5_000_000)",
}


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("body", ["b'<p>x' + b'<i hidden></i>' * 200_000", "b'<p>x' + b'<i hidden>' * 30_000 + b'y'"])
def test_hidden_parts_of_a_line_are_found_in_one_pass(body: str, native: bool) -> None:
    assert survive(body, native=native)


@pytest.mark.parametrize("name", TRUNCATED)
def test_what_is_too_much_is_cut_off(name: str) -> None:
    assert survive(TRUNCATED[name]).startswith("truncated")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_bad_is_read(name: str) -> None:
    assert survive(HARMLESS[name]).startswith(("whole", "truncated"))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_page_is_refused(name: str) -> None:
    assert survive(REFUSED[name]).startswith("refused")

"""Which library is used, and that it can be done without."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

from nephila import native


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the room, library and all."""
    if native.load() is None:
        pytest.skip("no native library: there was no C compiler when the package was installed")
    place = tmp_path / "native"
    shutil.copytree(native.HERE, place)
    monkeypatch.setattr(native, "HERE", place)
    monkeypatch.setattr(native, "LIBRARY", place / native.LIBRARY.name)
    return place


def loaded() -> bool:
    return native.load.__wrapped__() is not None


def test_the_library_of_these_sources_is_used(library: Path) -> None:
    assert loaded()


def test_a_library_of_other_sources_is_not_used(library: Path) -> None:
    with (library / "tags.c").open("a") as source:
        source.write("\n")
    assert not loaded()


def test_a_library_that_cannot_be_loaded_is_not_used(library: Path) -> None:
    (library / "libnative.so").write_bytes(b"\x7fELF, but no more")
    assert not loaded()


def test_no_library_is_no_error(library: Path) -> None:
    (library / "libnative.so").unlink()
    assert not loaded()


def test_it_can_be_left_out(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEPHILA_NATIVE", "0")
    assert not loaded()


@pytest.mark.parametrize("native_library", [True, False])
def test_it_counts_what_is_beyond_ascii_as_python_decodes(
    native_library: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native_library:
        monkeypatch.setattr(native, "load", lambda: None)
    edges = (0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5)
    for octets in product(edges, repeat=4):
        for text in (bytes(octets), b"plain text before " + bytes(octets) + b"!"):
            try:
                expected: int | None = len(text) - len(text.decode())
            except UnicodeDecodeError:
                expected = None
            assert native.beyond_ascii(text) == expected, text

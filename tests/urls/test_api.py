from __future__ import annotations

import re
from pathlib import Path

import nephila.urls


def test_public_names_are_pinned() -> None:
    assert sorted(nephila.urls.__all__) == [
        "MAX_LENGTH",
        "Mode",
        "References",
        "Scope",
        "canonicalize",
        "delivery_key",
        "family",
        "fingerprint",
        "host_key",
        "host_name",
        "origin",
        "registered_domain",
        "resolve",
        "shape",
        "trap",
        "url_date",
    ]


def test_room_knows_no_other_room() -> None:
    folder = Path(nephila.urls.__file__).parent
    for path in folder.glob("*.py"):
        imported = re.findall(r"^\s*(?:from|import) (nephila[\w.]*)", path.read_text(), re.MULTILINE)
        assert all(name == "nephila.errors" or name.startswith("nephila.urls") for name in imported), path

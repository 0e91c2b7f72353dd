"""Advertisements and what is hidden are taken out before anything is learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from nephila.document import parse
from nephila.errors import ConfigError
from nephila.wrappers.noise import NoiseFilter
from nephila.wrappers.outline import Outline

PAGE = """<body><div class="ad-banner"><p>Buy now</p></div><div id="cookie-consent">We use cookies</div>
<div style="display: none">secret</div><main class="ad"><h1>Kettle</h1><p class="shadow">Adds water</p>
<div class="partner-box"><p>Partner</p></div><img src="https://ads.tracker.example/x.gif">
<img src="/kettle.jpg"></main></body>"""


def outline() -> Outline:
    return Outline(parse(PAGE, "https://shop.example/p/1"))


def test_names_that_advertisements_go_by() -> None:
    page = outline()
    assert NoiseFilter().clean(page) == 3
    assert [text for text in page.texts if not text.startswith(("/", "http"))] == ["Kettle", "Adds water", "Partner"]


def test_filter_lists(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("##.partner-box\n||ads.tracker.example^$image\n")
    page = outline()
    NoiseFilter.from_lists([file]).clean(page)
    assert page.texts == ["Kettle", "Adds water", "/kettle.jpg"]


def test_a_list_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nothing\.txt"):
        NoiseFilter.from_lists([tmp_path / "nothing.txt"])

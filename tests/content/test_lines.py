"""System A, step by step."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.lines.classify import all_cells, cell, classify
from nephila.content.lines.discretise import HIGH, LOW, MIDDLE, discretise
from nephila.content.lines.extract import LineExtractor, Steps
from nephila.content.lines.features import NAMES, measure, normalise
from nephila.content.lines.preprocess import Line, lines_of
from nephila.content.lines.segment import blocks_of, line_scores, main_blocks
from nephila.document import parse


def test_a_line_is_a_block_level_run_without_noisy_tags() -> None:
    html = "<body><div>one <b>bold</b> <a href=x>link</a><script>no()</script> run<img src=i><p>two</p>three</div>"
    lines = lines_of(parse(html + "<form>gone<input></form><select><option>gone</select></body>"))
    assert [(line.text, line.links, line.images) for line in lines] == [
        ("one bold run", 1, 1),
        ("two", 0, 0),
        ("three", 0, 0),
    ]
    assert lines[0].html_bytes > len("one bold run")
    assert lines_of(parse(html), keep_links=True)[0].text == "one bold link run"


def test_the_six_features() -> None:
    lines = [Line("abcd", 8, 2, 0), Line("äö", 4, 0, 1)]
    measured = measure(lines)
    assert dict(zip(NAMES, measured[1].tolist(), strict=True)) == {
        "index": 1.0, "text_length": 4.0, "output_text_length": 4.0, "density": 1.0, "link_num": 0.0, "img_num": 1.0,
    }  # fmt: skip
    assert normalise(measured).max(axis=0).tolist() == [1.0] * 6


def test_levels_are_cut_between_least_mean_and_most() -> None:
    # Inside (the middle third) 4..6, outside 0..2: MIN 2, MEAN 3, MAX 4, so the cuts are 2.5 and 3.5.
    column = np.array([0.0, 1, 2, 4, 5, 6, 0, 1, 2])
    features = np.repeat(column[:, None], 6, axis=1)
    levels = discretise(features)[:, 0].tolist()
    assert levels == [LOW, LOW, LOW, HIGH, HIGH, HIGH, LOW, LOW, LOW]
    middling = np.repeat(np.array([0.0, 6, 3, 0, 6, 3, 0, 6, 3])[:, None], 6, axis=1)
    assert discretise(middling)[2, 0] == MIDDLE


def test_every_line_has_its_row_in_the_table() -> None:
    cells = all_cells()
    assert cell(cells).tolist() == list(range(729))
    table = np.arange(729) % 2 == 0
    assert classify(cells, table).tolist() == table.tolist()


@given(st.lists(st.booleans(), max_size=60))
def test_blocks_start_and_end_topical_and_hold_no_long_gap(flags: list[bool]) -> None:
    topical = np.array(flags, bool)
    blocks = blocks_of(topical)
    assert sum(flags) == sum(flags[index] for start, end in blocks for index in range(start, end))
    for start, end in blocks:
        assert flags[start]
        assert flags[end - 1]
        assert "0" * 5 not in "".join("01"[flag] for flag in flags[start:end])
    for (_, end), (start, _) in pairwise(blocks):
        assert start - end >= 5


def test_blocks_above_the_score_are_the_text_and_the_best_where_none_is() -> None:
    features = np.array([[0, 1, 1, 1, 0, 0], [0, 0.1, 0.1, 1, 0.5, 0.5], [0, 0.8, 0.6, 0.9, 0, 0]], float)
    scores = line_scores(features)
    assert scores.tolist() == pytest.approx([3, 0.2, 2.3])
    assert main_blocks([(0, 1), (1, 2), (2, 3)], scores) == [(0, 1), (2, 3)]
    assert main_blocks([(1, 2)], scores) == [(1, 2)]
    assert main_blocks([], scores) == []


def test_the_whole_way() -> None:
    text = "".join(f"<p>{'A sentence of the story, and one more. ' * 5}</p>" for _ in range(5))
    menu = "".join(f"<li><a href=/{number}>Entry</a>" for number in range(12))
    document = parse(f"<body><ul>{menu}</ul>{text}<ul>{menu}</ul></body>")
    levels = discretise(normalise(measure(lines_of(document))))
    table = np.zeros(729, bool)
    table[cell(levels[12:17])] = True
    for steps in (Steps(), Steps(least_score=None)):
        assert (
            LineExtractor(table, steps).text(document).splitlines()
            == [("A sentence of the story, and one more. " * 5).strip()] * 5
        )
    assert LineExtractor(table).text(parse("")) == ""


def test_each_classifier_learns_a_rule() -> None:
    pytest.importorskip("sklearn")
    from nephila.content.lines.train import fit

    cells = all_cells()
    wanted = (cells[:, 2] == HIGH) & (cells[:, 4] == LOW)
    counts = np.stack((~wanted * 3.0, wanted * 3.0), axis=1)
    for classifier in ("svm", "nb", "c45"):
        assert (fit(counts, classifier) == wanted).mean() > 0.95

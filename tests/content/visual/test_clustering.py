"""DBSCAN against its definition, computed point by point."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.content.visual.clustering import LEAST_NEIGHBOURS, NOISE, RADIUS, clusters_of, dbscan
from tests.content.visual.pages import article, block

_points = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 40)), max_size=60)


def _near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] == other[0] and abs(one[1] / 8 - other[1] / 8) <= RADIUS


@given(_points)
@settings(max_examples=150, deadline=None)
def test_clusters_are_those_of_the_definition(points: list[tuple[int, int]]) -> None:
    labels = dbscan([group for group, _ in points], np.array([place / 8 for _, place in points], dtype=float))
    neighbours = [[at for at, other in enumerate(points) if _near(one, other)] for one in points]
    core = [len(found) >= LEAST_NEIGHBOURS for found in neighbours]
    for at, found in enumerate(neighbours):
        if core[at]:
            assert labels[at] != NOISE
            assert all(labels[other] == labels[at] for other in found if core[other])
        elif labels[at] == NOISE:
            assert not any(core[other] for other in found)
        else:
            assert labels[at] in {labels[other] for other in found if core[other]}
    # Cores that are no chain apart are in clusters of their own.
    for label in set(labels.tolist()) - {NOISE}:
        members = sorted(points[at][1] for at in range(len(points)) if core[at] and labels[at] == label)
        assert all(after - before <= RADIUS * 8 for before, after in pairwise(members))


def test_blocks_of_one_look_are_a_cluster_and_others_are_not() -> None:
    pages = [article(number) for number in range(6)]
    labels = clusters_of(pages)
    names = [one.name for page in pages for one in page.blocks]
    by_name = {
        name: {label for label, other in zip(labels.tolist(), names, strict=True) if other == name} for name in names
    }
    assert len(by_name["p"]) == 1
    assert by_name["p"].isdisjoint(by_name["h1"] | by_name["li"])


def test_blocks_of_equal_style_but_of_another_width_are_apart() -> None:
    pages = [article(number) for number in range(6)]
    for page in pages:
        page.blocks.extend(block("aside", width=150, color="rgb(20, 20, 20)") for _ in range(2))
    labels = clusters_of(pages)
    wide = [one.width for page in pages for one in page.blocks if one.name == "p"]
    found = [
        label
        for label, one in zip(labels.tolist(), (b for p in pages for b in p.blocks), strict=True)
        if one.name == "p"
    ]
    assert len({(label, width) for label, width in zip(found, wide, strict=True)}) == 2


def test_nothing_is_no_cluster() -> None:
    assert len(clusters_of([])) == 0

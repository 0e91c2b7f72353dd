"""What transfers from site to site: each block beside its own page's majority, in numbers. Knows pages only.

A style value (`color: rgb(34, 34, 34)`) says nothing on a site that was never seen; that most of this page's prose has
this colour, this width and this left edge does.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from nephila.content.visual.clustering import clusters_of, look_of
from nephila.content.visual.density import density_features
from nephila.content.visual.measures import Measures, luminance, measure, shares, value_of, weighted_median
from nephila.content.visual.page import VisualBlock, VisualPage
from nephila.content.visual.vocabulary import Floats

_NAMES = ("p", "li", "h1", "h2", "h3", "h4", "a", "div", "td", "span", "blockquote", "pre", "dd", "dt")
_ANCESTORS = ("nav", "footer", "header", "aside", "article", "section", "main", "li", "table", "form")
_STOPS = re.compile(r"[,.;:!?、。，！？।،؟]")
# Words that makers of pages put into ids and classes, in whatever language they write.
_FURNITURE = re.compile(
    r"comment|reply|respon[ds]|sidebar|side-?bar|foot|related|share|social|promo|widget|nav|menu|header|advert|\bad\b|"
    r"popular|recent|\btags?\b|login|sponsor|breadcrumb|byline|meta",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"article|content|entry|post|story|body|text|main", re.IGNORECASE)
_ID = re.compile(r"#[^.]*")
_NUMBERS = re.compile(r"\d+")
_LONG_RUN = 60.0
_FAR = 20.0


def transferable(page: VisualPage) -> Floats:
    """One row a block, one column a feature (`FEATURES` names them)."""
    if not page.blocks:
        return np.zeros((0, len(FEATURES)))
    sizes = measure(page)
    columns: dict[str, Floats] = {}
    columns |= _text(page, sizes)
    columns |= _beside_majority(page, sizes)
    columns |= _shared(page, sizes)
    columns |= dict(zip(CLUSTERS, _clusters(page, sizes), strict=True))
    columns |= _structure(page, sizes)
    columns |= dict(zip(_DENSITY, density_features(page, sizes).T, strict=True))
    columns |= _marks(page)
    return np.column_stack([columns[name] for name in FEATURES]).astype(np.float64)


_DENSITY = ("density", "density_sum", "in_peak")
CLUSTERS = ("cluster", "cluster_most")


def _text(page: VisualPage, sizes: Measures) -> dict[str, Floats]:
    stops = np.array([len(_STOPS.findall(block.text)) for block in page.blocks], dtype=np.float64)
    return {
        "length": np.log1p(sizes.length),
        "prose": np.log1p(sizes.prose),
        "prose_50": sizes.prose > 50,
        "prose_100": sizes.prose > 100,
        "prose_200": sizes.prose > 200,
        "linked": sizes.linked,
        "linked_none": sizes.linked == 0,
        "linked_all": sizes.linked > 0.9,
        "stops": np.log1p(stops),
        "stops_share": stops / np.maximum(sizes.length, 1),
        "lines": np.log1p(np.clip(sizes.height / np.maximum(sizes.line, 1), 0, 100)),
        "fill": np.clip(sizes.length * sizes.font**2 / np.maximum(1, sizes.width * sizes.height), 0, 3),
    }


def _beside_majority(page: VisualPage, sizes: Measures) -> dict[str, Floats]:
    width, height = max(1.0, page.width), max(1.0, page.height)
    font = max(1.0, weighted_median(sizes.font, sizes.prose))
    usual = max(1.0, weighted_median(sizes.width, sizes.prose))
    edge = weighted_median(sizes.left, sizes.prose)
    body = luminance(page.body.get("color", ""))
    contrast = [abs(luminance(value_of(block, page, "color")) - body) for block in page.blocks]
    return {
        "font": np.clip(sizes.font / font, 0.3, 3),
        "font_same": np.abs(sizes.font - font) < 0.6,
        "font_larger": sizes.font > font * 1.1,
        "font_smaller": sizes.font < font * 0.93,
        "line": np.clip(sizes.line / np.maximum(sizes.font, 1), 0.5, 3),
        "bold": sizes.bold,
        "width": np.clip(sizes.width / usual, 0, 2),
        "width_same": np.abs(sizes.width - usual) <= 0.05 * usual,
        "width_page": np.clip(sizes.width / width, 0, 1),
        "left": np.clip(sizes.left / width, 0, 1),
        "left_same": np.abs(sizes.left - edge) <= 8,
        "left_away": np.clip(np.abs(sizes.left - edge) / width, 0, 1),
        "top": np.clip(sizes.top / height, 0, 1),
        "top_pixels": np.log1p(np.clip(sizes.top, 0, None)),
        "contrast": np.array(contrast),
    }


def _shared(page: VisualPage, sizes: Measures) -> dict[str, Floats]:
    """The share of the page's prose that is in blocks which are alike in one respect."""
    blocks, weights = page.blocks, sizes.prose
    alike: dict[str, Callable[[int, VisualBlock], object]] = {
        "same_type": lambda at, block: (value_of(block, page, "font-family"), sizes.font[at], sizes.line[at]),
        "same_style": lambda at, block: (
            value_of(block, page, "font-family"),
            sizes.font[at],
            sizes.line[at],
            value_of(block, page, "color"),
        ),
        "same_color": lambda _, block: value_of(block, page, "color"),
        "same_family": lambda _, block: value_of(block, page, "font-family"),
        "same_font": lambda at, _: sizes.font[at],
        "same_box": lambda at, _: (sizes.left[at] // 4, sizes.width[at] // 8),
        "same_left": lambda at, _: sizes.left[at] // 8,
        "same_width": lambda at, _: sizes.width[at] // 16,
        "same_look": lambda _, block: look_of(block),
        "same_path": lambda _, block: block.path,
        "same_parent": lambda _, block: block.selector[:-1],
        "same_grandparent": lambda _, block: block.selector[:-2],
        "same_selector": lambda _, block: _kind_of(block),
    }
    found: dict[str, Floats] = {
        name: shares([key(at, block) for at, block in enumerate(blocks)], weights) for name, key in alike.items()
    }
    for name in ("same_parent", "same_grandparent", "same_style"):
        found[f"{name}_log"] = np.log10(found[name] + 1e-3)
    return found


def _clusters(page: VisualPage, sizes: Measures) -> tuple[Floats, Floats]:
    """How much of the page's prose is in the block's cluster, and whether no other has more; noise counts as one."""
    share = shares(clusters_of([page]).tolist(), sizes.prose)
    return share, (share == share.max()).astype(np.float64)


def _kind_of(block: VisualBlock) -> tuple[str, ...]:
    """The selector without what is one element's own: its ids, and the numbers in its classes (`post-4711`)."""
    return tuple(_NUMBERS.sub("", _ID.sub("", step)) for step in block.selector)


def _structure(page: VisualPage, sizes: Measures) -> dict[str, Floats]:
    count = len(page.blocks)
    begin, end = _longest_run(sizes.prose - 2 * sizes.length * sizes.linked - _LONG_RUN)
    place = np.arange(count)
    away = np.maximum(0, np.maximum(begin - place, place - end + 1))
    depth, within = _container(page, sizes)
    return {
        "order": place / count,
        "prose_before": np.cumsum(sizes.prose) / max(1.0, float(sizes.prose.sum())),
        "blocks": np.full(count, np.log1p(count)),
        "in_run": (place >= begin) & (place < end),
        "run_away": np.minimum(away, _FAR) / _FAR,
        "in_container": within >= depth,
        "container_shared": within / max(1, depth),
    }


def _longest_run(gains: Floats) -> tuple[int, int]:
    """The consecutive blocks with the highest sum."""
    best, bounds, total, begin = 0.0, (0, 0), 0.0, 0
    for index, gain in enumerate(gains.tolist()):
        if total <= 0:
            total, begin = 0.0, index
        total += gain
        if total > best:
            best, bounds = total, (begin, index + 1)
    return bounds


def _container(page: VisualPage, sizes: Measures) -> tuple[int, Floats]:
    """The deepest path that holds half of the page's prose: its depth, and how much of it each block is on."""
    chain: tuple[str, ...] = ()
    half = float(sizes.prose.sum()) / 2
    while True:
        depth = len(chain)
        weights: dict[str, float] = {}
        for block, prose in zip(page.blocks, sizes.prose.tolist(), strict=True):
            if len(block.selector) > depth and block.selector[:depth] == chain:
                weights[block.selector[depth]] = weights.get(block.selector[depth], 0.0) + prose
        step = max(weights, key=lambda name: weights[name], default=None)
        if step is None or weights[step] < half:
            break
        chain += (step,)
    shared = [_common_steps(block.selector, chain) for block in page.blocks]
    return len(chain), np.array(shared, dtype=np.float64)


def _common_steps(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    for count, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return count
    return min(len(one), len(other))


def _marks(page: VisualPage) -> dict[str, Floats]:
    found: dict[str, list[bool]] = {name: [] for name in _MARKS}
    for block in page.blocks:
        names, words = set(block.path), " ".join(step.partition(name)[2] for step, name in _steps(block))
        nearest = " ".join(block.selector[-2:])
        for name in _NAMES:
            found[f"is_{name}"].append(block.name == name)
        for name in _ANCESTORS:
            found[f"in_{name}"].append(name in names)
        found["furniture"].append(bool(_FURNITURE.search(words)))
        found["furniture_near"].append(bool(_FURNITURE.search(nearest)))
        found["content"].append(bool(_CONTENT.search(words)))
    return {name: np.array(flags, dtype=np.float64) for name, flags in found.items()}


def _steps(block: VisualBlock) -> zip[tuple[str, str]]:
    return zip(block.selector, block.path, strict=True)


_MARKS = (
    *(f"is_{name}" for name in _NAMES),
    *(f"in_{name}" for name in _ANCESTORS),
    "furniture",
    "furniture_near",
    "content",
)
FEATURES: tuple[str, ...] = (
    *[
        "length",
        "prose",
        "prose_50",
        "prose_100",
        "prose_200",
        "linked",
        "linked_none",
        "linked_all",
        "stops",
        "stops_share",
        "lines",
        "fill",
    ],
    *[
        "font",
        "font_same",
        "font_larger",
        "font_smaller",
        "line",
        "bold",
        "width",
        "width_same",
        "width_page",
        "left",
        "left_same",
    ],
    *[
        "left_away",
        "top",
        "top_pixels",
        "contrast",
        "same_type",
        "same_style",
        "same_color",
        "same_family",
        "same_font",
        "same_box",
    ],
    "same_left",
    "same_width",
    "same_look",
    "same_path",
    "same_parent",
    "same_grandparent",
    "same_selector",
    *[
        "same_parent_log",
        "same_grandparent_log",
        "same_style_log",
        "order",
        "prose_before",
        "blocks",
        "in_run",
        "run_away",
    ],
    "in_container",
    "container_shared",
    *_DENSITY,
    *CLUSTERS,
    *_MARKS,
)

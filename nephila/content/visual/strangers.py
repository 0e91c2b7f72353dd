"""How a model does on sites that it never saw, whole sites at a time: the seven single sites of the paper's data.

Nothing was chosen by these figures (features and costs were, on the mixed set), so they tell what to expect elsewhere.
The judge is algorithm 1, which marks one cluster of each site; headings and quotations, which a model trained on gold
texts marks as well, count as errors of blocks here and hardly as errors of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from nephila.content.score import Score, bag_score, mean
from nephila.content.visual.data import MIXED, read_pages, site_names
from nephila.content.visual.features import transferable
from nephila.content.visual.labelling import Bools, label_site
from nephila.content.visual.model import GeneralModel
from nephila.content.visual.page import VisualPage
from nephila.content.visual.tables import Line, Table, block_score
from nephila.content.visual.training import fit_general, train_general


class _Site:
    def __init__(self, pages: Sequence[VisualPage]) -> None:
        self.pages = pages
        self.labels = label_site(pages)
        self.columns = np.vstack([transferable(page) for page in pages])

    def line(self, name: str, model: GeneralModel) -> Line:
        chosen = self.columns @ model.weights + model.bias > 0
        return Line(name, block_score(chosen, self.labels), self._text_score(chosen))

    def _text_score(self, chosen: Bools) -> Score:
        """Against the text of the labelled blocks, page by page, of the pages that have any."""
        scores, begin = [], 0
        for page in self.pages:
            part = slice(begin, begin + len(page.blocks))
            begin = part.stop
            if self.labels[part].any():
                scores.append(bag_score(_text(page, chosen[part]), _text(page, self.labels[part])))
        return mean(scores)


def _text(page: VisualPage, flags: Bools) -> str:
    return "\n".join(block.text for block, flag in zip(page.blocks, flags.tolist(), strict=True) if flag)


def stranger_tables(data: Path) -> Iterator[Table]:
    sites = {name: _Site([one.page for one in read_pages(data, name)]) for name in site_names(data)}
    yield _with_mean("Unseen sites: each by a model of the other six", _each_by_the_others(sites))
    shipped = train_general(read_pages(data, MIXED))
    lines = [site.line(name, shipped) for name, site in sites.items()]
    yield _with_mean("Unseen sites: each by the model of the mixed set, gold labels (ships)", lines)


def _each_by_the_others(sites: dict[str, _Site]) -> list[Line]:
    lines = []
    for name, site in sites.items():
        others = [other for other in sites.values() if other is not site]
        model = fit_general(
            np.vstack([other.columns for other in others]), np.concatenate([other.labels for other in others])
        )
        lines.append(site.line(name, model))
    return lines


def _with_mean(title: str, lines: list[Line]) -> Table:
    texts = [line.text for line in lines if line.text is not None]
    return Table(title, [*lines, Line("mean", mean([line.score for line in lines]), mean(texts))])

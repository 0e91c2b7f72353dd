"""Watches the rules of a template at work: when they stop agreeing, or a field stops being found, an alarm is due.

One page says little (an optional part is absent), and pages come in series that are alike; but a redesign spares none.
So the best of the last pages is compared with what was usual when the template was learned: as long as one page in
eight is read as ever, nothing has broken. A field that some of the sample pages did without is not missed where its
rules find no more than noise on a page that is otherwise as ever: a shop has whole series of gift boxes that have no
weight. Knows templates and their readings.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from nephila.wrappers.template import AGREED, Field, Reading, Template

WINDOW = 8
_FALLEN = 0.94
"""Of the usual agreement of all rules of a template, the share that no page of a broken one reaches: on 42 sites, the
best of eight pages had 0.96 or more before a simulated redesign, and 0.93 or less where one broke something."""
_FIELD_FALLEN = 0.75
_SOUND = 0.97
_SELDOM = 0.6
"""A field on fewer pages is absent too often to be missed."""


@dataclass(slots=True)
class Watch:
    """The recent readings of one template."""

    template: Template
    window: int = WINDOW
    _recent: deque[Reading] = field(default_factory=deque)

    def see(self, reading: Reading) -> dict[str, str]:
        """Takes the next reading; the fields that are in trouble, with the reason, once the window is full."""
        self._recent.append(reading)
        if len(self._recent) > self.window:
            self._recent.popleft()
        return self.trouble() if len(self._recent) == self.window else {}

    @property
    def _watched(self) -> list[Field]:
        return [each for each in self.template.fields if each.coverage >= _SELDOM and each.agreement]

    def is_break(self, trouble: Container[str]) -> bool:
        """Whether values are being lost: else the pages are of another sort, on which some of the rules vote apart."""
        hurt = [each for each in self._watched if each.name in trouble]
        lost = any(each.coverage == 1 and all(each.name not in page.units for page in self._recent) for each in hurt)
        return lost or 2 * len(hurt) >= len(self._watched)

    def trouble(self) -> dict[str, str]:
        watched = self._watched
        if not watched:
            return {}
        pages = [_expected(watched, reading) for reading in self._recent]
        worst = _SOUND if max(fmean(page.values()) for page in pages) < _FALLEN else _FIELD_FALLEN
        best = {each.name: max(page.get(each.name, 1.0) for page in pages) for each in watched}
        return {each.name: self._reason(each) for each in watched if best[each.name] < worst}

    def _reason(self, each: Field) -> str:
        there = [reading.agreement[each.name] for reading in self._recent if each.name in reading.units]
        rate = len(there) / len(self._recent)
        if rate < each.coverage / 2:
            return f"found on {rate:.0%} of the pages, usually {each.coverage:.0%}"
        return f"{fmean(there):.0%} of its rules agree, usually {each.agreement:.0%}"

    def reset(self) -> None:
        self._recent.clear()


def _soundness(each: Field, reading: Reading) -> float:
    """The agreement of a field's rules on a page, as a share of the usual; 0 where it is not found."""
    return min(1.0, reading.agreement[each.name] / each.agreement) if each.name in reading.units else 0.0


def _expected(watched: Sequence[Field], reading: Reading) -> dict[str, float]:
    """The soundness of the fields that the page should have, by their names."""
    page = {each.name: _soundness(each, reading) for each in watched}
    spared = {each.name for each in watched if each.coverage < 1 and reading.agreement[each.name] < AGREED}
    rest = {name: share for name, share in page.items() if name not in spared}
    # In a redesign what is left is unsound too, or most of it is gone.
    as_ever = 2 * len(rest) > len(page) and fmean(rest.values()) >= _FALLEN
    return rest if as_ever else page

"""Watches the rules of a template at work: when they stop agreeing, or a field stops being found, an alarm is due.

One page says little (an optional part is absent), and pages come in series that are alike; but a redesign spares none.
So the best of the last pages is compared with what was usual when the template was learned: as long as one page in
eight is read as ever, nothing has broken. Knows templates and their readings.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from statistics import fmean

from nephila.wrappers.template import Field, Reading, Template

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

    def trouble(self) -> dict[str, str]:
        watched = [each for each in self.template.fields if each.coverage >= _SELDOM and each.agreement]
        if not watched:
            return {}
        pages = [[_soundness(each, reading) for each in watched] for reading in self._recent]
        best = [max(page[number] for page in pages) for number in range(len(watched))]
        worst = _SOUND if max(fmean(page) for page in pages) < _FALLEN else _FIELD_FALLEN
        return {each.name: self._reason(each) for each, share in zip(watched, best, strict=True) if share < worst}

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

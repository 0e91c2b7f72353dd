"""Watches the rules of a template at work: when they stop agreeing, or a field stops being found, an alarm is due.

One page says little (an optional part is absent); so the last pages are judged together, against what was usual when
the template was learned. Knows templates and their readings.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from nephila.wrappers.template import Reading, Template

WINDOW = 6
_FALLEN = 0.82
"""Of the usual agreement, the share below which the rules are breaking."""
_LOST = 0.5


@dataclass(slots=True)
class Watch:
    """The recent readings of one template."""

    template: Template
    window: int = WINDOW
    _recent: deque[Reading] = field(default_factory=deque)
    _usual: dict[str, float] = field(default_factory=dict)
    _seen: int = 0

    def see(self, reading: Reading) -> dict[str, str]:
        """Takes the next reading; the fields that are in trouble, with the reason, once the window is full."""
        self._recent.append(reading)
        if len(self._recent) > self.window:
            self._recent.popleft()
        return self.trouble() if len(self._recent) == self.window else {}

    def trouble(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for each in self.template.fields:
            if each.coverage < 0.6:
                continue  # it is absent too often to be missed
            shares = [reading.agreement.get(each.name, 0.0) for reading in self._recent]
            there = [share for reading, share in zip(self._recent, shares, strict=True) if each.name in reading.units]
            rate = len(there) / len(shares)
            if rate < each.coverage * _LOST:
                found[each.name] = f"found on {rate:.0%} of the pages, usually {each.coverage:.0%}"
            elif sum(there) / len(there) < each.agreement * _FALLEN:
                found[each.name] = f"{sum(there) / len(there):.0%} of its rules agree, usually {each.agreement:.0%}"
        return found

    def reset(self) -> None:
        self._recent.clear()

"""The picture of what a page is about, told by where it stands: no label names it. Knows induced slots' evidence.

It changes from page to page, it is close to the headline or says the same in its `alt`, and is on most pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from nephila.wrappers.evidence import Evidence
from nephila.wrappers.outline import Outline
from nephila.wrappers.slots import Slot
from nephila.wrappers.tags import PICTURES

_OFTEN = 0.6
_CLOSE = 15
"""Units between a headline and its picture."""
_SAID = 0.5


def main_picture(
    outlines: Sequence[Outline], slots: Sequence[Slot], evidence: Sequence[Evidence], headline: Slot
) -> int | None:
    """The number of the slot; None when no picture is sure."""
    names = headline.chosen()
    best: tuple[float, int] | None = None
    for place, (slot, each) in enumerate(zip(slots, evidence, strict=True)):
        if each.attribute not in PICTURES or each.coverage < _OFTEN or each.distinct < _OFTEN:
            continue
        shown = {page: unit for page, unit in slot.chosen().items() if page in names}
        if not shown:
            continue
        said = fmean(_says(outlines[page], unit, outlines[page].texts[names[page]]) for page, unit in shown.items())
        away = median(abs(unit - names[page]) for page, unit in shown.items())
        if said >= _SAID or away <= _CLOSE:
            score = 2 * said + each.coverage + each.firmness + 1 / (1 + away / _CLOSE)
            if best is None or score > best[0]:
                best = (score, place)
    return best[1] if best else None


def _says(outline: Outline, unit: int, name: str) -> bool:
    alt = outline.tags[outline.owner[unit]].attributes.get("alt", "").strip().lower()
    return bool(alt) and (name.lower() in alt or (len(alt) > 3 and alt in name.lower()))

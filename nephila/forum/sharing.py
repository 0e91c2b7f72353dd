"""What two workers know of one site, put together. Knows models."""

from __future__ import annotations

from nephila.forum.model import SiteModel


def merge(one: SiteModel, other: SiteModel) -> SiteModel:
    """What two workers know of a site; of what both know, what was seen more often."""
    first, second = (one, other) if one.evidence.seen >= other.evidence.seen else (other, one)
    turned = any(model.ruled_out and model.evidence.wrong + model.evidence.contents for model in (one, other))
    first.forum = (one.forum or other.forum) and not turned
    first.ruled_out = (one.ruled_out or other.ruled_out) and not first.forum
    first.evidence = one.evidence.merged(other.evidence)
    first.boxes = {**second.boxes, **first.boxes}
    first.listed |= second.listed
    first.wild = one.wild | other.wild
    for text, pattern in second.patterns.items():
        known = first.patterns.get(text)
        if known is None or (pattern.fixed and not known.fixed) or (known.role is None and pattern.role is not None):
            first.patterns[text] = pattern
        elif not known.fixed:
            if known.page_slot is None and pattern.page_slot is not None:
                known.page_slot, known.page_step, known.page_base = (
                    pattern.page_slot,
                    pattern.page_step,
                    pattern.page_base,
                )
            known.leads, known.landed = known.leads or pattern.leads, max(known.landed, pattern.landed)
            known.fetched, known.useful = max(known.fetched, pattern.fetched), max(known.useful, pattern.useful)
    if first.template is None or (second.template is not None and second.template.seen > first.template.seen):
        first.template = second.template or first.template
    first.boards = {**second.boards, **first.boards}
    first.early = {**second.early, **first.early}
    first.day_first = second.day_first if first.day_first is None else first.day_first
    first.per_page |= second.per_page
    first.per_first |= second.per_first
    return first

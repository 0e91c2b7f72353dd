"""A rule file at hand: chooses the right template for a page and reads it. Knows templates, not the crawl."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from nephila.document import Document
from nephila.errors import InputError
from nephila.wrappers.groups import ALIKE, Groups, resemblance, sketch
from nephila.wrappers.outline import Outline
from nephila.wrappers.store import imported
from nephila.wrappers.structured import structured_facts, typed_facts
from nephila.wrappers.template import Reading, Template


@dataclass(slots=True)
class RuleBook:
    """Templates of any number of sites."""

    templates: list[Template]
    groups: dict[str, Groups] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> RuleBook:
        try:
            return cls(*imported(path.read_bytes()))
        except OSError as error:
            raise InputError(f"cannot read the rules {path}: {error.strerror}") from None
        except ValueError as error:
            raise InputError(f"cannot use the rules {path}: {error}") from None

    def match(self, outline: Outline, site: str | None = None) -> Template | None:
        """The template whose first page is most like this one; of the page's own site where it is known there."""
        page = sketch(outline)
        best: Template | None = None
        share = ALIKE
        of_site = [each for each in self.templates if each.site == site] or self.templates
        for template in of_site:
            group = self.groups.get(template.site, Groups()).groups.get(template.group)
            alike = resemblance(group.leader, page) if group is not None else ALIKE
            if alike >= share:
                best, share = template, alike
        return best

    def read(self, document: Document, site: str | None = None) -> tuple[Template | None, Reading]:
        """The fields of a page: what it says of itself first, then what the rules find."""
        outline = Outline(document)
        template = self.match(outline, site)
        reading = template.read(outline, document.metadata.language) if template is not None else Reading()
        kind, facts = structured_facts(document)
        reading.values = {**reading.values, **typed_facts(kind, facts, document.base_url)}
        return template, reading

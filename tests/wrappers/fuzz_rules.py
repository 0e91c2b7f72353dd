"""Any bytes as a rule file: templates that can be used come out, or ValueError says that it is none.

python -m tests.wrappers.fuzz_rules [seconds]
"""

from __future__ import annotations

from nephila.document import parse
from nephila.wrappers.book import RuleBook
from nephila.wrappers.groups import Groups, sketch
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.outline import Outline
from nephila.wrappers.store import exported, imported
from tests.fetch.fuzzing import main
from tests.wrappers.pages import albums, page

_PAGES = [parse(page(album)) for album in albums(4)]


def _file(fields: int) -> bytes:
    groups = Groups()
    name = groups.place(sketch(Outline(_PAGES[0]))).name
    template = learn([Lesson(Outline(each)) for each in _PAGES], "groove.example", name)
    for each in template.fields:
        each.rules, each.profile = each.rules[:2], None
    template.fields, template.fixed = template.fields[:fields], {"Label": 1}
    return exported([template], {"groove.example": groups})


SEEDS = [_file(1), _file(3), b'{"format": 1, "templates": [], "groups": {}}']


def target(data: bytes) -> None:
    try:
        templates, groups = imported(data)
    except ValueError:
        return
    RuleBook(templates, groups).read(_PAGES[1], "groove.example")
    exported(templates, groups)


if __name__ == "__main__":
    main(target, SEEDS)

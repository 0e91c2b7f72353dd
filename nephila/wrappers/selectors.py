"""Rules as XPath 1.0 and CSS that other tools can run. Knows rules and the two languages.

`<tbody>` may or may not be in the tree of the other tool, so rows are found by the number of tables around them, or by
the closest table above them. White space is what HTML's is and the no-break space.
"""

from __future__ import annotations

import itertools
import re

from nephila.wrappers.addresses import AFTER, ANCHORED, BEFORE, CLASS, LABEL, OUTER, PATH, PLACE, PROP, TAGS, TAIL
from nephila.wrappers.rules import MARKED, VOLATILE, Rule

_CLEAN = "normalize-space(translate(.,'\u00a0',' '))"
_TEXT = f"text()[{_CLEAN}]"
_SPLIT = f"self::*[count(descendant::{_TEXT})>1]"
"""An element whose value is written in several texts: its string is the value."""
_SIMPLE = re.compile(r"[A-Za-z_-][\w-]*\Z")


def xpath(rule: Rule) -> str:
    """Gives the text node or attribute that the rule finds."""
    if rule.family == BEFORE:
        return f"{_label(rule.words[0])}/preceding::{_TEXT}[{rule.number}]"
    return numbered(_xpath_all(rule), rule.number)


def numbered(expression: str, number: int) -> str:
    if number == 0:
        return expression
    if number > 0:
        return f"({expression})[{number}]"
    return f"({expression})[last()]" if number == -1 else f"({expression})[last()-{-number - 1}]"


def _xpath_all(rule: Rule) -> str:
    value = f"@{rule.attribute}" if rule.attribute else _SPLIT if rule.whole else _TEXT
    if rule.family == LABEL:
        return _behind_label(rule)
    if rule.family == AFTER:
        return f"{_label(rule.words[0])}/following::{_TEXT}"
    if rule.family == PROP:
        return _by_property(rule, value)
    if rule.family == PATH:
        steps = [(name, _classes(mark)) for name, mark in rule.words]
        return f"{_from_top(steps)}/{value}"
    if rule.family == PLACE:
        steps = [(name, f"[{number}]" if level else "") for level, (name, number) in enumerate(rule.words)]
        return f"{_from_top(steps)}/{value}"
    if rule.family == TAGS:
        return f"{_from_top([(name, '') for name in rule.words])}/{value}"
    if rule.family == TAIL:
        return f"{_from_anywhere([(name, '') for name in rule.words[0].split('/') if name])}/{value}"
    if rule.family in (CLASS, OUTER):
        name, mark = rule.words[0]
        steps = [(name, _classes(mark)), *(_without(name, "class") for name in rule.words[1:])]
    else:
        ident = f"[@id={quote(rule.words[0])}]" if rule.words[0] else ""
        steps = [("*" if ident else "html", ident), *(_without(name, "id") for name in rule.words[1:])]
    return f"{_from_anywhere(steps)}/{value}"


def _from_top(steps: list[tuple[str, str]]) -> str:
    tables, written = 0, ""
    for level, (name, predicate) in enumerate(steps):
        if name == "tr" and level and steps[level - 1][0] == "table":
            written += f"/descendant::tr[count(ancestor::table)={tables}]{predicate}"
        else:
            written += f"/{name}{predicate}"
        tables += name == "table"
    return written


def _from_anywhere(steps: list[tuple[str, str]]) -> str:
    pairs = list(itertools.pairwise(steps))
    if not any(above[0] == "table" and below[0] == "tr" for above, below in pairs):
        return "//" + "/".join(name + predicate for name, predicate in steps)
    condition = ""
    for above, below in pairs:
        axis = "ancestor::table[1]" if (above[0], below[0]) == ("table", "tr") else f"parent::{above[0]}"
        condition = f"[{axis}{above[1]}{condition}]"
    return f"//{steps[-1][0]}{condition}"


def _without(name: str, attribute: str) -> tuple[str, str]:
    """A step below the anchor: it has no class (id) of its own, else it would be the anchor."""
    if name.endswith(MARKED):
        return (name.removesuffix(MARKED), f"[@{attribute}]")
    return (name.removesuffix(VOLATILE), "" if name.endswith(VOLATILE) else f"[not(@{attribute})]")


def _classes(mark: str) -> str:
    if not mark:
        return "[not(@class)]"
    mark = mark.removesuffix(VOLATILE)
    return "".join(
        f"[contains(concat(' ',normalize-space(@class),' '),{quote(f' {token} ')})]" for token in mark.split()
    )


def _label(text: str) -> str:
    return f"(//text()[{_CLEAN}={quote(text)}])[1]"


def _behind_label(rule: Rule) -> str:
    tags = rule.words[1].partition("@")[0]
    above, _, name = tags.partition("/")
    around = f"[parent::{above}]" if above else ""
    if rule.attribute:
        return f"{_label(rule.words[0])}/following::{name}{around}/@{rule.attribute}"
    if rule.whole:
        return f"{_label(rule.words[0])}/following::{name}{around}/{_SPLIT}"
    return f"{_label(rule.words[0])}/following::{_TEXT}[parent::{name}{around}]"


def _by_property(rule: Rule, value: str) -> str:
    name = quote(rule.words[0])
    lower = "translate({},'ABCDEFGHIJKLMNOPQRSTUVWXYZ','abcdefghijklmnopqrstuvwxyz')"
    has = " or ".join(f"{lower.format('@' + key)}={name}" for key in ("itemprop", "property"))
    if rule.attribute == "content":
        has += f" or self::meta[{lower.format('@name')}={name}]"
    own = "not(@itemprop or @property)"
    return f"//*[{has} or ({own} and parent::*[{has}])]/{value}"


def quote(text: str) -> str:
    """A string of XPath 1.0, which knows no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = [f"'{part}'" for part in text.split("'")]
    return "concat(" + ',"\'",'.join(parts) + ")"


def css(rule: Rule) -> str | None:
    """The element, not which of them nor which part of it; None where CSS has no words for it (labels)."""
    if rule.family in ANCHORED:
        return None
    if rule.family == PROP:
        return f'[itemprop="{rule.words[0]}" i]'
    if rule.family in (PATH, PLACE):
        steps = [
            name + (_css_classes(part) if rule.family == PATH else f":nth-of-type({part})") for name, part in rule.words
        ]
    elif rule.family in (TAGS, TAIL):
        steps = list(rule.words) if rule.family == TAGS else [name for name in rule.words[0].split("/") if name]
    elif rule.family in (CLASS, OUTER):
        steps = [rule.words[0][0] + _css_classes(rule.words[0][1]), *(_css_without(n, "class") for n in rule.words[1:])]
    else:
        steps = [_css_id(rule.words[0]) if rule.words[0] else "html", *(_css_without(n, "id") for n in rule.words[1:])]
    written: str = steps[0]
    for above, below in itertools.pairwise(steps):
        table = above.split(".")[0].split(":")[0] == "table" and below.split(".")[0].split(":")[0] == "tr"
        written += f" {below}" if table else f" > {below}"
    return written


def _css_without(name: str, attribute: str) -> str:
    if name.endswith(MARKED):
        return f"{name.removesuffix(MARKED)}[{attribute}]"
    return name.removesuffix(VOLATILE) if name.endswith(VOLATILE) else f"{name}:not([{attribute}])"


def _css_classes(mark: str) -> str:
    if not mark:
        return ":not([class])"
    mark = mark.removesuffix(VOLATILE)
    return "".join(f".{token}" if _SIMPLE.match(token) else f'[class~="{token}"]' for token in mark.split())


def _css_id(ident: str) -> str:
    return f"#{ident}" if _SIMPLE.match(ident) else f'[id="{ident}"]'


__all__ = ["css", "numbered", "quote", "xpath"]

"""Names of people as pages write them. Knows texts only."""

from __future__ import annotations

import re

# "by" in the languages of bylines; the name follows.
BYS = (
    r"by|von|vom|par|por|di|door|av|af|autor(?:in|en)?|authors?|auteur|redaktion|автор|текст|συντάκτης|του|作者|记者|記者|文|"
    r"责任编辑|编辑"
)
BY_WORDS = frozenset(
    BYS.replace("autor(?:in|en)?", "autor|autorin|autoren").replace("authors?", "author|authors").split("|")
)
VERBS = (
    r"written|posted|published|reviewed|story|words|review|article|artikel|beitrag|text|erstellt|gespeichert|geschrieben|"
    r"publiziert|veröffentlicht|verfasst|kommentar|interview|publié|escrito|scritto"
)
"""What stands before a "by"."""

_MOST_WORDS = 5
_PARTICLE = 4
"""Letters of a word that is no particle of a name."""
_PREFIX = re.compile(
    rf"^\W*(?:(?:{VERBS})\s+)?(?:by|von|par|por|di|door|af|av|автор|作者|autor(?:in)?|author)\b\s*[:：]?\s*"
    # Two elements whose texts run together: "vonAnn Lee".
    rf"|^(?:(?:{VERBS})\s+)?(?:by|von|par|por)(?-i:(?=[A-ZÀ-Ý][a-zß-ÿ]+ [A-ZÀ-Ý]))",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    r"(?<=[a-zß-ÿ])(?:Published|Updated|Posted|Veröffentlicht|Last|In|On|(?:Jan|Febr)uary|March|April|May|Ju(?:ne|ly)|August|"
    r"(?:Septem|Octo|Novem|Decem)ber)\b.*"
)
"""What runs on from a name without a space between."""
_LABEL = re.compile(r"^[^\W\d_]{1,15}\s*[:：]\s*")
"""A word with a colon before a name, in any language."""
_AFTER = re.compile(r"\s[-–—]\s|\s{2,}|\s*[<\[]")
_AND = re.compile(r"\s+(?:&|and|und|et|en|och|og|i|и|και)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,;]\s*")
_TWO = re.compile(r"[^\W\d_A-ZÀ-Ý]{4}[A-ZÀ-Ý]")
"""Two texts that run together."""
_TEAM = re.compile(r"the \w[\w .-]{1,30} team", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\b(?:the|and more|staff writers?|writer|comments?|contributors?|members?|posted|published|updated|share|"
    r"read|follow|submit|cite|this|in|on|at|am|um|le|el|about|from|author|autor|by|minutes?|ago|view|all|posts?|"
    r"admin|uhr|name|mehr|more|beitrag|inhalte?|autoreninfo|e-?mail|redaktion|abschicken|login|home|menu|news|image|"
    r"photo|foto|bild|auteur|via|veröffentlicht)\b|^von\b",
    re.IGNORECASE,
)


def without_by(text: str) -> str:
    """The text without the "by" before a name."""
    return _PREFIX.sub("", text)


def people(text: str, *, logins: bool = False) -> str | None:
    """One name, or several with a comma between."""
    before, *last = _AND.split(text.strip())
    parts = [part for part in (*_COMMA.split(before), *last) if part] if len(last) == 1 else []
    names = [name for part in parts if len(part.split()) > 1 and is_capitalised(part) and (name := person(part))]
    return ", ".join(names) if names and len(names) == len(parts) else person(text, logins=logins)


def person(text: str, *, logins: bool = False) -> str | None:
    """The text if it may be a person's name: few words, no digits, a capital (in scripts that have them).

    `logins`: the page says that this is a name, so it may be one that programs give: a single word, in small letters.
    """
    text = _RUN_ON.sub("", _LABEL.sub("", text.strip()))
    name = _AFTER.split(text)[0].strip(" .,-–—|•·*©")
    words = name.split()
    if logins and len(words) == 1 and len(name) > 1 and not name.isdigit():
        return None if _NO_NAME.search(name) else name
    if not 1 <= len(words) <= _MOST_WORDS or len(name) < 2 or any(character.isdigit() for character in name):
        return None
    if _NO_NAME.search(name):
        return name if _TEAM.fullmatch(name) else None
    if (
        name[0].islower()
        or (len(words) > 1 and _TWO.search(name))
        or (len(words) == 1 and name.isascii() and len(name) < 4)
    ):
        return None
    return name


def is_capitalised(text: str) -> bool:
    """Whether its words begin as names do, short ones ("von der") apart."""
    return all(word[0].isupper() or len(word) < _PARTICLE for word in text.split())


def is_fuller(name: str, other: str) -> bool:
    """Whether a name of several words says more than one of a single word: the same, or what a program was given."""
    if " " not in name or " " in other:
        return False
    login = other[0].islower() or not other.isalpha() or not other[1:].islower()
    return login or other in name.split()

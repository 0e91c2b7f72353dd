"""The title of a page without the name of its site. Knows a document and its metadata."""

from __future__ import annotations

import re

from nephila.content.score import tokens
from nephila.document import Document, Flag
from nephila.document.tags import HEADING_BITS, HEADING_SHIFT

_SEPARATOR = re.compile(r"\s+[|\-–—·•»«:/\\<>~]+\s+|\s*[|_»]\s*|\s*::\s*|\s+-\s*$|[—–]{1,2}")
_LONGEST = 400
_MOST_HEADINGS = 50
_HIDDEN = int(Flag.HIDDEN)
_LIKELY, _SHOWN = 0.8, 0.5
"""The agreement with <title> of a heading that is the title, and of one that stands where the title would."""
_TOP = 0.45
"""What an <h1> is worth beside its agreement."""
_BEST = 1 + _TOP
"""No other heading can be better."""
_LIKELY_ALONE = 0.25
"""The only <h1> of a page needs less agreement with <title>, which search engines made authors rephrase."""


def title_of(document: Document) -> str | None:
    """The headline as the page itself shows or declares it; None when it has none."""
    return titles_of(document)[0]


def titles_of(document: Document) -> tuple[str | None, str | None]:
    """The title, and the heading in its place, which may word it otherwise."""
    metadata = document.metadata
    declared = metadata.meta.get("og:title", []) + metadata.meta.get("twitter:title", [])
    whole = document.title or (declared[0] if declared else None)
    headings = _headings(document)
    if whole is None:
        top = [text for level, text in headings if level == 1]
        only = top[0] if len(top) == 1 else None
        return only, only
    site = _site_words(document)
    if declared and (told := _told(headings, declared[0])) is not None:
        return told, told
    headline, shown = _headline(headings, whole, site)
    if headline is not None:
        return headline, headline
    candidates = [_without_site(text, site) for text in (*declared[:1], whole) if text.strip()]
    title = candidates[0] if candidates else None
    return title, shown or title


def _headings(document: Document) -> list[tuple[int, str]]:
    """Level and text of what may be the headline: <h1> and <h2> that are shown and neither empty nor a text."""
    texts, numbers = document.layout.texts, document.layout.numbers
    of_blocks = numbers.flags[numbers.container]
    places = (of_blocks & HEADING_BITS).nonzero()[0]
    return [
        ((flags & HEADING_BITS) >> HEADING_SHIFT, " ".join(texts[place].split()))
        for place, flags in zip(places.tolist(), of_blocks[places].tolist(), strict=True)
        if flags & HEADING_BITS <= _SECOND and not flags & _HIDDEN and 3 <= len(texts[place]) <= _LONGEST
    ]


_SECOND = 2 << HEADING_SHIFT


def _told(headings: list[tuple[int, str]], declared: str) -> str | None:
    """The heading that says what the page tells machines to be its title, word for word."""
    if len(declared) < _TELLING:
        return None
    near = [one for one in headings[:_MOST_HEADINGS] if abs(len(one[1]) - len(declared)) <= _SIGNS]
    words = tokens(declared) if near else []
    same = [one for one in near if tokens(one[1]) == words]
    return min(same)[1] if same else None


_TELLING, _SIGNS = 20, 8
"""Characters of a title that is not just the name of the site, and those that may be signs or blanks."""


def _headline(headings: list[tuple[int, str]], whole: str, site: set[str]) -> tuple[str | None, str | None]:
    """The heading that agrees best with <title>, if it is the title, and in any case if it stands for it.

    A heading that is only the last piece of <title> is the name of the site.
    """
    cut = {whole: tokens(whole)}
    pieces = [words for piece in _SEPARATOR.split(whole) if piece and (words := cut.setdefault(piece, tokens(piece)))]
    last = pieces[-1] if len(pieces) > 1 else None
    known = set(cut[whole]).union(*pieces)
    bags: list[tuple[int, dict[str, int]]] = []
    alone = sum([level == 1 for level, _ in headings]) == 1
    best: tuple[float, str] | None = None
    shown: tuple[float, str] | None = None
    for level, text in headings[:_MOST_HEADINGS]:
        words = tokens(text)
        if not words or words == last or _names_site(words, site):
            continue
        if known.isdisjoint(words):
            continue
        if level == 1 and words in cut.values():
            text = _longer_piece(headings, cut, words) or text
            return text, text  # none can be better
        bags = bags or [(len(words), _bag(words)) for text, words in cut.items() if words or text == whole]
        own = _bag(words)
        agreement = max([2 * _common(own, bag) / (len(words) + count) for count, bag in bags])
        needed = _LIKELY_ALONE if alone and level == 1 and len(words) > 1 else _LIKELY
        value = agreement + _TOP * (level == 1)
        if agreement >= needed and (best is None or value > best[0]):
            best = value, text
        if agreement >= min(needed, _SHOWN) and (shown is None or value > shown[0]):
            shown = value, text
        if value >= _BEST:
            break
    return best and best[1], shown and shown[1]


def _longer_piece(headings: list[tuple[int, str]], cut: dict[str, list[str]], words: list[str]) -> str | None:
    """Another heading that is another piece of <title>, and much longer: then the first names a section."""
    if len(words) > _NAME:
        return None
    for _, text in headings[:_MOST_HEADINGS]:
        other = tokens(text)
        if len(other) >= _TIMES * len(words) and len(other) > _NAME and other in cut.values():
            return text
    return None


_TIMES, _NAME = 2, 3


def _bag(words: list[str]) -> dict[str, int]:
    """How often each word is there; for a few words in half of a Counter's time."""
    bag: dict[str, int] = {}
    for word in words:
        bag[word] = bag.get(word, 0) + 1
    return bag


def _common(one: dict[str, int], other: dict[str, int]) -> int:
    """Words of both, as often as in both."""
    return sum([min(count, other[word]) for word, count in one.items() if word in other])


def _site_words(document: Document) -> set[str]:
    words = set(tokens(document.metadata.site_name or ""))
    host = (document.url or "").partition("://")[2].partition("/")[0].lower()
    return words.union(set(host.replace("-", ".").replace(":", ".").split(".")) - _OF_ALL_HOSTS)


_OF_ALL_HOSTS = frozenset(("www", "com", "org", "net", "de", ""))


def _without_site(title: str, site: set[str]) -> str:
    """Drops the pieces at either end that name the site; without a known name, short pieces after a long one."""
    title = " ".join(title.split())
    pieces = _SEPARATOR.split(title)
    pieces = [piece for piece in pieces if piece and piece.strip()]
    if len(pieces) < 2:
        return title
    named = [_is_site(piece, site) for piece in pieces]
    if any(named) and not all(named):
        first, last = 0, len(pieces)
        while named[last - 1] and last - first > 1:
            last -= 1
        while named[first] and last - first > 1:
            first += 1
        # The title's own separators stay as they are written.
        start = title.find(pieces[first])
        end = title.rfind(pieces[last - 1]) + len(pieces[last - 1])
        return title[start:end].strip()
    # Without a known name: the site stands last, and is shorter.
    if len(pieces[-1]) < len(pieces[0]) or len(pieces) > 2:
        return title[: title.rfind(pieces[-1])].rstrip(" |-–—·•»«:/\\<>~_")
    longest = max(pieces, key=len)
    return longest.strip() if len(longest) > 0.6 * len(title) and len(longest) >= 20 else title


def _is_site(piece: str, site: set[str]) -> bool:
    return _names_site(tokens(piece), site)


def _names_site(words: list[str], site: set[str]) -> bool:
    return bool(words) and (site.issuperset(words) or "".join(words) in site)

"""The newspaper's articles: 30 in each of four languages, grown from the word files. Knows nothing of HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any
from urllib.parse import quote

from nephila.demo.kit.grow import Grower, words_of

LANGUAGES = ("en", "ru", "zh", "ar")
_NEWEST = datetime(2025, 6, 30, 18, 40, tzinfo=UTC)
_OTHER_ENCODINGS = {("zh", 3): "gb18030", ("ru", 4): "windows-1251"}
"""The two articles that were never moved to UTF-8."""

_CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
_LATIN = "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya".replace("_", "").split(" ")
_TRANSLITERATION = str.maketrans(dict(zip(_CYRILLIC, _LATIN, strict=True)))


@dataclass(frozen=True)
class Comment:
    author: str
    published: datetime
    text: str


@dataclass(frozen=True)
class Article:
    """What a reader sees, and so what an extractor should find."""

    language: str
    section: str
    """The section's key, the same in every language: harbour, science, culture, sport, city."""
    number: int
    path: str
    """Percent-encoded, from the site's root."""
    title: str
    author: str
    published: datetime
    modified: datetime
    blocks: tuple[tuple[str, str], ...]
    """(`p` or `h2`, text) in reading order: the main text."""
    tags: tuple[str, ...]
    comments: tuple[Comment, ...]
    caption: str | None = None
    encoding: str = "utf-8"

    @cached_property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraphs alone, without subheadings."""
        return tuple(text for kind, text in self.blocks if kind == "p")

    @cached_property
    def text(self) -> str:
        """The main text: every block, one a line."""
        return "\n".join(text for _, text in self.blocks)

    @property
    def key(self) -> str:
        """Names the article in addresses of pictures and print versions."""
        return f"{self.language}-{self.number}"


@dataclass(frozen=True)
class Edition:
    """The newspaper in one language."""

    language: str
    words: dict[str, Any]
    articles: tuple[Article, ...]
    """Newest first."""
    slugs: dict[str, str] = field(default_factory=dict)
    """The address part of each section, by its key."""

    def of_section(self, key: str) -> list[Article]:
        return [article for article in self.articles if article.section == key]

    def of_tag(self, tag: str) -> list[Article]:
        return [article for article in self.articles if tag in article.tags]


@cache
def edition(language: str) -> Edition:
    words = words_of(language)
    articles = []
    for number in range(sum(len(section["stories"]) for section in words["section"])):
        # Sections take turns, so that the front page is mixed.
        section = words["section"][number % len(words["section"])]
        title, lead = section["stories"][number // len(words["section"])]
        articles.append(_article(language, number, section, title, lead))
    slugs = {section["key"]: section["slug"] for section in words["section"]}
    articles.sort(key=lambda article: article.published, reverse=True)
    return Edition(language, words, tuple(articles), slugs)


def _article(language: str, number: int, section: dict[str, Any], title: str, lead: str) -> Article:
    words = words_of(language)
    grower = Grower(words["words"], f"news {language} {number}")
    rng = grower.random
    published = _NEWEST - timedelta(hours=31 * number + 7 * LANGUAGES.index(language), minutes=rng.randint(0, 59))
    modified = published + timedelta(hours=rng.choice([0, 0, 2, 26]))
    return Article(
        language=language,
        section=section["key"],
        number=number,
        path=f"/{language}/{section['slug']}/{published:%Y/%m/%d}/{_slug(language, title, number)}.html",
        title=title,
        author=rng.choice(words["authors"]),
        published=published,
        modified=modified,
        blocks=_body(grower, words["grammar"], section, lead, joint="" if language == "zh" else " "),
        tags=tuple(rng.sample(words["words"]["tag"], rng.randint(2, 3))),
        comments=_comments(grower, words["grammar"]["comment"], published),
        caption=grower.sentence(section["sentences"][number % len(section["sentences"])]) if number % 2 else None,
        encoding=_OTHER_ENCODINGS.get((language, number), "utf-8"),
    )


def _body(
    grower: Grower, grammar: dict[str, Any], section: dict[str, Any], lead: str, *, joint: str
) -> tuple[tuple[str, str], ...]:
    rng = grower.random
    own = grower.sentences(section["sentences"], rng.randint(6, 8))
    general = grower.sentences(grammar["general"], rng.randint(6, 10))
    sentences = [sentence for pair in zip(own, general, strict=False) for sentence in pair]
    sentences += own[len(general) :] + general[len(own) :]
    blocks = [("p", lead)]
    while sentences:
        size = rng.choice([2, 2, 3, 3, 4])
        taken, sentences = sentences[:size], sentences[size:]
        blocks.append(("p", joint.join(taken)))
    if rng.random() < 0.5:
        blocks.insert(len(blocks) // 2 + 1, ("h2", rng.choice(grammar["subhead"])))
    return tuple(blocks)


def _comments(grower: Grower, patterns: list[str], published: datetime) -> tuple[Comment, ...]:
    rng = grower.random
    texts = grower.sentences(patterns, rng.randint(0, 5))
    return tuple(
        Comment(
            author=f"{rng.choice(['heron', 'pilot', 'mole', 'quay', 'gull', 'buoy', 'lantern'])}_{rng.randint(11, 99)}",
            published=published + timedelta(hours=1 + rank, minutes=rng.randint(0, 59)),
            text=text,
        )
        for rank, text in enumerate(texts)
    )


def _slug(language: str, title: str, number: int) -> str:
    match language:
        case "zh":
            return str(100_400 + number)
        case "ar":
            return quote("-".join(re.findall(r"\w+", title)[:6]))
        case "ru":
            title = title.lower().translate(_TRANSLITERATION)
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())[:9]) + f"-{number + 400}"

"""The other extractors, for side-by-side figures. Each is loaded only when it is asked for and installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

Peer = Callable[[str, str | None], str]
"""HTML and the page's language, when it is known, to text."""


def _trafilatura(**options: bool) -> Peer:
    trafilatura = import_module("trafilatura")

    # Comments are not main text in any of the sets.
    return lambda html, _: trafilatura.extract(html, include_comments=False, **options) or ""


def _resiliparse() -> Peer:
    extract_plain_text = import_module("resiliparse.extract.html2text").extract_plain_text

    return lambda html, _: extract_plain_text(html, main_content=True, alt_texts=False)


def _readability() -> Peer:
    from_string = import_module("lxml.html").fromstring
    document = import_module("readability").Document

    def extract(html: str, _: str | None) -> str:
        summary = document(html).summary(html_partial=True)
        tree = from_string(summary)
        return "\n".join(text for text in tree.itertext())

    return extract


def _justext() -> Peer:
    justext = import_module("justext")
    known = {
        "en": "English",
        "de": "German",
        "fr": "French",
        "es": "Spanish",
        "pl": "Polish",
        "ru": "Russian",
        "el": "Greek",
    }

    def extract(html: str, language: str | None) -> str:
        name = known.get(language or "")
        words = justext.get_stoplist(name) if name else frozenset()
        # Without stop words, by density alone.
        options = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = justext.justext(html.encode(), words, encoding="utf-8", **options)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


def _newspaper() -> Peer:
    newspaper = import_module("newspaper")

    def extract(html: str, language: str | None) -> str:
        article = newspaper.Article("http://page.example/", language=language or "en", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return article.text or ""

    return extract


def _gne() -> Peer:
    extractor = import_module("gne").GeneralNewsExtractor()

    return lambda html, _: extractor.extract(html).get("content", "")


_MODULES = {
    "trafilatura": "trafilatura",
    "trafilatura-precision": "trafilatura",
    "resiliparse": "resiliparse",
    "readability-lxml": "readability",
    "justext": "justext",
    "newspaper4k": "newspaper",
    "gne": "gne",
}

PEERS: dict[str, Callable[[], Peer]] = {
    "trafilatura": lambda: _trafilatura(),
    "trafilatura-precision": lambda: _trafilatura(favor_precision=True),
    "resiliparse": _resiliparse,
    "readability-lxml": _readability,
    "justext": _justext,
    "newspaper4k": _newspaper,
    "gne": _gne,
}


def installed() -> list[str]:
    """The names of the peers that can be loaded here."""
    return [name for name, module in _MODULES.items() if find_spec(module) is not None]

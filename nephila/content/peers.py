"""The other extractors, for side-by-side figures. Each is loaded only when it is asked for and installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

Peer = Callable[[str], str]


def _trafilatura(**options: bool) -> Peer:
    trafilatura = import_module("trafilatura")

    return lambda html: trafilatura.extract(html, **options) or ""


def _resiliparse() -> Peer:
    extract_plain_text = import_module("resiliparse.extract.html2text").extract_plain_text

    return lambda html: extract_plain_text(html, main_content=True, alt_texts=False)


def _readability() -> Peer:
    from_string = import_module("lxml.html").fromstring
    document = import_module("readability").Document

    def extract(html: str) -> str:
        summary = document(html).summary(html_partial=True)
        tree = from_string(summary)
        return "\n".join(text for text in tree.itertext())

    return extract


def _justext() -> Peer:
    justext = import_module("justext")

    # An unknown language: the density-only mode, with no stop words.
    stop_words: frozenset[str] = frozenset()
    english = justext.get_stoplist("English")

    def extract(html: str) -> str:
        head = html[:2000].lower()
        words = stop_words if any(f'lang="{code}' in head for code in ("zh", "ru", "el", "pl", "de")) else english
        options = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = justext.justext(html.encode(), words, encoding="utf-8", **options)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


def _newspaper() -> Peer:
    newspaper = import_module("newspaper")

    def extract(html: str) -> str:
        article = newspaper.Article("http://page.example/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return article.text or ""

    return extract


def _gne() -> Peer:
    extractor = import_module("gne").GeneralNewsExtractor()

    return lambda html: extractor.extract(html).get("content", "")


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

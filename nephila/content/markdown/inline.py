"""The inline markup of one block as Markdown: links, emphasis, code. Knows blocks and their markup."""

from __future__ import annotations

import re
from collections.abc import Callable

from nephila.document import Block, attributes_of, unescape

Join = Callable[[str], str | None]

_MARKS = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("i", "em", "cite"), "*"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "`"),
    **dict.fromkeys(("del", "s", "strike"), "~~"),
}
_MARKED = re.compile(rf"<(?:a|{'|'.join(_MARKS)})[ >]".encode())
"""Without one of these, the markup is the text."""
_TOKEN = re.compile(r"([^<]+)|<(/?)([a-z][^\s>]*)([^>]*)>")
_SKIPPED = re.compile(r"<(svg|script|style|template|iframe|audio|video|canvas)\b[^>]*>.*?</\1>|<!--.*?-->", re.DOTALL)
_MAY_SKIP = re.compile(r"<(?:svg|script|style|template|iframe|audio|video|canvas|!--)")
_HREF = re.compile(r'(?: [^\s=>"]+="[^"]*")*? href="([^"]*)"')
_ORDER = ("~~", "**", "*", "`")
_SPECIAL = re.compile(r"([\\`*\[\]]|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!])|~(?=~))")
_LINE_START = re.compile(r"^(\s*)(#{1,6}\s|>|[-+]\s|\d{1,9}[.)]\s|={3,}|-{3,})", re.MULTILINE)
_PLAIN = re.compile(r"[^\W\d_][^\\`*\[\]_<~\n]*+")
"""A line that begins with a letter and has nothing that is ever escaped, as most have."""
_BLANK = re.compile(r"[\s\u200b-\u200f\u2060\ufeff\xad]*")
"""What nobody sees, joiners of no width among it."""
_SPACES = re.compile(r"[\t\r\n\f\v\xa0][ \t\r\n\f\v\xa0]*| [ \t\r\n\f\v\xa0]+")
"""Those that are not one space already: most are, and to put another in its place takes time."""


def escape(text: str) -> str:
    """Text with a backslash before each character that Markdown would take for markup."""
    # Looks at most texts, one by one: a third of the time of a loop, and for a line of a search.
    may_be = (
        "_" in text
        or "*" in text
        or "[" in text
        or "]" in text
        or "`" in text
        or "<" in text
        or "\\" in text
        or "~~" in text
    )
    return _SPECIAL.sub(r"\\\1", text) if may_be else text


def escape_start(text: str) -> str:
    """The same for what is markup only at the start of a line."""
    if "\n" not in text and (text[:1].isalpha() or not _LINE_START.match(text)):
        return text
    return _LINE_START.sub(
        lambda match: f"{match[1]}\\{match[2]}" if not match[2][0].isdigit() else _number(match), text
    )


def _number(match: re.Match[str]) -> str:
    digits = match[2].rstrip()
    return f"{match[1]}{digits[:-1]}\\{digits[-1]} "


def render_inline(block: Block, join: Join) -> str:
    """The block's text with its inline markup; a line break of the page is one here."""
    markup = block.markup
    marked = b"<" in markup and _MARKED.search(markup)
    text = _marked_up(markup.decode("utf-8", "replace"), join) if marked else None
    if text is None:
        text = block.text
        return text if _PLAIN.fullmatch(text) else escape_start(escape(text)).replace("\n", "  \n")
    if "\x00" not in text:
        return escape_start(_folded(text).strip())
    lines = [_folded(line).strip() for line in text.split("\x00")]
    return escape_start("  \n".join([line for line in lines if line]))


def _marked_up(html: str, join: Join) -> str | None:
    """The markup of a block as Markdown, line breaks as NUL, white space as it is; None where nothing is marked.

    Stretches that follow each other under the same link, or the same marks, are one. End tags of what opened before the
    block close nothing.
    """
    done: list[str] = []  # before the link
    inside: list[str] = []  # of the link, before the marks
    texts: list[str] = []  # under the marks
    marks: list[str] = []
    link: str | None = None
    under: tuple[tuple[str, ...], str | None] = (), None  # marks and link of `texts`
    plain = True
    for text, closing, tag, rest in _TOKEN.findall(_SKIPPED.sub("", html) if _MAY_SKIP.search(html) else html):
        if text:
            shown = tuple([mark for mark in _ORDER if mark in marks]) if marks else ()
            text = unescape(text) if "&" in text else text
            # White space alone begins no marks, `** **` would be shown as stars, but goes on with them.
            now = shown if shown == under[0] or not _BLANK.fullmatch(text) else (), link
        elif tag == "br":
            now, text = ((), None), "\x00"
        else:
            if tag == "a":
                href = None if closing else _href(rest)
                link = join(href) if href else None
            elif tag in _MARKS:
                if not closing:
                    marks.append(_MARKS[tag])
                elif _MARKS[tag] in marks:
                    marks.remove(_MARKS[tag])
            continue
        if now != under:
            if texts:
                inside.append(_marked("".join(texts), under[0]))
                texts = []
            if now[1] != under[1]:
                done += inside if under[1] is None else [_linked("".join(inside), under[1])]
                inside = []
            under, plain = now, False
        texts.append(text)
    if plain:
        return None
    inside.append(_marked("".join(texts), under[0]))
    done += inside if under[1] is None else [_linked("".join(inside), under[1])]
    return "".join(done)


def _folded(text: str) -> str:
    """White space folded. Most texts have single blanks only, and looks tell that faster than a search."""
    to_fold = "  " in text or "\n" in text or "\xa0" in text or "\t" in text or "\r" in text
    return _SPACES.sub(" ", text) if to_fold or "\f" in text or "\v" in text else text


def _href(attributes: str) -> str | None:
    """The reference among the attributes of a link."""
    plain = _HREF.match(attributes)
    if plain is not None and "&" not in plain[1]:
        return plain[1]
    return attributes_of(f"<a{attributes}>".encode()).get("href")


def _marked(text: str, marks: tuple[str, ...]) -> str:
    if not marks or not text.strip():
        return escape(text)
    inside = text.strip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    if "`" in marks:
        ticks = "``" if "`" in inside else "`"
        inside = f"{ticks}{inside}{ticks}"
    else:
        inside = escape(inside)
    for mark in reversed([mark for mark in marks if mark != "`"]):
        inside = f"{mark}{inside}{mark}"
    return f"{before}{inside}{after}"


def _linked(text: str, url: str) -> str:
    inside = text.strip()
    if not inside:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    if " " in url or "(" in url or ")" in url or "<" in url or ">" in url:
        url = url.replace(" ", "%20").replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")
    return f"{before}[{inside}]({url}){after}"

"""How made-up forums write the text of a post: paragraphs or line breaks, and quotes in many wrappings."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tests.sites.themes.gold import Part, Post

Body = Callable[[Post], str]


def _lines(text: str) -> list[str]:
    return [escape(line) for line in text.split("\n")]


def made(post: Post, quote: Callable[[Part], str], between: str, paragraph: str, code: str, spoiler: str) -> str:
    out = []
    for part in post.parts:
        if part.kind == "quote":
            out.append(quote(part))
        elif part.kind == "code":
            out.append(code.format(escape(part.text)))
        elif part.kind == "spoiler":
            out.append(spoiler.format(escape(part.text)))
        elif part.kind == "list":
            out.append("<ul>" + "".join(f"<li>{line}</li>" for line in _lines(part.text)) + "</ul>")
        else:
            out.append(paragraph.format(escape(part.text)))
    return between.join(out)


FOLD = "<details><summary>Spoiler</summary>{}</details>"


def _modern(post: Post) -> str:
    def quote(part: Part) -> str:
        return f"<blockquote><p><strong>{escape(part.author or '')} wrote:</strong></p><p>{escape(part.text)}</p></blockquote>"

    return made(post, quote, "", "<p>{}</p>", "<pre><code>{}</code></pre>", FOLD)


def _boxed(post: Post) -> str:
    """Tables around quotes, as they were made long ago."""

    def quote(part: Part) -> str:
        return (
            '<div style="margin:20px"><div class="smallfont">Quote:</div><table class="quotetable"><tr><td class="alt2"><div>Originally Posted by '
            f"<strong>{escape(part.author or '')}</strong></div><div style='font-style:italic'>{escape(part.text)}</div></td></tr></table></div>"
        )

    return made(post, quote, "<br>\n<br>\n", "{}", '<div class="smallfont">Code:</div><pre class="alt2">{}</pre>', FOLD)


def _cited(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<div class="quoteheader"><a href="#">Quote from: {escape(part.author or "")} on March 01, 2024</a></div>'
            f'<blockquote class="bbc_standard_quote">{escape(part.text)}</blockquote>'
        )

    return made(post, quote, "<br />", "{}", '<code class="bbc_code">{}</code>', FOLD)


def _titled(post: Post) -> str:
    def quote(part: Part) -> str:
        name = escape(part.author or "")
        return (
            f'<blockquote class="bbCodeBlock bbCodeBlock--quote" data-quote="{name}"><div class="bbCodeBlock-title"><a href="#">{name} said:</a>'
            f'</div><div class="bbCodeBlock-content"><div class="expandContent">{escape(part.text)}</div></div></blockquote>'
        )

    return made(post, quote, "<br>", "{}", '<div class="bbCodeBlock--code"><pre>{}</pre></div>', FOLD)


def _aside(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<aside class="quote" data-username="{escape(part.author or "")}"><div class="title"><img class="avatar" src="/a.png" alt=""> '
            f"{escape(part.author or '')}:</div><blockquote><p>{escape(part.text)}</p></blockquote></aside>"
        )

    return made(post, quote, "\n", "<p>{}</p>", "<pre><code>{}</code></pre>", FOLD)


def _asian(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<div class="quote"><blockquote><font size="2"><a href="#"><font color="#999">{escape(part.author or "")} 发表于 2024-3-1 10:00</font>'
            f"</a></font><br>{escape(part.text)}</blockquote></div>"
        )

    return made(post, quote, "<br>\n", "{}", '<div class="blockcode"><ol><li>{}</li></ol></div>', FOLD)


BODIES: dict[str, Body] = {
    "modern": _modern, "boxed": _boxed, "cited": _cited, "titled": _titled, "aside": _aside, "asian": _asian,
}  # fmt: skip

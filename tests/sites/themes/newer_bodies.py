"""More ways to quote: names in a citation beside the words, above them, with the date and a link, one in another."""

from __future__ import annotations

from html import escape

from tests.sites.themes.bodies import FOLD, Body, made
from tests.sites.themes.gold import Part, Post


def _name(part: Part) -> str:
    return escape(part.author or "")


def _inside_cite(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<blockquote class="uncited"><div><cite><a href="/memberlist?u=4">{_name(part)}</a> wrote: <a href="#p3001" class="hidden"><i class="icon"></i></a>'
            f'<span class="responsive-hide">Mon Apr 01, 2024 10:15 am</span></cite>{escape(part.text)}</div></blockquote>'
        )

    return made(
        post, quote, "<br>\n<br>\n", "{}", '<div class="codebox"><p>Code:</p><pre><code>{}</code></pre></div>', FOLD
    )


def _cite_above(post: Post) -> str:
    def quote(part: Part) -> str:
        return f'<div class="quotebox"><cite>{_name(part)} wrote:</cite><blockquote><div><p>{escape(part.text)}</p></div></blockquote></div>'

    return made(post, quote, "", "<p>{}</p>", '<div class="codebox"><pre><code>{}</code></pre></div>', FOLD)


def _dated_cite(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<blockquote class="mycode_quote"><cite><span> (04-01-2024, 10:15 AM)</span>{_name(part)} Wrote:  <a href="/showthread?pid=3001" class="quick_jump"></a></cite>'
            f"{escape(part.text)}</blockquote>"
        )

    return made(post, quote, "<br>\n", "{}", '<div class="codeblock"><div class="title">Code:</div><div class="body" dir="ltr"><code>{}</code></div></div>', FOLD)  # fmt: skip


def _linked_cite(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<blockquote class="bbc_standard_quote"><cite><a href="/index.php?topic=1.msg3001#msg3001">Quote from: {_name(part)} on April 01, 2024, 10:15:00 AM</a></cite>'
            f"{escape(part.text)}</blockquote>"
        )

    return made(post, quote, "<br>", "{}", '<code class="bbc_code">{}</code>', FOLD)


def _container(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            '<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div class="bbcode_quote_container"></div>'
            f'<div class="bbcode_postedby">Originally posted by <strong>{_name(part)}</strong> <a href="#post3001"><img alt="View Post" src="/v.png"></a></div><div class="message">{escape(part.text)}</div></div></div></div>'
        )

    return made(
        post, quote, "<br>", "{}", '<div class="bbcode_container"><pre class="bbcode_code">{}</pre></div>', FOLD
    )


def _on_a_day(post: Post) -> str:
    def quote(part: Part) -> str:
        return (
            f'<blockquote class="ipsQuote" data-ipsquote-username="{_name(part)}"><div class="ipsQuote_citation">On 4/1/2024 at 10:15 AM, <a href="/profile/4-x/">{_name(part)}</a> said:</div>'
            f'<div class="ipsQuote_contents"><p>{escape(part.text)}</p></div></blockquote>'
        )

    return made(post, quote, "\n", "<p>{}</p>", '<pre class="ipsCode">{}</pre>', FOLD)


def _nested(post: Post) -> str:
    """A quote holds another."""

    def quote(part: Part) -> str:
        return (
            f'<blockquote class="UserQuote"><div class="QuoteAuthor"><a href="/profile/x">{_name(part)}</a> said:</div><div class="QuoteText"><blockquote class="UserQuote"><div class="QuoteAuthor">'
            f'<a href="/profile/y">somebody</a> said:</div><div class="QuoteText">Is it the lid?</div></blockquote>{escape(part.text)}</div></blockquote>'
        )

    return made(post, quote, "<br>", "{}", "<pre>{}</pre>", FOLD)


NEWER_BODIES: dict[str, Body] = {
    "inside cite": _inside_cite, "cite above": _cite_above, "dated cite": _dated_cite, "linked cite": _linked_cite,
    "container": _container, "on a day": _on_a_day, "nested quotes": _nested,
}  # fmt: skip

"""Bodies of the wrong kind, size, shape or charset."""

from __future__ import annotations

import random

from tests.sites.hostile.expected import answered, failed, ok, page, skipped
from tests.sites.hostile.traps import html
from tests.sites.hostile.wire import Client


@page("/ok", ok(contains="nothing wrong"))
async def fine(client: Client) -> None:
    await client.send(html("Fine", [], "There is nothing wrong with this page."))


# --- charsets -------------------------------------------------------------------------------------------------------

_RUSSIAN = "Над гаванью стоял туман, и лоцман говорил вполголоса."
_CHARSETS = {
    # path: (charset of the bytes, content type, charset in the meta element, text)
    "/charset/unknown": ("utf-8", "text/html; charset=x-klingon", "utf-8", _RUSSIAN),
    "/charset/quoted": ("windows-1251", 'text/html; charset="windows-1251"', None, _RUSSIAN),
    "/charset/koi8-meta": ("koi8-r", "text/html", "koi8-r", _RUSSIAN),
    "/charset/shift-jis": ("shift_jis", "text/html; charset=Shift_JIS", None, "港には霧が立ちこめていた。"),
    "/charset/euc-kr": ("euc_kr", "text/html; charset=euc-kr", None, "항구에는 안개가 끼어 있었다."),
    "/charset/big5": ("big5", "text/html; charset=Big5", None, "港口上空籠罩著霧。"),
    "/charset/latin1-is-1252": ("cp1252", "text/html; charset=iso-8859-1", None, "“Curly” quotes – and a dash"),
    "/charset/utf-16-bom": ("utf-16", "text/html", None, _RUSSIAN),
    "/charset/utf-8-bom-wins": ("utf-8-sig", "text/html; charset=iso-8859-1", None, _RUSSIAN),
    "/charset/meta-says-utf-16": ("utf-8", "text/html", "utf-16", _RUSSIAN),
}


def _charset(path: str, encoding: str, content_type: str, meta: str | None, text: str) -> None:
    @page(path, ok(contains=text))
    async def in_charset(client: Client) -> None:
        declared = f'<meta charset="{meta}">' if meta else ""
        document = (
            f"<!DOCTYPE html><html><head>{declared}<title>Charset</title></head><body><p>{text}</p></body></html>"
        )
        await client.send(document.encode(encoding), content_type=content_type)


for _path, (_encoding, _type, _meta, _text) in _CHARSETS.items():
    _charset(_path, _encoding, _type, _meta, _text)


@page("/charset/misdeclared", ok())
async def misdeclared(client: Client) -> None:
    """Says UTF-8, is windows-1251: whatever is read, nothing may break."""
    await client.send(f"<html><body><p>{_RUSSIAN}</p></body></html>".encode("windows-1251"))


@page("/charset/utf-7", ok())
async def utf_7(client: Client) -> None:
    """Must not be read as UTF-7: it would make a script out of harmless letters."""
    await client.send(
        b"<html><body><p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p></body></html>",
        content_type="text/html; charset=utf-7",
    )


@page("/charset/nul", ok(contains="after the nul"))
async def nul(client: Client) -> None:
    await client.send(b"<html><body><p>before\x00\x00 and after the nul</p></body></html>")


# --- kinds ----------------------------------------------------------------------------------------------------------


@page("/kind/binary-as-html", skipped("not-a-page", either=True))
async def binary_as_html(client: Client) -> None:
    await client.send(random.Random(7).randbytes(40_000))


@page("/kind/html-as-binary", ok(either=True, cause="not-a-page"))
async def html_as_binary(client: Client) -> None:
    await client.send(html("Disguised", [], "A page in disguise."), content_type="application/octet-stream")


@page("/kind/html-without-type", ok(contains="without a type"))
async def html_without_type(client: Client) -> None:
    await client.send(html("Untyped", [], "A page without a type."), content_type=None)


@page("/kind/document.pdf", skipped("not-a-page"))
async def pdf(client: Client) -> None:
    await client.send(
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n", content_type="application/pdf"
    )


@page("/kind/image", skipped("not-a-page"))
async def image(client: Client) -> None:
    await client.send(b"\x89PNG\r\n\x1a\n" + random.Random(8).randbytes(2000), content_type="image/png")


@page("/kind/empty", ok())
async def empty(client: Client) -> None:
    await client.send(b"")


@page("/kind/204", answered(204))
async def no_content(client: Client) -> None:
    await client.raw(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", 204)


# --- sizes and shapes -----------------------------------------------------------------------------------------------


@page("/shape/nested", ok(contains="at the bottom"))
async def nested(client: Client) -> None:
    """A hundred thousand elements, each within the other."""
    depth = 100_000
    await client.send(b"<html><body>" + b"<div>" * depth + b"<p>Here, at the bottom.</p>" + b"</div>" * depth)


@page("/shape/20mb", failed("too-large", either=True))
async def big(client: Client) -> None:
    line = b"<p>" + b"A long page is long, and then it is longer still. " * 20 + b"</p>\n"
    count = 20_000_000 // len(line)
    await client.head(200, [("Content-Length", str(count * len(line)))])
    for _ in range(count // 64):
        await client.raw(line * 64)
    await client.raw(line * (count % 64))


@page("/shape/attributes", ok(contains="many attributes"))
async def attributes(client: Client) -> None:
    names = " ".join(f'data-a{number}="{number}"' for number in range(20_000))
    await client.send(f"<html><body><p {names}>One element with many attributes.</p></body></html>")


@page("/shape/unclosed", ok(contains="nobody closed"))
async def unclosed(client: Client) -> None:
    await client.send("<html><body><table><tr><td><b><i><a href='/ok'>" * 500 + "<p>Everything that nobody closed.")


@page("/shape/entities", ok())
async def entities(client: Client) -> None:
    """An XML document that would grow by its entities; as HTML it must stay small."""
    rows = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    text = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "boom">{rows}]><html><body><p>&e9;</p></body></html>'
    await client.send(text, content_type="application/xhtml+xml")

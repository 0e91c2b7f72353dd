"""The encoding of a page: what is trusted, in which order, and what happens to bytes that lie."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.document import decode
from nephila.errors import InputError

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4
CHINESE = "中文网页的编码常常声明为国标，实际上却是另一种。" * 4
JAPANESE = "気象庁によると、明日は全国的に晴れて、気温も平年より高くなる見込みです。" * 4
GERMAN = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. " * 4
GREEK = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και την αφήνω στο φως. " * 4


def text_of(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    decoded = decode(body, content_type)
    return decoded.utf8.decode("utf-8", "replace"), decoded.encoding


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("gb2312", "gb18030", CHINESE),
        ("GBK", "gb18030", CHINESE),
        ("big5", "big5hkscs", "繁體中文的網頁" * 5),
        ("shift_jis", "cp932", JAPANESE),
        ("x-sjis", "cp932", JAPANESE),
        ("euc-jp", "euc_jp", JAPANESE),
        ("iso-2022-jp", "iso2022_jp", JAPANESE),
        ("euc-kr", "cp949", "한국어 웹 페이지의 문자 집합" * 4),
        ("iso-8859-1", "cp1252", "“" + GERMAN + "”"),
        ("latin1", "cp1252", GERMAN),
        ("us-ascii", "cp1252", GERMAN),
        ("iso-8859-9", "cp1254", "Pijamalı hasta yağız şoföre çabucak güvendi. "),
        ("windows-1251", "cp1251", RUSSIAN),
        ("koi8-r", "koi8-r", RUSSIAN),
        ("iso-8859-7", "iso8859-7", GREEK),
    ],
)
@pytest.mark.parametrize("where", ["header", "meta", "http-equiv", "xml"])
def test_labels_mean_what_browsers_take_them_for(label: str, codec: str, text: str, where: str) -> None:
    prefix, header = "", None
    if where == "header":
        header = f"text/html; charset={label}"
    elif where == "meta":
        prefix = f'<meta charset="{label}">'
    elif where == "http-equiv":
        prefix = f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'
    else:
        prefix = f'<?xml version="1.0" encoding="{label}"?>'
    assert text_of((prefix + text).encode(codec), header) == (prefix + text, codec)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_beats_the_header(codec: str) -> None:
    text, _ = text_of(RUSSIAN.encode(codec), "text/html; charset=windows-1252")
    assert text == RUSSIAN


def test_the_header_beats_the_page() -> None:
    body = ('<meta charset="koi8-r">' + RUSSIAN).encode("cp1251")
    assert text_of(body, "text/html; charset=windows-1251")[0].endswith(RUSSIAN)


@pytest.mark.parametrize("label", ["iso-8859-1", "gbk", "shift_jis", "euc-kr", "windows-1251"])
def test_utf8_with_a_wrong_label_is_utf8(label: str) -> None:
    body = (f'<meta charset="{label}">' + CHINESE).encode()
    assert text_of(body) == (body.decode(), "utf-8")


def test_few_bytes_that_are_utf8_by_chance_stay_what_they_were_declared_to_be() -> None:
    assert text_of("联通".encode("gbk"), "text/html; charset=gbk") == ("联通", "gb18030")


def test_when_the_header_gives_many_errors_the_page_is_asked() -> None:
    body = ('<meta charset="gbk">' + CHINESE).encode("gbk")
    assert text_of(body, "text/html; charset=utf-8") == (body.decode("gbk"), "gb18030")


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("gb18030", CHINESE),
        ("cp932", JAPANESE),
        ("cp1253", GREEK),
        ("cp1252", GERMAN),
    ],
)
def test_without_a_label_the_encoding_is_detected(codec: str, text: str) -> None:
    page = f"<html><body><p>{text}</p></body></html>"
    assert text_of(page.encode(codec))[0] == page


def test_utf16_without_a_mark_is_recognised() -> None:
    page = "<html><body><p>Plain words, two bytes each.</p></body></html>"
    assert text_of(page.encode("utf-16-le"))[0] == page
    assert text_of(page.encode("utf-16-be"))[0] == page


def test_utf8_with_a_few_broken_bytes_stays_utf8() -> None:
    text, encoding = text_of((CHINESE * 5).encode() + b"\xff" + CHINESE.encode()[:-1])
    assert encoding == "utf-8"
    assert text.startswith(CHINESE * 5)


@pytest.mark.parametrize("label", ["rot13", "idna", "unicode_escape", "utf-7", "base64", "nonsense", "undefined"])
def test_labels_that_are_no_web_encoding_are_ignored(label: str) -> None:
    assert text_of(GERMAN.encode(), f"text/html; charset={label}") == (GERMAN, "utf-8")


@pytest.mark.parametrize(
    "body", [b"\x89PNG\r\n\x1a\n" + bytes(64), b"%PDF-1.7\n", b"PK\x03\x04" + bytes(64), bytes(range(256)) * 8]
)
def test_what_is_no_text_is_refused_with_a_clear_error(body: bytes) -> None:
    with pytest.raises(InputError):
        decode(body)


@given(
    st.binary(max_size=400), st.sampled_from([None, "utf-8", "gbk", "iso-2022-jp", "utf-16", "hz", "euc-kr", "big5"])
)
def test_any_bytes_decode_or_are_refused(body: bytes, label: str | None) -> None:
    try:
        decoded = decode(body, f"text/html; charset={label}" if label else None)
    except InputError:
        return
    decoded.utf8.decode("utf-8", "replace")


@given(
    st.text(
        alphabet=st.characters(codec="utf-8", exclude_characters="\x00\ufeff", exclude_categories=["Cc"]), max_size=200
    )
)
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=utf-8").utf8.decode() == text

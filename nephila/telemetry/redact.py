"""Keeps secrets out of what people and machines read later: logs, summaries, example URLs.

Redacts user information in URLs, values of headers that carry credentials, and values of parameters whose names speak
of a secret. It errs on the side of hiding too much. Every pattern runs in linear time: its input is a stranger's text.
"""

from __future__ import annotations

import re

MASK = "***"

_QUOTED = r"""(?:[bBuU]?'(?:\\.|[^'\\])*(?:'|\Z)|[bBuU]?"(?:\\.|[^"\\])*(?:"|\Z))"""
"""A value as a program shows it; one whose end is missing (a message cut short) runs to the end of the text."""

_USERINFO = re.compile(r"(//)[^\s/?#]*@")
_ENCODED_USERINFO = re.compile(r"(%2f%2f)(?:(?!%2f|%3f|%23)[^\s/?#&])*%40", re.IGNORECASE)

_HINT = re.compile(
    r"authori|cookie|x-a|x-csrf|pass|pwd|secret|token|key|credential|sig|sess|sid|otp|jwt|auth", re.IGNORECASE
)
"""One cheap look before the dear ones: most lines have nothing to hide."""

_HEADER = re.compile(
    rf"""
    ( \b(?:proxy-)?authori[sz]ation | \b(?:set-)?cookie2?\b | \bx-(?:api|auth|access|csrf)[\w-]{{0,40}} )
    (?: ( \\?["'] \s* [:=,] \s* )                                # shown by a program: the name was quoted
        (?: \[ (?: {_QUOTED} [\s,]* )* \] | {_QUOTED} | [^\r\n]+ )
      | ( \s* [:=] \s* ) [^\r\n]+ )                              # as it goes over the wire: to the end of the line
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

_TELLING_NAME = r"""
    (?: (?<!\w) [\w.-]{0,40}?                                    # access_token, userPassword, aws.secret-key
        (?: password | passwd | passphrase | passcode | secret | token | credential | signature
          | (?:api|access|private)[_-]?key | session[_-]?id | sessid )
        [\w.-]{0,40}
      | (?<![a-z0-9]) (?: pass | pwd | sid | sig | auth | otp | jwt ) )
"""
_PARAMETER = re.compile(
    rf"""
    ( {_TELLING_NAME} \]? (?:%5d)? )
    ( \\?["']? \s? (?:=|%3d) \s? | \\?["'] \s? : \s? | \s? : \s? (?=["']) )
    (?: {_QUOTED} [^\s&]* | \\["'] (?:(?!\\["']).)* | [^\s&]+ )
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

_SPOKEN = re.compile(r"\b((?:password|passwd|passphrase|api[_ -]?key|secret)s?\s?:\s?)[^\s\"']\S*", re.IGNORECASE)


def redact(text: str) -> str:
    """The text with every secret that it recognises replaced by `***`."""
    if "@" in text:
        text = _USERINFO.sub(rf"\1{MASK}@", text)
    if "%40" in text:
        text = _ENCODED_USERINFO.sub(rf"\1{MASK}%40", text)
    if _HINT.search(text) is None:
        return text
    text = _HEADER.sub(lambda found: f"{found[1]}{found[2] or found[3]}{MASK}", text)
    text = _PARAMETER.sub(rf"\1\2{MASK}", text)
    return _SPOKEN.sub(rf"\1{MASK}", text)

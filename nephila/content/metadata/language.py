"""The language of a text, where the page does not say it, or says what its template said. Knows text only."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from nephila.content.native.language import Counted, WordCounter

_SAMPLE = 4000
_LEAST_LETTERS = 20
_ENOUGH = 200
"""Characters of a text that is believed more than what its page declares."""
_LEAST_SHARE = 0.04
"""Common words are every tenth word or more of a text; a language that has less than this of its own is not told."""

_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af"),
    ("zh", "\u4e00-\u9fff"),
    ("el", "\u0370-\u03ff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff"),
    ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)
_BY_SCRIPT = [re.compile(f"[{letters}]") for _, letters in _SCRIPTS]
_COMMON: dict[str, str] = {
    "en": "the of and to in is that for it with was as on are be this by have from or",
    "de": "der die und das den von zu mit ist nicht auf ein eine dem sich im für auch des werden",
    "fr": "les des est une dans que pour qui sur pas plus par avec sont ce aux cette nous vous",
    "es": "los las una que para con por del como más pero sus este son está también muy fue entre",
    "it": "che per una sono con del della non più anche nel alla gli dei questo come essere delle",
    "pt": "que não uma para com por mais dos como mas foi das são pelo pela seu sua também ao",
    "nl": "het een van en dat niet zijn voor met aan ook maar bij door wordt naar deze werd",
    "pl": "nie się jest że na do przez jak dla ale tym oraz może jego który także tego już będzie",
    "cs": "že se na je pro jako ale jsou který která byl které jeho také podle může nebo při",
    "sv": "och att det som för med inte den har till ett är var om men kan från när",
    "da": "og det at der ikke til med for den har som var kan blev efter også men",
    "nb": "og det som ikke til med for den har var kan ble etter også men på fra",
    "fi": "ja on ei se että oli hän mutta myös ovat kun tai kuin joka ole vain",
    "tr": "ve bir bu için ile olarak daha çok olan gibi ancak sonra kadar değil var",
    "ro": "și în care pentru este din mai sunt fost cu nu pe sau după acest prin",
    "hu": "hogy nem egy az is volt meg csak vagy mint még már ezt lehet után",
    "id": "yang dan di untuk dengan dari ini pada tidak dalam akan itu adalah oleh juga",
    "vi": "của và là có cho không được các những một trong người đã với để",
    "ru": "и в не на что по как это из за для от его она они был было также",
    "uk": "і в не на що та як це з за для від його вона був було також які",
    "bg": "и в не на че за от да се са като по или беше това със",
}
_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        _LANGUAGES_OF.setdefault(_word, []).append(_language)
_WORD = re.compile(r"[^\W\d_]+")
_APART = {point: " " for point in range(128) if not chr(point).isalpha()}
"""ASCII is cut by the string's own methods, in a third of the time of a search."""
_OTHER_SCRIPT = re.compile(f"[{''.join(letters for _, letters in _SCRIPTS)}]")


def guess_language(text: str) -> str | None:
    """An ISO 639-1 code, or None when the text is too short or unlike all that is known."""
    sample = text[:_SAMPLE]
    found = _counter().count(sample) or _by_python(sample)
    if found.letters < _LEAST_LETTERS:
        return None
    for (language, _), written in zip(_SCRIPTS, found.written, strict=True):
        # Japanese mixes its own letters with those of Chinese: a tenth of them tells.
        if written > (0.1 if language == "ja" else 0.3) * found.letters:
            return language
    scores = dict.fromkeys(_COMMON, 0)
    for word, count in found.common.items():
        for language in _LANGUAGES_OF[word]:
            scores[language] += count
    # Of those with as many words, the one that is listed first.
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _LEAST_SHARE * found.words else None


def language_of(declared: str | None, text: str) -> str | None:
    """What the page declares; English only if its text is, for that is what templates say which nobody changed."""
    if declared is None:
        return guess_language(text)
    if len(text) < _ENOUGH or not declared.lower().startswith("en") or " the " in text[:_SAMPLE]:
        return declared
    return guess_language(text) or declared


@cache
def _counter() -> WordCounter:
    return WordCounter([(letters[0], letters[-1]) for _, letters in _SCRIPTS], list(_LANGUAGES_OF))


def _by_python(sample: str) -> Counted:
    sample = sample.lower()
    words = sample.translate(_APART).split() if sample.isascii() else _WORD.findall(sample)
    joined = "".join(words)
    foreign = not joined.isascii() and _OTHER_SCRIPT.search(joined)
    written = [len(script.findall(joined)) if foreign else 0 for script in _BY_SCRIPT]
    return Counted(len(words), len(joined), written, Counter(filter(_LANGUAGES_OF.__contains__, words)))

"""Steps on transcripts of speech: fillers and marks of noise."""

import re
from functools import cache

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice

FILLERS = {
    "de": ("äh", "ähm", "öh", "hm", "hmm", "mhm"),
    "en": ("hmm", "hm", "mm", "mhm", "mmm", "uh", "um", "uhm", "erm"),
    "fr": ("euh", "heu", "hum", "hmm"),
    "tr": ("ıı", "ııı", "hmm", "ıh", "şey"),
}
"""Sounds of hesitation by language."""

BRACKETS = ("[]", "<>", "()", "{}", "**")
"""Pairs of brackets around marks of noise."""


def remove_fillers(text: str, *, language: str = "en", words: tuple[str, ...] | list[str] = ()) -> str:
    """Remove sounds of hesitation: those of a language, or these words instead; case does not matter.

    >>> remove_fillers("So uh we, um, go")
    'So  we, , go'
    """
    if not words:
        check_choice("language of fillers", language, FILLERS)
    return _words(tuple(words) or FILLERS[language]).sub("", text)


def remove_bracketed(text: str, *, brackets: tuple[str, ...] | list[str] = ("[]", "<>")) -> str:
    """Remove marks of noise such as [laughter] with their brackets; a bracket without its partner stays.

    >>> remove_bracketed("so [laughter] it <unk> is (really)")
    'so  it  is (really)'
    """
    return _bracketed(tuple(brackets)).sub("", text)


@cache
def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    # Behind a number, mm are millimetres.
    return re.compile(rf"(?<![^\W\d]|')(?!(?<=[0-9])mm|(?<=[0-9] )mm)(?:{listed})(?![^\W\d]|')", re.IGNORECASE)


@cache
def _bracketed(brackets: tuple[str, ...]) -> re.Pattern[str]:
    for pair in brackets:
        if pair not in BRACKETS:
            raise ConfigurationError(f"brackets {pair!r} are not one of: {', '.join(BRACKETS)}.")
    pairs = ((re.escape(pair[0]), re.escape(pair[1])) for pair in brackets)
    return re.compile("|".join(f"{opening}[^{opening}{closing}]*{closing}" for opening, closing in pairs))

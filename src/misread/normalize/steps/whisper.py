"""Steps of Whisper's normalizers as they are, with their faults: for numbers that were published with them."""

import re
from collections.abc import Callable
from functools import cache
from typing import Final, cast

from misread.errors import InputTextError, MissingDependencyError
from misread.normalize.steps.unicode_forms import nfd

_LACKING: Final = "Whisper's normalizers need whisper-normalizer: pip install 'misread[normalize]'."
_SPACES: Final = re.compile(r"\s{2,}")
_MARKS: Final = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f]{31}")


def whisper_english(text: str) -> str:
    """Normalize English as Whisper does; the profile `english` does without its faults, such as "0 neill" for O'Neill.

    Radford et al. (2022), Robust speech recognition via large-scale weak supervision, appendix C; by the package
    whisper-normalizer.

    >>> whisper_english("Mr. O'Neill can't pay twenty dollars")
    'mister 0 neill can not pay $20'
    """
    return _apply(_english(), text)


def whisper_basic(text: str) -> str:
    """Normalize other languages as Whisper does, which divides words at the vowel signs of Indic and Thai script.

    Radford et al. (2022), appendix C; by the package whisper-normalizer.

    >>> whisper_basic("[noise] Straße, (hm) 5 %")
    ' straße 5 '
    """
    return _apply(_basic(), text)


def _apply(normalize: Callable[[str], str], text: str) -> str:
    """Result of Whisper's rules, in time in proportion to the length; they fail on endless numbers."""
    try:
        return normalize(_without_traps(text))
    except (AssertionError, ValueError):
        raise InputTextError(
            f"Whisper's normalizer fails on a text of {len(text):,} characters that begins with {text[:20]!r}, as "
            "a number in it has thousands of digits; leave it out, or choose another normalizer."
        ) from None


def _without_traps(text: str) -> str:
    """A text of the same result: without runs of white space, brackets that are never closed, and heaps of marks."""
    text = _SPACES.sub(" ", text)
    for openers, closers in (("<[", ">]"), ("(", ")")):
        end = 1 + max(map(text.rfind, closers))
        # Any other sign becomes a space as well.
        text = text[:end] + text[end:].translate(dict.fromkeys(map(ord, openers), "|"))
    return nfd(text) if _MARKS.search(text) else text


@cache
def _english() -> Callable[[str], str]:
    try:
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError:
        raise MissingDependencyError(_LACKING) from None
    return cast("Callable[[str], str]", EnglishTextNormalizer())


@cache
def _basic() -> Callable[[str], str]:
    try:
        from whisper_normalizer.basic import BasicTextNormalizer
    except ImportError:
        raise MissingDependencyError(_LACKING) from None
    return cast("Callable[[str], str]", BasicTextNormalizer())

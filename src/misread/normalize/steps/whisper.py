"""Steps of Whisper's normalizers as they are, with their faults: for numbers that were published with them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

from misread.errors import MissingDependencyError


def whisper_english(text: str) -> str:
    """Normalize English as Whisper does; the profile `english` does without its faults, such as "0 neill" for O'Neill.

    Radford et al. (2022), Robust speech recognition via large-scale weak supervision, appendix C; by the package
    whisper-normalizer.

    >>> whisper_english("Mr. O'Neill can't pay twenty dollars")
    'mister 0 neill can not pay $20'
    """
    return _english()(text)


def whisper_basic(text: str) -> str:
    """Normalize other languages as Whisper does, which divides words at the vowel signs of Indic and Thai script.

    Radford et al. (2022), appendix C; by the package whisper-normalizer.

    >>> whisper_basic("[noise] Straße, (hm) 5 %")
    ' straße 5 '
    """
    return _basic()(text)


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


_LACKING = "Whisper's normalizers need whisper-normalizer: pip install 'misread[normalize]'."

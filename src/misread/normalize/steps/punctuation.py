"""Steps on punctuation and symbols."""

import re
import unicodedata
from functools import cache

from misread.errors import ConfigurationError
from misread.normalize.steps.characters import CharacterTable

_DOUBTFUL = re.compile(r"[^\w\s]|_")
_CATEGORIES = {"P", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So"}


def remove_punctuation(
    text: str,
    *,
    categories: tuple[str, ...] | list[str] = ("P",),
    keep: str = "",
    keep_in_words: str = "",
    by: str = "",
) -> str:
    """Remove characters by their Unicode category, or put `by` in their place.

    `keep` lists characters that always stay, `keep_in_words` those that stay between two letters or digits.

    >>> remove_punctuation("Well, it's 5 $.", keep_in_words="'")
    "Well it's 5 $"
    >>> remove_punctuation("a-b", by=" ")
    'a b'
    """
    table = _table(tuple(categories), keep + keep_in_words, by)
    if keep_in_words:
        text = _loose(keep_in_words).sub(by, text)
    # Letters, digits and white space are in none of the categories.
    if _DOUBTFUL.search(text) is None:
        return text
    return text.translate(table)


@cache
def _table(categories: tuple[str, ...], keep: str, by: str) -> CharacterTable:
    for category in categories:
        if category not in _CATEGORIES:
            raise ConfigurationError(
                f"category {category!r} is not one of punctuation or symbols; there are: "
                f"{', '.join(sorted(_CATEGORIES))}."
            )
    return CharacterTable(
        lambda character: (
            by if character not in keep and unicodedata.category(character).startswith(categories) else character
        )
    )


@cache
def _loose(kept: str) -> re.Pattern[str]:
    """Characters of which a side is not a letter, digit or mark."""
    return re.compile(rf"(?<![^\W_])[{re.escape(kept)}]|[{re.escape(kept)}](?![^\W_])")

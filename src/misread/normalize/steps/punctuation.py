"""Steps on punctuation and symbols, on quotation marks, dashes and ellipses."""

import re
import unicodedata
from functools import cache

from misread.errors import ConfigurationError
from misread.normalize.steps.characters import CharacterTable

_DOUBTFUL = re.compile(r"[^\w\s]|_")
_JOINERS = "\u200c\u200d\ufe00-\ufe0f"
_LOOSE_JOINERS = re.compile(rf"(?:\A|(?<=\s))[{_JOINERS}]+|[{_JOINERS}]+(?=\s|\Z)")
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

    `keep` lists characters that always stay, `keep_in_words` those that stay between two letters or digits. Marks,
    selectors and joiners go with their character; enclosing marks, as of keycaps, are symbols.

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
    if text.isascii():
        return text.translate(table)
    text = _marked().sub(lambda match: match[0] if table[ord(match[1])] == match[1] else match[1], text)
    return _LOOSE_JOINERS.sub("", text.translate(table))


@cache
def _marked() -> re.Pattern[str]:
    """A character that is no letter, digit or white space, with its joiners and the marks that any letter may have."""
    marks = "".join(filter(lambda mark: unicodedata.name(mark, "").startswith("COMBINING"), map(chr, range(1 << 17))))
    return re.compile(rf"([^\w\s]|_)[{marks}{_JOINERS}]+")


@cache
def _table(categories: tuple[str, ...], keep: str, by: str) -> CharacterTable:
    for category in categories:
        if category not in _CATEGORIES:
            raise ConfigurationError(
                f"category {category!r} is not one of punctuation or symbols; there are: "
                f"{', '.join(sorted(_CATEGORIES))}."
            )
    return CharacterTable(
        lambda character: by if character not in keep and _is_in(character, categories) else character
    )


def _is_in(character: str, categories: tuple[str, ...]) -> bool:
    category = unicodedata.category(character)
    return category.startswith(categories) or (category == "Me" and "S" in categories)


@cache
def _loose(marks: str) -> re.Pattern[str]:
    """Characters that lack a letter, digit or mark on one side."""
    return re.compile(rf"(?<![^\W_])[{re.escape(marks)}]|[{re.escape(marks)}](?![^\W_])")


_SINGLE = (
    "\u2018\u2019\u201a\u201b\u2032\u2035\u02bb\u02bc\u02bd\u02be\u02bf\u02b9"
    "\u07f4\u07f5\u055a\u00b4\u0060\u1fbd\u1fbf\u2039\u203a\ua78b\ua78c\uff07\uff40"
)
_DOUBLE = "\u02ba\u02ee\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_QUOTES = str.maketrans({**dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"'), "\u0149": "'n"})
_QUOTED = re.compile(f"[\u0149{re.escape(_SINGLE + _DOUBLE)}]")
_DASHED = re.compile(f"[{_DASHES}]")
_HYPHENS = str.maketrans(dict.fromkeys(_DASHES, "-"))


def straighten_quotes(text: str) -> str:
    r"""Write all quotation marks and apostrophes as ' and ".

    >>> straighten_quotes("„It’s“ «so»")
    '"It\'s" "so"'
    """
    return text.translate(_QUOTES) if _QUOTED.search(text) else text


def unify_dashes(text: str) -> str:
    """Write hyphens, dashes and the minus sign as -.

    >>> unify_dashes("1914–1918 — well‑known")
    '1914-1918 - well-known'
    """
    return text.translate(_HYPHENS) if _DASHED.search(text) else text


def expand_ellipses(text: str) -> str:
    """Write an ellipsis as three full stops.

    >>> expand_ellipses("so…")
    'so...'
    """
    return text.replace("…", "...")

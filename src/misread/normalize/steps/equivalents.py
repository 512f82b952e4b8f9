"""Steps on words and other texts that count as equal."""

import re
from functools import cache

from misread.errors import ConfigurationError


def unify_equivalents(text: str, *, sets: tuple[tuple[str, ...], ...] | list[list[str]]) -> str:
    """Write words or phrases of a set as its first one; the longest match counts, case matters.

    >>> unify_equivalents("OK then, per cent", sets=[["okay", "OK", "O.K."], ["percent", "per cent"]])
    'okay then, percent'
    """
    table, pattern = _sets(tuple(map(tuple, sets)))
    return pattern.sub(lambda match: table[match[0]], text)


def replace_texts(text: str, *, table: tuple[tuple[str, str], ...] | dict[str, str]) -> str:
    """Replace texts one after another, in the order of a table, anywhere.

    >>> replace_texts("aͤhnlich == fi", table={"aͤ": "ä", "==": "–"})
    'ähnlich – fi'
    """
    for source, target in table.items() if isinstance(table, dict) else table:
        if not source:
            raise ConfigurationError("the table has an empty text to be replaced.")
        text = text.replace(source, target)
    return text


def merge_compounds(text: str, *, compounds: tuple[str, ...] | list[str]) -> str:
    """Write compounds together whose parts are apart or joined by a hyphen.

    >>> merge_compounds("a data base, a data-base", compounds=["data base"])
    'a database, a database'
    """
    return _compounds(tuple(compounds)).sub(lambda match: re.sub(r"[\s-]+", "", match[0]), text)


@cache
def _sets(sets: tuple[tuple[str, ...], ...]) -> tuple[dict[str, str], re.Pattern[str]]:
    table: dict[str, str] = {}
    for members in sets:
        if len(members) < 2:
            raise ConfigurationError(f"set {list(members)!r} needs at least two words.")
        for member in members:
            if not member.strip():
                raise ConfigurationError(f"set {list(members)!r} has an empty word.")
            if table.setdefault(member, members[0]) != members[0]:
                raise ConfigurationError(f"{member!r} is in two sets, of {table[member]!r} and of {members[0]!r}.")
    return table, _whole_words(table)


@cache
def _compounds(compounds: tuple[str, ...]) -> re.Pattern[str]:
    parts = [compound.split() for compound in compounds]
    for compound, words in zip(compounds, parts, strict=True):
        if len(words) < 2:
            raise ConfigurationError(f"compound {compound!r} needs at least two parts, separated by a space.")
    listed = "|".join(r"(?:\s|-)".join(map(re.escape, words)) for words in sorted(parts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)")


def _whole_words(table: dict[str, str]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(table, key=len, reverse=True))) or r"(?!)"
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)")

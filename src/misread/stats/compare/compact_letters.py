"""Compact letter display of the systems that are not significantly different."""

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from string import ascii_lowercase


def assign_letters(systems: Sequence[str], different: Collection[frozenset[str]]) -> dict[str, str]:
    """Letters of systems, best first: two of them share one if, and only if, they do not differ significantly.

    Insert and absorb: start with one letter for all; for every pair that differs split each letter that both have into
    one without the first and one without the second; drop letters whose systems all have another one in common. Piepho
    (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
    """
    columns = [frozenset(systems)]
    for pair in sorted(different, key=sorted):
        split = [column - {one} for column in columns if pair <= column for one in sorted(pair)]
        columns = _absorb([column for column in columns if not pair <= column] + split)
    order = {system: place for place, system in enumerate(systems)}
    columns.sort(key=lambda column: sorted(order[system] for system in column))
    letters = dict(zip(columns, _letters(), strict=False))
    return {system: "".join(letters[column] for column in columns if system in column) for system in systems}


def _absorb(columns: list[frozenset[str]]) -> list[frozenset[str]]:
    """Leave out columns that lie within another one."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]


def _letters() -> Iterator[str]:
    yield from ascii_lowercase
    for number in count(2):
        yield from (f"{letter}{number}" for letter in ascii_lowercase)

"""What outputs in their place write otherwise than the references, such as digits for words."""

import re
import unicodedata
from collections import Counter
from typing import Final

import numpy as np

from misread.pairing.better_references import LONGEST, BetterReferences, PairedSides
from misread.types import BoolArray

_TOKEN: Final = re.compile(r"\d|[\u3040-\u9fff]|[^\W\d_]+|[^\w\s]")
_MARKS: Final = re.compile(r"[\u0300-\u036f]+")
_MOST_ROWS: Final = 4_000
_MOST_TOKENS: Final = 50  # of a text that the other side lacks
_FEWEST, _MOSTLY = 3, 0.5  # outputs that show a habit, and its share of those with the token
_EXPLAINED: Final = 0.5  # of the tokens of a pair

Differences = tuple[tuple[set[str], set[str]], ...]


def are_written_otherwise(sides: PairedSides, better: BetterReferences) -> BoolArray:
    """Whether half of what outputs and their own references do not share corresponds by habit.

    A habit is a token that, in rows that nothing else explains, mostly has the same counterpart on the other side.
    """
    rows = better.rows
    wrong = np.setdiff1d(np.flatnonzero(sides.rates > 0), rows[better.is_telling]) if len(rows) else rows
    if len(wrong) < _FEWEST:
        return np.zeros(len(rows), np.bool_)
    sample = [_differ(sides, row) for row in rows[:: 1 + len(rows) // _MOST_ROWS].tolist()]
    wanted = set[str]().union(*(tokens for directions in sample for tokens, _ in directions))
    numbers, together = Counter[str](), Counter[tuple[str, str]]()
    for row in wrong[:: 1 + len(wrong) // _MOST_ROWS].tolist():
        for tokens, counterparts in _differ(sides, row):
            known = tokens & wanted
            numbers.update(known)
            together.update((token, counterpart) for token in known for counterpart in counterparts)
    habits = {
        token: counterpart
        for (token, counterpart), number in sorted(together.items(), key=lambda item: item[1])
        if number >= max(_FEWEST, _MOSTLY * numbers[token])
    }
    if not habits:
        return np.zeros(len(rows), np.bool_)
    return np.array([_explained(_differ(sides, row), habits) >= _EXPLAINED for row in rows.tolist()], np.bool_)


def _differ(sides: PairedSides, row: int) -> Differences:
    """Tokens of each side that the other one lacks, and those of the other side, in both directions."""
    texts = (sides.references[row], sides.outputs[row])
    first, second = (
        {*_TOKEN.findall(_MARKS.sub("", unicodedata.normalize("NFKD", text[:LONGEST].casefold())))} for text in texts
    )
    first, second = first - second, second - first
    return ((first, second), (second, first)) if max(len(first), len(second)) <= _MOST_TOKENS else ()


def _explained(directions: Differences, habits: dict[str, str]) -> float:
    explained = [
        habits.get(token) in counterparts for tokens, counterparts in directions for token in tokens if token.isalnum()
    ]
    return float(np.mean(explained)) if explained else 0.0

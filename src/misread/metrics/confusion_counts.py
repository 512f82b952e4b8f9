"""How often each thing was read for each other: of characters, words, or groups of characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from misread.alignment import ErrorUnits
from misread.records import Confusion

DELETED: Final = "<DELETE>"
"""Stands for what was read where nothing was."""

INSERTED: Final = "<INSERT>"
"""Stands for what should have been read where nothing should."""


def count_confusions(units: ErrorUnits, name: Callable[[str], str] | None = None) -> list[Confusion]:
    """Count what was read for what.

    Parameters
    ----------
    units : ErrorUnits
        Units of every error.
    name : callable, optional
        Takes a unit and returns its group: errors are then counted between groups.

    Returns
    -------
    list of Confusion
        Most frequent first, and by text where counts are equal.

    Examples
    --------
    >>> from misread.alignment import error_units, operations
    >>> texts = ["O0 O", "o0"], ["00 0", "oO0"]
    >>> count_confusions(error_units(*texts, operations(*texts), unit="char"))
    [Confusion(reference='O', hypothesis='0', count=2), Confusion(reference='<INSERT>', hypothesis='O', count=1)]
    """
    names = list(units.texts) if name is None else [name(text) for text in units.texts]
    numbers: dict[str, int] = {}
    # One entry more: NO_UNIT is -1 and finds it.
    group_of = np.array([numbers.setdefault(text, len(numbers)) for text in names] + [len(numbers)], np.int64)
    width = len(numbers) + 1
    cells, counts = np.unique(group_of[units.references] * width + group_of[units.hypotheses], return_counts=True)
    reference_names, hypothesis_names = [*numbers, INSERTED], [*numbers, DELETED]
    found = [
        Confusion(reference_names[cell // width], hypothesis_names[cell % width], count)
        for cell, count in zip(cells.tolist(), counts.tolist(), strict=True)
    ]
    return sorted(found, key=lambda one: (-one.count, one.reference, one.hypothesis))


def sum_by_group(counts: Mapping[str, int], name: Callable[[str], str]) -> dict[str, int]:
    """Add up counts of characters by their groups.

    Examples
    --------
    >>> sum_by_group({"a": 3, "b": 1, "1": 2}, lambda character: "digit" if character.isdigit() else "letter")
    {'letter': 4, 'digit': 2}
    """
    sums: dict[str, int] = {}
    for text, count in counts.items():
        group = name(text)
        sums[group] = sums.get(group, 0) + count
    return sums

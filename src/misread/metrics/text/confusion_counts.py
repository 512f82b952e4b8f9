"""How often each thing was read for each other: of characters, words, or groups of characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from misread.alignment import ErrorUnits
from misread.records import Confusions

DELETED: Final = "<DELETE>"
"""Stands for what was read where nothing was."""

INSERTED: Final = "<INSERT>"
"""Stands for what should have been read where nothing should."""


def count_confusions(units: ErrorUnits, name: Callable[[str], str] | None = None) -> Confusions:
    """Count what was read for what.

    Parameters
    ----------
    units : ErrorUnits
        Units of every error.
    name : callable, optional
        Takes a unit and returns its group: errors are then counted between groups.

    Returns
    -------
    Confusions
        Most frequent first; where counts are equal, in the order of `units.texts`.

    Examples
    --------
    >>> from misread.alignment import find_error_units, find_operations
    >>> texts = ["O0 O", "o0"], ["00 0", "oO0"]
    >>> list(count_confusions(find_error_units(*texts, find_operations(*texts), unit="char")))
    [Confusion(reference='O', hypothesis='0', count=2), Confusion(reference='<INSERT>', hypothesis='O', count=1)]
    """
    names, groups = units.texts, np.arange(len(units.texts))
    if name is not None:
        numbers: dict[str, int] = {}
        groups = np.array([numbers.setdefault(name(text), len(numbers)) for text in units.texts], np.int64)
        names = list(numbers)
    # One entry more for no unit, which is -1 and finds it.
    groups, width = np.append(groups, len(names)), len(names) + 1
    cells, counts = np.unique(groups[units.references] * width + groups[units.hypotheses], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    reference_names, hypothesis_names = [*names, INSERTED], [*names, DELETED]
    return Confusions(
        [reference_names[cell] for cell in (cells[order] // width).tolist()],
        [hypothesis_names[cell] for cell in (cells[order] % width).tolist()],
        counts[order].tolist(),
    )


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

"""Counts of confusions (what was read for what) of characters, words, or groups of characters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from misread.alignment import ErrorUnits
from misread.records import Confusions
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column
from misread.types import IntArray

DELETED: Final = "<DELETE>"
"""Hypothesis of a deletion: nothing was read."""

INSERTED: Final = "<INSERT>"
"""Reference of an insertion: nothing should have been read."""


def count_confusions(units: ErrorUnits, name: Callable[[str], str] | None = None) -> Confusions:
    """Count what was read for what, most frequent first; where counts are equal, in the order of `units.texts`.

    `name` maps a unit to its group: errors are then counted between groups.
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
    return Confusions(
        _look_up(names, INSERTED, cells[order] // width),
        _look_up(names, DELETED, cells[order] % width),
        counts[order].tolist(),
    )


def _look_up(names: Sequence[str], none: str, numbers: IntArray) -> Sequence[str]:
    """Names by number, of which the one above all stands for no unit."""
    if not isinstance(names, ArrowTexts):
        every = [*names, none]
        return [every[number] for number in numbers.tolist()]
    import pyarrow as pa

    kind = pa.large_string()
    return ArrowTexts.of(pa.concat_arrays([to_column(names, kind), to_column([none], kind)]).take(to_arrow(numbers)))


def sum_by_group(counts: Mapping[str, int], name: Callable[[str], str]) -> dict[str, int]:
    """Add up counts of characters by their groups."""
    sums: dict[str, int] = {}
    for text, count in counts.items():
        group = name(text)
        sums[group] = sums.get(group, 0) + count
    return sums

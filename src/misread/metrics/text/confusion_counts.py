"""Counts of confusions (what was read for what) of characters, words, or groups of characters."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from misread.alignment import ErrorUnits
from misread.records import Confusions

DELETED: Final = "<DELETE>"
"""Hypothesis of a deletion: nothing was read."""

INSERTED: Final = "<INSERT>"
"""Reference of an insertion: nothing should have been read."""


def count_confusions(units: ErrorUnits, name: Callable[[str], str] | None = None) -> Confusions:
    """Count what was read for what, most frequent first; where counts are equal, in the order of code points.

    Insertions come after all references and deletions after all hypotheses. `name` maps a unit to its group: errors are
    then counted between groups.
    """
    texts = list(units.texts) if name is None else list(map(name, units.texts))
    names = sorted(set(texts))
    numbers = {text: number for number, text in enumerate(names)}
    # One entry more for no unit, which is -1 and finds it.
    groups, width = np.array([*map(numbers.__getitem__, texts), len(names)], np.int64), len(names) + 1
    cells, counts = np.unique(groups[units.references] * width + groups[units.hypotheses], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    reference_names, hypothesis_names = [*names, INSERTED], [*names, DELETED]
    return Confusions(
        [reference_names[cell] for cell in (cells[order] // width).tolist()],
        [hypothesis_names[cell] for cell in (cells[order] % width).tolist()],
        counts[order].tolist(),
    )


def sum_by_group(counts: Mapping[str, int], name: Callable[[str], str]) -> dict[str, int]:
    """Add up counts of characters by their groups."""
    sums: dict[str, int] = {}
    for text, count in counts.items():
        group = name(text)
        sums[group] = sums.get(group, 0) + count
    return sums

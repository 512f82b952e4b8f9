"""Alignment of words in which several words of one side may be one word of the other: arrays in, arrays out."""

from typing import Final

from misread.alignment.kernels.pairs import Codes
from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

MOST_PARTS: Final = 64
"""Words that may be one word on the other side."""

# Errors decide, and where they tie, errors that are not substitutions; deletions are only carried.
_ERROR: Final = 1 << 42

_DELETION: Final = (1 << 42) + (1 << 21) + 1
_INSERTION: Final = (1 << 42) + (1 << 21)
_FIELD: Final = (1 << 21) - 1


@borrowing_jit
def count_merging(
    reference: Codes, hypothesis: Codes, merges: IntArray, rows: IntArray, deepest: int, counts: IntArray
) -> None:
    """Fill `counts`, shape (3,), with substitutions, deletions and insertions of a pair; merges cost nothing.

    `merges`, shape (merges, 4), sorted by its first two columns: where in reference and hypothesis a merge ends, and
    how many words of each it takes. `rows`, shape (deepest + 1, len(hypothesis) + 1) or more, is scratch space: as
    many rows as the merge with the most words of the reference goes back, and one more.
    """
    depth = deepest + 1
    for column in range(hypothesis.size + 1):
        rows[0, column] = column * _INSERTION
    merge = 0
    for row in range(1, reference.size + 1):
        current, above = row % depth, (row - 1) % depth
        rows[current, 0] = row * _DELETION
        for column in range(1, hypothesis.size + 1):
            best = rows[above, column - 1]
            if reference[row - 1] != hypothesis[column - 1]:
                best += _ERROR
            best = min(best, rows[above, column] + _DELETION, rows[current, column - 1] + _INSERTION)
            while merge < merges.shape[0] and merges[merge, 0] == row and merges[merge, 1] == column:
                taken = rows[(row - merges[merge, 2]) % depth, column - merges[merge, 3]]
                best = min(best, taken)
                merge += 1
            rows[current, column] = best
    total = rows[reference.size % depth, hypothesis.size]
    errors, apart, deletions = total >> 42, (total >> 21) & _FIELD, total & _FIELD
    counts[0] = errors - apart
    counts[1] = deletions
    counts[2] = apart - deletions

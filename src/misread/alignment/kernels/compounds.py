"""Alignment of words in which several words of one side may be one word of the other: arrays in, arrays out."""

from typing import Final

from misread.alignment.kernels.types import Bytes, Codes
from misread.compiled.jit import jit
from misread.types import IntArray

# Errors decide, and where they tie, errors that are not substitutions; deletions are only carried.
_ERROR: Final = 1 << 42

_DELETION: Final = (1 << 42) + (1 << 21) + 1
_INSERTION: Final = (1 << 42) + (1 << 21)
_FIELD: Final = (1 << 21) - 1

# Pairs of words that are compared one by one.
_MOST_COMPARED: Final = 1 << 14


@jit
def count_merging(
    reference: Codes, hypothesis: Codes, merges: IntArray, rows: IntArray, deepest: int, counts: IntArray
) -> None:
    """Fill `counts`, shape (3,), with substitutions, deletions and insertions of a pair; merges cost nothing.

    `merges`, shape (merges, 4), sorted by its first two columns: where in reference and hypothesis a merge ends, and
    how many words of each it takes. `rows`, shape (deepest + 1, len(hypothesis) + 1), is scratch space: as many rows
    as the merge with the most words of the reference goes back, and one.
    """
    depth = deepest + 1
    for column in range(hypothesis.size + 1):
        rows[0, column] = column * _INSERTION
    merge = 0
    for row in range(1, reference.size + 1):
        here, above = row % depth, (row - 1) % depth
        rows[here, 0] = row * _DELETION
        for column in range(1, hypothesis.size + 1):
            best = rows[above, column - 1]
            if reference[row - 1] != hypothesis[column - 1]:
                best += _ERROR
            best = min(best, rows[above, column] + _DELETION, rows[here, column - 1] + _INSERTION)
            while merge < merges.shape[0] and merges[merge, 0] == row and merges[merge, 1] == column:
                taken = rows[(row - merges[merge, 2]) % depth, column - merges[merge, 3]]
                best = min(best, taken)
                merge += 1
            rows[here, column] = best
    total = rows[reference.size % depth, hypothesis.size]
    errors, apart, deletions = total >> 42, (total >> 21) & _FIELD, total & _FIELD
    counts[0] = errors - apart
    counts[1] = deletions
    counts[2] = apart - deletions


@jit
def have_merges(
    side: Codes, words: IntArray, of_pair: IntArray, other: Codes, others: IntArray, of_other: IntArray, found: Bytes
) -> None:
    """Write whether words in a row of either side of a pair make a word of the other.

    `words`, shape (words, 2), has start and end of each word of a side, and `of_pair`, shape (pairs + 1,), the first
    word of each pair; `found` is 1 for a pair with so many words that this would take long.
    """
    for pair in range(found.size):
        first, last, begin, end = of_pair[pair], of_pair[pair + 1], of_other[pair], of_other[pair + 1]
        found[pair] = (last - first) * (end - begin) > _MOST_COMPARED
        if not found[pair]:
            found[pair] = _makes_word(side, words[first:last], other, others[begin:end]) or _makes_word(
                other, others[begin:end], side, words[first:last]
            )


@jit
def _makes_word(apart: Codes, words: IntArray, together: Codes, others: IntArray) -> bool:
    """Whether two or more words in a row, written together, are one of the others."""
    for number in range(len(words) - 1):
        size = words[number, 1] - words[number, 0]
        for other in range(len(others)):
            length = others[other, 1] - others[other, 0]
            if length <= size or apart[words[number, 0]] != together[others[other, 0]]:
                continue
            place, following = 0, number
            while place < length and following < len(words):
                part = words[following, 1] - words[following, 0]
                if place + part > length:
                    break
                equal = 0
                while equal < part and apart[words[following, 0] + equal] == together[others[other, 0] + place + equal]:
                    equal += 1
                if equal < part:
                    break
                place += part
                following += 1
            if place == length:
                return True
    return False

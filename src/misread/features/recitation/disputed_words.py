"""Words that all other systems read alike, and not as the reference has them; and what is usual among misreadings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misread.features.recitation.read_words import ReadWords
from misread.types import BoolArray, IntArray

SIZES = 3
"""Changes of one character, of two, and of more are compared among themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Changes of words, as arrays of one length."""

    words: IntArray  # number of the word of the references
    kinds: IntArray  # equal for equal changes
    sizes: IntArray  # below SIZES
    unparalleled: BoolArray  # whether no other system makes the change by itself at another word
    unique: BoolArray  # whether nobody else makes it at another word, not even all others together

    def choose(self, rows: BoolArray) -> Changes:
        """Keep some."""
        return Changes(self.words[rows], self.kinds[rows], self.sizes[rows], self.unparalleled[rows], self.unique[rows])


@dataclass(frozen=True, slots=True, eq=False)
class DisputedWords:
    """Disputed words of one system, and misreadings of the others that are not disputed."""

    confirmed: int
    departures: int
    disputed: IntArray
    agreements: Changes
    misreadings: list[Changes]  # by the other systems, of words that this system reads as the reference has them


def find_disputed(words: ReadWords, system: int) -> DisputedWords:
    """Compare a system with all others at the words that are plain in their readings."""
    others = [other for other in range(len(words.readings)) if other != system]
    readings = words.readings[others]
    plain = words.plain[others].all(axis=0)
    wrong = readings != words.references
    right = words.readings[system] == words.references
    alike = plain & (readings == readings[0]).all(axis=0)
    disputed = alike & wrong[0]
    confirmed = alike & ~wrong[0]
    agreed = np.flatnonzero(disputed & right)
    who, misread = np.nonzero(wrong & (plain & right & ~disputed))

    rows = np.concatenate([agreed, misread])
    kinds, sizes = _changes(words, rows, np.concatenate([readings[0, agreed], readings[who, misread]]))
    agreement = np.arange(len(rows)) < len(agreed)
    # Several systems may make one change at one word.
    made = np.unique((kinds * len(right) + rows)[~agreement]) // max(1, len(right))
    number = np.bincount(made, minlength=kinds.max(initial=-1) + 1)
    # A misreading is one of those that are counted.
    unparalleled = number[kinds] == np.where(agreement, 0, 1)
    unique = np.bincount(np.unique(kinds * len(right) + rows) // max(1, len(right)), minlength=len(number))[kinds] == 1
    changes = Changes(rows, kinds, sizes, unparalleled, unique)
    by = np.concatenate([np.full(len(agreed), -1), who])
    return DisputedWords(
        confirmed=int(confirmed.sum()),
        departures=int((confirmed & ~right).sum()),
        disputed=np.flatnonzero(disputed),
        agreements=changes.choose(agreement),
        misreadings=[changes.choose(by == other) for other in range(len(others))],
    )


def _changes(words: ReadWords, rows: IntArray, readings: IntArray) -> tuple[IntArray, IntArray]:
    """Kind and size of the change from the reference to each reading."""
    number = len(words.vocabulary)
    pairs, inverse = np.unique(words.references[rows] * number + readings, return_inverse=True)
    kinds: dict[tuple[str, str], int] = {}
    numbers, sizes = [], []
    for pair in pairs.tolist():
        reference, reading = divmod(pair, number)
        change = find_change(words.vocabulary[reference], words.vocabulary[reading])
        numbers.append(kinds.setdefault(change, len(kinds)))
        sizes.append(min(SIZES, max(map(len, change))) - 1)
    return np.array(numbers, np.int64)[inverse], np.array(sizes, np.int64)[inverse]


def find_change(reference: str, reading: str) -> tuple[str, str]:
    """What is left of two words without their common beginning, and then without their common end.

    >>> find_change("avait", "avoit"), find_change("enfants", "enfans")
    (('a', 'o'), ('t', ''))
    """
    start = _common_length(reference, reading)
    reference, reading = reference[start:], reading[start:]
    end = _common_length(reference[::-1], reading[::-1])
    return reference[: len(reference) - end], reading[: len(reading) - end]


def _common_length(left: str, right: str) -> int:
    """Length of the common beginning."""
    length = 0
    for character, other in zip(left, right, strict=False):
        if character != other:
            break
        length += 1
    return length

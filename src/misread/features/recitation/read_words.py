"""What every system read for each word of the references, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from misread.alignment import Operations, PairedTexts, paired_operations
from misread.alignment.kernels.kinds import DELETION, INSERTION
from misread.text.words import split_words
from misread.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ReadWords:
    """Words of all references in a row, as numbers, beside those that each system read for them.

    A word is plain in a reading if neither it nor its neighbours in the segment were left out or put in, so that it
    stands for this word of the reference and for no part of it.
    """

    vocabulary: Sequence[str]
    segments: IntArray  # row of the segment, shape (words,)
    references: IntArray  # number of the word in the vocabulary, shape (words,)
    readings: IntArray  # shape (systems, words), -1 for a word that was left out
    positions: IntArray  # of the reading among the words of its hypothesis, shape (systems, words)
    plain: BoolArray  # shape (systems, words)


def read_words(references: Sequence[str], hypotheses: Mapping[str, Sequence[str]]) -> ReadWords:
    """Align every system with the references, word by word."""
    numbers: dict[str, int] = {}
    reference_words, lengths = _number(references, numbers)
    aligned = []
    for texts in hypotheses.values():
        words, word_counts = _number(texts, numbers)
        operations = paired_operations(PairedTexts(references, texts), unit="word", alignment="unit")
        aligned.append(_align(operations, words, word_counts))
    readings, positions, plain = (np.stack(arrays) for arrays in zip(*aligned, strict=True))
    segments = np.repeat(np.arange(len(references)), lengths)
    return ReadWords(list(numbers), segments, reference_words, readings, positions, plain)


def _number(texts: Sequence[str], numbers: dict[str, int]) -> tuple[IntArray, IntArray]:
    """Numbers of all words, to which new words are added, and how many words each text has."""
    words = [split_words(text) for text in texts]
    numbered = [numbers.setdefault(word, len(numbers)) for word in chain.from_iterable(words)]
    return np.array(numbered, np.int64), np.fromiter(map(len, words), np.int64, len(words))


def _align(operations: Operations, words: IntArray, word_counts: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
    """What stands for each reference word, at which position of its hypothesis, and whether it is plain."""
    codes, offsets = operations.codes, operations.offsets
    is_read, is_reference = codes != DELETION, codes != INSERTION
    position = np.cumsum(is_read) - 1
    readings = np.where(is_read, np.append(words, -1)[position], -1)
    before = np.repeat(np.cumsum(word_counts) - word_counts, np.diff(offsets))
    gap = ~(is_read & is_reference)
    plain = ~gap
    plain[1:] &= ~gap[:-1] | _marks(offsets[:-1], len(codes))[1:]
    plain[:-1] &= ~gap[1:] | _marks(offsets[1:] - 1, len(codes))[:-1]
    return readings[is_reference], (position - before)[is_reference], plain[is_reference]


def _marks(places: IntArray, length: int) -> BoolArray:
    """True at these places, of which those outside do not count: pairs may be empty."""
    marks = np.zeros(length, np.bool_)
    marks[places[(places >= 0) & (places < length)]] = True
    return marks

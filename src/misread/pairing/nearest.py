"""References that an output may be of: those with which it shares rare sequences of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from misread.types import BoolArray, IntArray

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]

MOST_CANDIDATES: Final = 5
"""References that are tried for an output."""

# Shorter sequences are common in large corpora, longer ones are rarely read without an error.
_CHARACTERS: Final = ((1_000, 3), (20_000, 4), (100_000, 6))  # of a sequence, below this number of references
_CHARACTERS_OF_MANY: Final = 7
_NARROWEST, _WIDEST, _WORD = 3, 16, 8  # bytes of a sequence, and of a machine word
_FACTORS: Final = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_AT_A_TIME: Final = 1 << 16  # bytes that stay in the cache
_FEWEST_SEQUENCES: Final = 16  # of an output that are looked up, if it has them
MOST_SEQUENCES: Final = 200_000
_COMMON: Final = 100  # texts: a sequence in more tells nothing
_RAREST: Final = 4  # a quarter of an output's sequences, the rarest, find its references
_OUTPUTS_AT_A_TIME: Final = 20_000
_NONE: Final = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Texts in UTF-8, one after another; text i is `data[bounds[i] : bounds[i + 1]]`."""

    data: Bytes
    bounds: IntArray

    @classmethod
    def of(cls, texts: Sequence[str]) -> EncodedTexts:
        """Encode texts in lower case: a system that writes in capitals is no mispairing."""
        parts = [text.lower().encode("utf-8", "surrogatepass") for text in texts]
        return cls(np.frombuffer(b"".join(parts), np.uint8), np.cumsum([0, *map(len, parts)], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def bytes_of_character(self) -> float:
        """Mean length of a character."""
        data = self.data[self.bounds[0] : self.bounds[-1]][: 16 * _AT_A_TIME]
        characters = int(np.count_nonzero((data & 0xC0) != 0x80))
        return len(data) / characters if characters else 1.0

    def sequences(self, width: int) -> Iterator[tuple[IntArray, Hashes]]:
        """Hashes of all sequences of `width` bytes that begin with a character, with their positions, part by part.

        A sequence may run from one text into the next: `texts_at` leaves these out.
        """
        start, end = int(self.bounds[0]), int(self.bounds[-1])
        for start_of_part in range(start, end, _AT_A_TIME):
            piece = np.zeros(min(_AT_A_TIME, end - start_of_part) + _WIDEST, np.uint8)
            content = self.data[start_of_part : min(start_of_part + len(piece), end)]
            piece[: len(content)] = content
            yield start_of_part + np.arange(len(piece) - _WIDEST), _hash_sequences(piece, width)

    def texts_at(self, positions: IntArray, width: int) -> tuple[IntArray, BoolArray]:
        """Texts in which sequences begin, and whether each is whole there and begins with a character."""
        texts = np.searchsorted(self.bounds, positions, side="right") - 1
        is_whole = positions + width <= self.bounds[texts + 1]
        return texts, is_whole & ((self.data[positions] & 0xC0) != 0x80)


def _hash_sequences(piece: Bytes, width: int) -> Hashes:
    number = len(piece) - _WIDEST
    words: Hashes = np.ndarray((number + _WORD,), "<u8", piece, strides=(1,))
    first = words[:number]
    if width < _WORD:
        return np.left_shift(first, np.uint64(8 * (_WORD - width))) * _FACTORS[0]
    last = words[width - _WORD :][:number]
    return first * _FACTORS[0] ^ last * _FACTORS[1]


def find_candidates(
    references: EncodedTexts, outputs: EncodedTexts, most_sequences: int = MOST_SEQUENCES
) -> tuple[IntArray, IntArray]:
    """Outputs, and references that share the most rare sequences with them, of up to a number of these.

    Linear in both: every sequence of the references is looked at once for 20,000 outputs.
    """
    characters = next((number for most, number in _CHARACTERS if len(references) < most), _CHARACTERS_OF_MANY)
    width = int(np.clip(round(characters * references.bytes_of_character), _NARROWEST, _WIDEST))
    results = [(_NONE, _NONE)]
    for start in range(0, len(outputs), _OUTPUTS_AT_A_TIME):
        part = EncodedTexts(outputs.data, outputs.bounds[start : start + _OUTPUTS_AT_A_TIME + 1])
        rows, matches = _find(references, part, width, most_sequences)
        results.append((rows + start, matches))
    return np.concatenate([rows for rows, _ in results]), np.concatenate([matches for _, matches in results])


def _find(references: EncodedTexts, outputs: EncodedTexts, width: int, most: int) -> tuple[IntArray, IntArray]:
    hashes, holders = _sequences_of(outputs, width)
    # The smallest hashes of each output are as good as a random choice.
    most = max(_FEWEST_SEQUENCES, most // len(outputs))
    chosen = _choose_smallest(hashes, holders, most)
    hashes, holders = hashes[chosen], holders[chosen]
    first = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]])) if len(hashes) else _NONE
    known, numbers = hashes[first], np.diff(np.append(first, len(hashes)))
    sequences, texts = _look_up(references, known, width)
    if not len(sequences):
        return _NONE, _NONE
    frequency = np.bincount(sequences, minlength=len(known))
    weights = np.log((1 + len(references)) / np.maximum(frequency, 1)) + 0.1
    # Common sequences do not count, and of an output only its rarest ones.
    is_rare = (frequency > 0) & (frequency <= _COMMON) & (numbers <= _COMMON)
    entries = np.repeat(np.arange(len(known)), numbers)
    chosen = np.flatnonzero(is_rare[entries])
    chosen = chosen[_choose_smallest(frequency[entries[chosen]], holders[chosen], most // _RAREST)]
    holders, numbers = holders[chosen], np.bincount(entries[chosen], minlength=len(known))
    repeats, ends = numbers[sequences], np.cumsum(numbers)
    starts = np.repeat(ends[sequences] - np.cumsum(repeats), repeats) + np.arange(int(repeats.sum()))
    pairs, inverse = np.unique(holders[starts] * len(references) + np.repeat(texts, repeats), return_inverse=True)
    shared = np.bincount(inverse, weights=np.repeat(weights[sequences], repeats))
    rows, matches = np.divmod(pairs, len(references))
    order = np.lexsort((matches, -shared, rows))
    rows, matches = rows[order], matches[order]
    is_near = np.arange(len(rows)) - np.searchsorted(rows, rows) < MOST_CANDIDATES
    return rows[is_near], matches[is_near]


def _sequences_of(outputs: EncodedTexts, width: int) -> tuple[Hashes, IntArray]:
    """Different sequences of each output, sorted by their hashes, and the outputs that have them."""
    parts: list[tuple[Hashes, IntArray]] = []
    for positions, hashes in outputs.sequences(width):
        texts, is_whole = outputs.texts_at(positions, width)
        parts.append((hashes[is_whole], texts[is_whole]))
    hashes = np.concatenate([part for part, _ in parts]) if parts else np.zeros(0, np.uint64)
    texts = np.concatenate([part for _, part in parts]) if parts else np.zeros(0, np.int64)
    order = np.lexsort((texts, hashes))
    hashes, texts = hashes[order], texts[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (hashes[1:] != hashes[:-1]) | (texts[1:] != texts[:-1])
    return hashes[is_new], texts[is_new]


def _choose_smallest(values: NDArray[Any], holders: IntArray, most: int) -> IntArray:
    """Indices, ascending, of the smallest values of each holder, up to a number."""
    order = np.lexsort((values, holders))
    ordered = holders[order]
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    return np.sort(order[rank < most])


def _look_up(references: EncodedTexts, known: Hashes, width: int) -> tuple[IntArray, IntArray]:
    """Known sequences of the references: their numbers, and the texts."""
    if not len(known):
        return _NONE, _NONE
    bits = int(np.clip(np.ceil(np.log2(len(known))) + 6, 12, 22))
    shift = np.uint64(64 - bits)
    may_be_known = np.zeros(1 << bits, np.bool_)
    may_be_known[known >> shift] = True
    results: list[tuple[Any, Any]] = [(_NONE, _NONE)]  # references may all be empty
    for positions, hashes in references.sequences(width):
        near = np.flatnonzero(may_be_known[hashes >> shift])
        numbers = np.searchsorted(known, hashes[near])
        numbers[numbers == len(known)] = 0
        is_known = known[numbers] == hashes[near]
        texts, is_whole = references.texts_at(positions[near[is_known]], width)
        results.append((numbers[is_known][is_whole], texts[is_whole]))
    return np.concatenate([numbers for numbers, _ in results]), np.concatenate([texts for _, texts in results])

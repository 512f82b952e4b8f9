"""Outputs that fit the reference of another segment far better than their own."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.pairing.nearest import MOST_SEQUENCES, EncodedTexts, find_candidates
from misread.types import BoolArray, FloatArray, IntArray

DOUBTFUL_RATE: Final = 0.5
"""Above this rate an output may be of another segment."""

HALF: Final = 0.5
"""Largest share of errors that the right pairing leaves."""

FAR_BETTER: Final = 0.65
"""An output fits another reference far better if at most this share of its errors is left."""

BETTER: Final = 0.8
"""As `FAR_BETTER`, for an output whose own segment has lost its output."""

LONGEST: Final = 4000
"""Characters of a text that are compared."""

_FEWEST_IN_PLACE, _SHARE_IN_PLACE = 10, 0.2
_LOWEST_USUAL, _OF_MEDIAN = 0.1, 4

_SIGNS: Final = re.compile(r"[\W_]+")
_ASCII_SIGNS: Final = {code: None for code in range(128) if not chr(code).isalnum()}
_TELLING_BITS: Final = 35
_SHORT: Final = 20  # characters that may have no rare sequence
_BEGINNING: Final = 200
_MOST_LOOKED_UP: Final = 2_000
_SAMPLE, _SEQUENCES_OF_SAMPLE = 500, 20_000
_FEWEST_ALIKE: Final = 10  # outputs at one distance


def fold(text: str) -> str:
    """Letters and digits of the beginning of a text, however they are written: without case, marks and punctuation."""
    text = text[:LONGEST].casefold()
    if text.isascii():
        return text.translate(_ASCII_SIGNS) or text
    text = unicodedata.normalize("NFKD", text)
    return _SIGNS.sub("", text) or text


@dataclass(frozen=True)
class PairedSides:
    """References and outputs of a system as they are paired, and their error rates."""

    segment_ids: Sequence[str]
    references: Sequence[str]
    outputs: Sequence[str]
    rates: FloatArray

    def __len__(self) -> int:
        return len(self.references)

    def measure(self, rows: IntArray, others: IntArray) -> IntArray:
        """Wrong letters and digits of outputs of these rows against references of other ones, whatever their case."""
        reference, output = self._folded
        return distances([*map(reference, others.tolist())], [*map(output, rows.tolist())])

    @cached_property
    def _folded(self) -> tuple[Callable[[int], str], Callable[[int], str]]:
        return cache(lambda row: fold(self.references[row])), cache(lambda row: fold(self.outputs[row]))

    @cached_property
    def doubtful(self) -> IntArray:
        """Rows, ascending, whose outputs have enough errors to belong to another segment."""
        rows = np.flatnonzero(self.rates > DOUBTFUL_RATE)
        return rows[[bool(self.outputs[row].strip()) for row in rows.tolist()]] if len(rows) else rows

    @cached_property
    def is_doubtful(self) -> BoolArray:
        """Whether a row is doubtful."""
        return np.isin(np.arange(len(self)), self.doubtful)

    @cached_property
    def usual_rate(self) -> float:
        """A rate that few outputs in their place exceed but those written otherwise; of many doubtful ones unknown."""
        in_place = self.rates[self.rates <= DOUBTFUL_RATE]
        if len(in_place) < max(_FEWEST_IN_PLACE, _SHARE_IN_PLACE * len(self)):
            return DOUBTFUL_RATE
        return max(_LOWEST_USUAL, _OF_MEDIAN * float(np.median(in_place)))

    @cached_property
    def is_copied(self) -> BoolArray:
        """Whether several rows have the output of a row."""
        outputs = [output.lower() for output in self.outputs]
        number = Counter(outputs)
        return np.fromiter((number[output] > 1 for output in outputs), np.bool_, len(outputs))

    def measured_lengths(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Letters and digits of references and outputs of these rows that are compared."""
        references, outputs = (np.array([len(text(row)) for row in rows.tolist()], np.int64) for text in self._folded)
        return references, outputs

    @cached_property
    def encoded_references(self) -> EncodedTexts:
        """The references in UTF-8."""
        return EncodedTexts.of(self.references)

    @cached_property
    def telling(self) -> float:
        """Characters that have to be right for one output alone to tell which segment it is of.

        By the entropy of the references' characters: ten letters say as much as five ideographs.
        """
        step = max(1, len(self) // _SAMPLE)
        sample = "".join(fold(self.references[row][:_BEGINNING]) for row in range(0, len(self), step))
        shares = np.array([*Counter(sample).values()]) / max(1, len(sample))
        return _TELLING_BITS / max(1.0, float(-(shares * np.log2(shares)).sum()))


@dataclass(frozen=True, slots=True)
class BetterReferences:
    """Rows whose outputs fit the reference of another row better, with the errors as paired and with it."""

    rows: IntArray
    others: IntArray
    errors: IntArray
    errors_with_other: IntArray
    is_telling: BoolArray  # whether it fits far better, by so much text that it cannot be by chance

    def take(self, flags: BoolArray) -> BetterReferences:
        """Those of these rows that have a flag."""
        return BetterReferences(*(getattr(self, field.name)[flags] for field in fields(self)))


def find_better(sides: PairedSides) -> BetterReferences:
    """Look all doubtful outputs up; where there are very many, a sample first, and nothing more if it shows nothing."""
    rows = sides.doubtful
    if len(rows) > _MOST_LOOKED_UP:
        sample = rows[np.linspace(0, len(rows) - 1, _SAMPLE).astype(np.int64)]
        # Of what differs in case and punctuation most is in its place.
        sample = sample[sides.measure(sample, sample) > DOUBTFUL_RATE * sides.measured_lengths(sample)[0]]
        better = _choose_better(sides, *_similar(sides, sample, _SEQUENCES_OF_SAMPLE))
        if not np.any(better.is_telling):
            # Short lines that are shifted tell nothing but their common distance.
            _, numbers = np.unique(better.others - better.rows, return_counts=True)
            return better.take(np.full(len(better.rows), max(numbers, default=0) >= _FEWEST_ALIKE))
    return _look_up(sides, rows)


def _look_up(sides: PairedSides, rows: IntArray) -> BetterReferences:
    similar, equal = _similar(sides, rows), _find_exact(sides, rows)
    tried, others = (np.concatenate(parts) for parts in zip(similar, equal, strict=True))
    better = _choose_better(sides, tried, others)
    # Where an output went, that of the segment may have come from: of a swap one output is enough to find both.
    went = better.is_telling & sides.is_doubtful[better.others]
    return _choose_better(
        sides,
        np.concatenate([better.others[went], tried]),
        np.concatenate([better.rows[went], others]),
        likely=int(np.count_nonzero(went)),
    )


def _similar(sides: PairedSides, rows: IntArray, sequences: int = MOST_SEQUENCES) -> tuple[IntArray, IntArray]:
    """Outputs of these rows, and references that share rare sequences with them."""
    outputs = EncodedTexts.of([sides.outputs[row] for row in rows.tolist()])
    indices, matches = find_candidates(sides.encoded_references, outputs, sequences)
    return rows[indices], matches


def _choose_better(sides: PairedSides, rows: IntArray, others: IntArray, *, likely: int = 0) -> BetterReferences:
    """Of several references that were tried for an output the best, if it is better than its own.

    One of the first `likely` is taken if no other one is far better; of equally good ones the nearest.
    """
    is_other = rows != others
    is_likely = np.arange(len(rows)) < likely
    rows, others, is_likely = rows[is_other], others[is_other], is_likely[is_other]
    tried = np.unique(rows)
    own_errors = np.zeros(len(sides), np.int64)
    own_errors[tried] = sides.measure(tried, tried)
    errors, own = sides.measure(rows, others), own_errors[rows]
    longer = np.maximum(sides.measured_lengths(others)[0], sides.measured_lengths(rows)[1])
    weighted = np.where(is_likely, FAR_BETTER, 1) * errors
    order = np.lexsort((np.abs(others - rows), ~is_likely, weighted, rows))
    # By chance, an output of a form of its own fits several references of that form alike.
    next_best = np.full(len(sides), np.iinfo(np.int64).max)
    best_text: dict[int, str] = {}
    for row, other, number in zip(rows[order].tolist(), others[order].tolist(), errors[order].tolist(), strict=True):
        text = sides.references[other]
        if best_text.setdefault(row, text) != text:
            next_best[row] = min(next_best[row], number)
    order = order[(errors <= BETTER * own)[order]]
    _, first = np.unique(rows[order], return_index=True)
    best = order[first]
    right = longer[best] - errors[best]
    is_far_better = (errors[best] <= FAR_BETTER * own[best]) & (errors[best] <= DOUBTFUL_RATE * longer[best])
    is_far_better &= errors[best] <= FAR_BETTER * next_best[rows[best]]
    unusual = np.flatnonzero(is_far_better & (errors[best] > sides.usual_rate * longer[best]))
    if len(unusual):
        is_far_better[unusual] = sides.is_copied[rows[best[unusual]]]
    is_telling = is_far_better & (right >= sides.telling) & (own[best] - errors[best] >= sides.telling / 2)
    return BetterReferences(rows[best], others[best], own[best], errors[best], is_telling)


def _find_exact(sides: PairedSides, rows: IntArray) -> tuple[IntArray, IntArray]:
    """References that equal an output, which may be too short to be looked up otherwise; the nearest of them."""
    rows_of_text: dict[str, list[int]] = {}
    for row in rows.tolist():
        if len(sides.outputs[row]) < _SHORT:
            rows_of_text.setdefault(sides.outputs[row], []).append(row)
    places: dict[str, list[int]] = {}
    for row, text in enumerate(sides.references):
        if text in rows_of_text:
            places.setdefault(text, []).append(row)
    pairs: list[tuple[int, int]] = []
    for text, others in places.items():
        # Doubtful segments first: these have lost their own output.
        candidates = np.array(others)
        free = candidates[sides.is_doubtful[candidates]]
        candidates = free if len(free) else candidates
        pairs += [(row, int(candidates[np.argmin(np.abs(candidates - row))])) for row in rows_of_text[text]]
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    return first, second

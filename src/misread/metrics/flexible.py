"""Flexible character accuracy: lines may be in any order, and are matched in part where that is better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final

import numpy as np

from misread.alignment import PairedTexts
from misread.alignment.encode.inputs import check_text
from misread.alignment.encode.texts import EncodedPairs, EncodedTexts, encode_pairs
from misread.alignment.kernels.kinds import CARRIAGE_RETURN, LINE_FEED
from misread.alignment.kernels.line_matching import COLUMNS as PROGRESS_COLUMNS
from misread.alignment.kernels.line_matching import COUNTED, ENDED, NONE, Matches, Searches, Side, match_lines
from misread.alignment.unit_costs import count_with_unit_costs
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import TooDifferentError
from misread.io.text import split_lines
from misread.metrics.base import Metric, ScoredText, TextForm
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray

# Positions that are aligned together.
_BATCH: Final = 1 << 13

COLUMNS: Final = 4
"""Position in the longer part; substitutions, deletions, insertions."""


def fit_parts(parts: EncodedPairs) -> IntArray:
    """Find the position with the fewest errors of each pair, shape (pairs, 4); no part is empty.

    A position counts from the start of the longer part and means a stretch of it that is one character shorter
    than the shorter part; the first of the best counts. Two parts of equal length have one position, the whole.
    """
    fits = np.empty((len(parts.shared), COLUMNS), np.int64)
    beyond = np.abs(parts.references.lengths - parts.hypotheses.lengths)
    for batch in _batches(beyond + 1):
        fits[batch] = _fit(take_pairs(parts, batch, parts.first_index + batch.start))
    return fits


def take_pairs(pairs: EncodedPairs, rows: slice | IntArray, first_index: int = 0) -> EncodedPairs:
    """Some of the pairs; `first_index` is that of the first pair, for messages."""
    reference, hypothesis = (
        EncodedTexts(side.codes, side.spans[rows]) for side in (pairs.references, pairs.hypotheses)
    )
    return EncodedPairs(reference, hypothesis, pairs.alphabet_size, pairs.shared[rows], first_index)


def _batches(places: IntArray) -> Iterator[slice]:
    """Runs of pairs with about `_BATCH` positions together."""
    if len(places) == 0:
        return
    numbers = np.cumsum(places) // _BATCH
    bounds = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(places)]
    for start, end in pairwise(bounds):
        yield slice(start, end)


def _fit(parts: EncodedPairs) -> IntArray:
    references, hypotheses = parts.references.lengths, parts.hypotheses.lengths
    beyond = np.abs(references - hypotheses)
    # The published program ends each stretch a character early.
    sizes = np.minimum(references, hypotheses) - (beyond > 0)
    pairs, starts = _number(beyond + 1)
    is_longer = (references >= hypotheses)[pairs]
    sides = []
    for side, moves in ((parts.references, is_longer), (parts.hypotheses, ~is_longer)):
        whole = side.spans[pairs]
        placed = np.column_stack([whole[:, 0] + starts, whole[:, 0] + starts + sizes[pairs]])
        sides.append(EncodedTexts(side.codes, np.where(moves[:, np.newaxis], placed, whole)))
    places = EncodedPairs(sides[0], sides[1], parts.alphabet_size, np.zeros(len(pairs), np.int64), parts.first_index)
    try:
        counts = count_with_unit_costs(places)[1:]
    except TooDifferentError as error:
        pair = parts.first_index + int(pairs[error.pair - parts.first_index])
        raise TooDifferentError(pair, error.lengths, error.most_cells) from None
    errors = counts.sum(axis=0)
    group = np.flatnonzero(np.diff(pairs, prepend=-1))
    is_least = np.flatnonzero(errors == np.repeat(np.minimum.reduceat(errors, group), beyond + 1))
    rows = is_least[np.flatnonzero(np.diff(pairs[is_least], prepend=-1))]
    return np.column_stack([starts[rows], counts[:, rows].T])


def _number(sizes: IntArray) -> tuple[IntArray, IntArray]:
    """Pair of each position, and its number in the pair from 0."""
    pairs = np.repeat(np.arange(len(sizes)), sizes)
    return pairs, np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


# Weights that are tried: of errors, the difference in length, the position inside the longer line, the length.
_WEIGHTS: Final = np.array([*product(range(15, 31, 5), range(0, 24, 3), range(4), range(6))])
# Weights under which lines are matched at once, at least and as far as their parts are no more than this.
_TOGETHER: Final = 128
_PARTS_TOGETHER: Final = 1 << 17
# Pairs of parts whose matches are found at once.
_WANTED_TOGETHER: Final = 1 << 12
# Characters up to here are left out where a part is cut.
_LAST_BLANK: Final = ord(" ")
# What Python takes for two lines under all weights where the kernels are not compiled.
_LINE_SECONDS: Final = 0.02


def count_in_any_order(texts: PairedTexts) -> IntArray:
    """Count substitutions, deletions, insertions and the characters of the reference, shape (pairs, 4).

    Line breaks are not characters. Clausner, Pletschacher & Antonacopoulos (2020), doi 10.1016/j.patrec.2020.02.003.
    """
    counts = np.empty((len(texts), 4), np.int64)
    for batch, pairs in texts.encode("char"):
        references, has_more = _single_lines(pairs.references)
        hypotheses, have_more = _single_lines(pairs.hypotheses)
        are_pages = has_more | have_more
        counts[batch] = _count_lines(EncodedPairs(references, hypotheses, pairs.alphabet_size, pairs.shared))
        for row in (np.flatnonzero(are_pages) + batch.start).tolist():
            counts[row] = _count_pages(texts.references[row], texts.hypotheses[row])
    return counts


def _single_lines(side: EncodedTexts) -> tuple[EncodedTexts, BoolArray]:
    """Texts without a line feed at their end, and whether each has more than one line or a carriage return."""
    spans, has_more = side.spans.copy(), np.zeros(len(side.spans), np.bool_)
    breaks = np.flatnonzero((side.codes == LINE_FEED) | (side.codes == CARRIAGE_RETURN))
    rows = np.searchsorted(spans[:, 0], breaks, side="right") - 1
    is_end = (breaks == spans[rows, 1] - 1) & (side.codes[breaks] == LINE_FEED)
    has_more[rows[~is_end]] = True
    spans[rows[is_end], 1] -= 1
    return EncodedTexts(side.codes, spans), has_more


def _count_lines(lines: EncodedPairs) -> IntArray:
    """Counts of pairs of one line each: the shorter one is matched inside the longer one, or both are aligned whole."""
    references, hypotheses = lines.references.lengths, lines.hypotheses.lengths
    counts = np.column_stack([np.zeros_like(references), references, hypotheses, references])
    rows = np.flatnonzero((references > 0) & (hypotheses > 0))
    counts[rows, :3] = count_with_unit_costs(take_pairs(lines, rows))[1:].T
    # A part of a line has an error at least.
    rows = rows[(references != hypotheses)[rows] & (counts[rows, :3].sum(axis=1) > 1)]
    pairs = take_pairs(lines, rows)
    fits = fit_parts(pairs)
    for column, side, other in ((2, pairs.references, hypotheses), (3, pairs.hypotheses, references)):
        fits[:, column] += _measure_rests(side, fits[:, 0], other[rows])
    is_better = fits[:, 1:].sum(axis=1) < counts[rows, :3].sum(axis=1)
    counts[rows[is_better], :3] = fits[is_better, 1:]
    return counts


def _measure_rests(side: EncodedTexts, places: IntArray, lengths: IntArray) -> IntArray:
    """Characters left of each line around a match of given length, as `match_lines` cuts lines."""
    is_blank = side.codes <= _LAST_BLANK
    numbers = np.arange(len(is_blank))
    # The first character from each position on that is not blank, and the position after the last one before it.
    firsts = np.append(np.minimum.accumulate(np.where(is_blank, len(is_blank), numbers)[::-1])[::-1], len(is_blank))
    lasts = np.append(0, np.maximum.accumulate(np.where(is_blank, 0, numbers + 1)))
    starts, ends = side.spans.T
    before = lasts[np.minimum(starts + np.maximum(places - 1, 0), ends)] - firsts[starts]
    behind = lasts[ends] - firsts[np.minimum(starts + places + lengths, ends)]
    rests: IntArray = np.where(ends - starts > lengths, np.maximum(before, 0) + np.maximum(behind, 0), 0)
    return rests


def _count_pages(reference: str, hypothesis: str) -> IntArray:
    """Counts of two texts of many lines: the fewest errors over all weights, and of the lines in their order."""
    sides = [[line for line in split_lines(text) if line] for text in (reference, hypothesis)]
    joined = ["".join(lines) for lines in sides]
    texts = encode_pairs(joined[:1], joined[1:], "char")
    search = _Search(texts, [[len(line) for line in lines] for lines in sides])
    with loaded_above(ALIGNING, _LINE_SECONDS * len(sides[0]) * len(sides[1])):
        best = search.run()
    try:
        whole = count_with_unit_costs(texts)[1:, 0]
    except TooDifferentError:
        # Lines in any order are far better then.
        whole = best
    return np.array([*(whole if whole.sum() <= best.sum() else best), len(joined[0])])


class _Search:
    """Parts of two texts and their matches so far, under any weights."""

    def __init__(self, texts: EncodedPairs, lengths: list[list[int]]) -> None:
        self._texts = texts
        sides = (texts.references, True), (texts.hypotheses, False)
        self._sides = [
            _make_side(line_lengths, side.codes <= _LAST_BLANK, longest_first=longest_first)
            for line_lengths, (side, longest_first) in zip(lengths, sides, strict=True)
        ]
        self._sizes = np.array([*map(len, lengths)])
        self._rows = np.full([len(side.parts) for side in self._sides], NONE, np.int32)
        self._fits = np.empty((64, COLUMNS), np.int64)
        self._number = 0

    def run(self) -> IntArray:
        """Substitutions, deletions and insertions under the first of the weights with the fewest errors."""
        self._add(np.stack(np.meshgrid(*map(np.arange, self._sizes), indexing="ij"), axis=-1).reshape(-1, 2))
        # All weights give the same where there is nothing to choose.
        weights = _WEIGHTS if self._sizes.prod() > 1 else _WEIGHTS[:1]
        together = max(_TOGETHER, _PARTS_TOGETHER // max(len(side.parts) for side in self._sides))
        best = None
        for first in range(0, len(weights), together):
            counts = self._match(weights[first : first + together])
            least = counts[counts.sum(axis=1).argmin()]
            best = least if best is None or least.sum() < best.sum() else best
            if not best.any():
                break
        return best if best is not None else np.zeros(3, np.int64)

    def _match(self, weights: IntArray) -> IntArray:
        """Substitutions, deletions and insertions under each of some weights, shape (weights, 3)."""
        searches = self._make_searches(len(weights))
        while not searches.progress[:, ENDED].all():
            places = 4 * sum(len(side.parts) for side in self._sides)
            wanted = np.empty((places + _WANTED_TOGETHER, 2), np.int64)
            matches = Matches(self._rows, self._fits)
            first, other = self._sides
            number = match_lines(first, other, matches, weights, searches, self._sizes, wanted)
            if number:
                self._add(wanted[:number])
            elif not searches.progress[:, ENDED].all():
                searches = self._make_room(searches)
        return searches.progress[:, COUNTED:ENDED]

    def _make_searches(self, number: int) -> Searches:
        """Searches under `number` weightings, in which all lines are left."""
        shapes = [(number, len(side.parts)) for side in self._sides]
        expected, observed, partners, penalties = (np.full(shapes[side], NONE) for side in (0, 1, 0, 0))
        progress = np.zeros((number, PROGRESS_COLUMNS), np.int64)
        searches = Searches(expected, observed, partners, penalties, progress)
        for index, side in enumerate(self._sides):
            searches[index][:, : len(side.lines)] = side.lines
            searches.progress[:, index] = len(side.lines)
        return searches

    def _add(self, wanted: IntArray) -> None:
        """Find and store the matches of these pairs of parts."""
        first, self._number = self._number, self._number + len(wanted)
        if self._number > len(self._fits):
            self._fits = np.concatenate([self._fits, np.empty((self._number, COLUMNS), np.int64)])
        references, hypotheses = (
            EncodedTexts(texts.codes, side.parts[parts, :2])
            for texts, side, parts in zip(
                (self._texts.references, self._texts.hypotheses), self._sides, wanted.T, strict=True
            )
        )
        shared = np.zeros(len(wanted), np.int64)
        parts = EncodedPairs(references, hypotheses, self._texts.alphabet_size, shared)
        self._fits[first : self._number] = fit_parts(parts)
        self._rows[wanted[:, 0], wanted[:, 1]] = np.arange(first, self._number)

    def _make_room(self, searches: Searches) -> Searches:
        """Make room for twice as many parts."""
        self._sides = [side._replace(parts=np.concatenate([side.parts, side.parts])) for side in self._sides]
        rows = np.full([len(side.parts) for side in self._sides], NONE, np.int32)
        rows[tuple(map(slice, self._rows.shape))] = self._rows
        self._rows = rows
        expected, observed, partners, penalties = (np.concatenate([parts, parts], axis=1) for parts in searches[:4])
        return Searches(expected, observed, partners, penalties, searches.progress)


def _make_side(lengths: list[int], is_blank: BoolArray, *, longest_first: bool) -> Side:
    """All lines, and room for twice as many parts."""
    ends = np.cumsum(lengths, dtype=np.int64)
    parts = np.full((2 * len(lengths) + 16, 3), NONE)
    parts[: len(lengths), 0], parts[: len(lengths), 1] = ends - lengths, ends
    heads = np.full(sum(lengths) + 1, NONE)
    heads[parts[: len(lengths), 0]] = np.arange(len(lengths))
    order = np.argsort(np.negative(lengths), kind="stable") if longest_first else np.arange(len(lengths))
    return Side(parts, heads, order, is_blank)


@dataclass(frozen=True)
class FlexibleAccuracy(Metric):
    """Share of characters that are right if lines may be in any order: 1 - errors / characters, 0 at least.

    The two lines with the smallest penalty are matched, the shorter one inside the longer one; the rest of a line is
    matched again, and the final rest was deleted or inserted. Weights of the penalty are tried over a grid,
    and the fewest errors count, or those of the whole texts if they are fewer. Line breaks are not characters.

    As in the program of the authors, whose numbers are published, a line is compared inside a longer one with stretches
    that are a character shorter; and where a line is cut, the character before the match and blanks at the ends of the
    rests do not count. So a merged line mostly costs one error. Substitutions, deletions and insertions are those of
    the stretches; only their sum is published.

    References
    ----------
    Clausner, Pletschacher & Antonacopoulos (2020), Flexible character accuracy measure for reading-order-independent
    evaluation, Pattern Recognition Letters 131, doi 10.1016/j.patrec.2020.02.003; PRImA, `FlexCharacterAccuracy` in
    prima-text.
    """

    text: TextForm = field(default="normalized_lines", kw_only=True)

    columns = ("errors", "length", "substitutions", "deletions", "insertions")
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 5)."""
        counts = pairs.once(count_in_any_order)
        return np.column_stack([counts[:, :3].sum(axis=1), counts[:, 3], counts[:, :3]])

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Accuracy of summed counts, shape (..., 5) -> (...); NaN without a character."""
        errors, length = counts[..., 0], counts[..., 1]
        share = np.full(np.shape(length), np.nan)
        np.divide(errors, length, out=share, where=length > 0)
        accuracy: FloatArray = np.maximum(1 - share, 0)
        return accuracy

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a segment has no error."""
        exact: BoolArray = counts[:, 0] == 0
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "char", "norm": norm, "align": "flexible"}


@dataclass(frozen=True, slots=True)
class FlexibleErrors(Record):
    """Errors of characters if lines may be in any order."""

    accuracy: float  # 1 - errors / n, below 0 where there are more errors than characters
    substitutions: int
    deletions: int
    insertions: int
    n: int  # characters of the reference, without line breaks


def flexible_character_accuracy(reference: str, hypothesis: str) -> FlexibleErrors:
    r"""Compare two texts whose lines may be in any order.

    Parameters
    ----------
    reference, hypothesis : str
        Texts of lines.

    Returns
    -------
    FlexibleErrors
        The accuracy of two empty texts is 1; with an empty reference it is 1 less the characters of the hypothesis.

    Raises
    ------
    InputTypeError
        If a side is not one text.

    References
    ----------
    Clausner, Pletschacher & Antonacopoulos (2020), doi 10.1016/j.patrec.2020.02.003.

    Examples
    --------
    >>> flexible_character_accuracy("first line\nsecond", "second\nfirst 1ine").accuracy
    0.9375
    """
    check_text("reference", reference)
    check_text("hypothesis", hypothesis)
    counts = count_in_any_order(PairedTexts([reference], [hypothesis]))[0].tolist()
    substitutions, deletions, insertions, length = counts
    errors = substitutions + deletions + insertions
    accuracy = 1 - errors / length if length else 1.0 - errors
    return FlexibleErrors(accuracy, substitutions, deletions, insertions, length)

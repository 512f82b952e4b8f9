"""Flexible character accuracy: lines are matched in any order, in part where that is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from misread.alignment import error_counts
from misread.alignment.encode.inputs import check_text
from misread.files.text import split_lines
from misread.metrics.base import Metric, ScoredText, TextForm
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray

# Weights that are tried: of errors, of the difference in length, of the place inside the longer line, of the length.
_WEIGHTS: Final = tuple(product(range(15, 31, 5), range(0, 24, 3), range(4), range(6)))


class _Counts(NamedTuple):
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        return sum(self)

    @property
    def effort(self) -> int:
        """What decides between matches: a substitution is a deletion and an insertion."""
        return self.errors + self.substitutions


class _Match(NamedTuple):
    """Parts of two lines that belong together: start and end in each."""

    reference: tuple[int, int]
    hypothesis: tuple[int, int]
    counts: _Counts


class _Part(NamedTuple):
    """A line, or what is left of one."""

    text: str
    start: int = 0  # in its line


@dataclass(frozen=True)
class FlexibleAccuracy(Metric):
    """Share of characters that are right if lines may stand in any order: 1 - errors / characters, 0 at least.

    Each of the longest lines of the reference is matched with the line of the hypothesis for which a penalty is
    smallest, the shorter one inside the longer one; what is left of a line is matched again, and what is left in the
    end was deleted or inserted. Weights of the penalty are tried over a grid, and the fewest errors count. Line breaks
    are no characters.

    References
    ----------
    Clausner, Pletschacher & Antonacopoulos (2020), Flexible character accuracy measure for reading-order-independent
    evaluation, Pattern Recognition Letters 131, doi 10.1016/j.patrec.2020.02.003.
    """

    text: TextForm = field(default="normalized_lines", kw_only=True)

    columns = ("errors", "length", "substitutions", "deletions", "insertions")
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 5)."""
        counts = np.zeros((len(pairs.references), 5), np.int64)
        for row, (reference, hypothesis) in enumerate(zip(pairs.references, pairs.hypotheses, strict=True)):
            found, length = _match_texts(reference, hypothesis)
            counts[row] = found.errors, length, *found
        return counts

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

    @property
    def size_columns(self) -> tuple[str, ...]:
        """Characters."""
        return ("length",)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "char", "norm": norm, "align": "flexible"}


@dataclass(frozen=True, slots=True)
class FlexibleErrors(Record):
    """Errors of characters if lines may stand in any order."""

    accuracy: float  # 1 - errors / n, below 0 where there are more errors than characters
    substitutions: int
    deletions: int
    insertions: int
    n: int  # characters of the reference, without line breaks


def flexible_character_accuracy(reference: str, hypothesis: str) -> FlexibleErrors:
    r"""Compare two texts whose lines may stand in any order.

    Parameters
    ----------
    reference, hypothesis : str
        Texts of lines.

    Returns
    -------
    FlexibleErrors
        Of two empty texts the accuracy is 1; of an empty reference it is below 0 by the characters of the hypothesis.

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
    found, length = _match_texts(reference, hypothesis)
    accuracy = 1 - found.errors / length if length else 1.0 - found.errors if found.errors else 1.0
    return FlexibleErrors(accuracy, *found, length)


def _match_texts(reference: str, hypothesis: str) -> tuple[_Counts, int]:
    """The fewest errors over all weights, and the characters of the reference."""
    sides = [[line for line in split_lines(text) if line] for text in (reference, hypothesis)]
    length, found_length = (sum(map(len, lines)) for lines in sides)
    shared = sum((Counter("".join(sides[0])) & Counter("".join(sides[1]))).values())
    fewest = max(length, found_length) - shared
    best: _Counts | None = None
    for weights in _WEIGHTS:
        counts, was_choice = _match_lines(sides[0], sides[1], weights)
        if best is None or counts.errors < best.errors:
            best = counts
        # No weights can do better than characters in any order, or do otherwise where there is nothing to choose.
        if best.errors <= fewest or not was_choice:
            break
    return best or _Counts(0, 0, 0), length


def _match_lines(
    references: Sequence[str], hypotheses: Sequence[str], weights: tuple[int, ...]
) -> tuple[_Counts, bool]:
    """Errors under these weights, and whether there was a choice that others might make in another way."""
    substitutions = deletions = insertions = 0
    was_choice = False
    expected, found = (sorted(map(_Part, lines), key=_longest_first) for lines in (references, hypotheses))
    while expected and found:
        # Not the longest alone: all that are as long as the shorter of both longest lines.
        least = min(len(expected[0].text), len(found[0].text))
        was_choice |= len(found) > 1
        best: tuple[float, _Part, _Part, _Match] | None = None
        for part in expected:
            if len(part.text) < least:
                break
            other, match = min(
                ((other, _match_parts(part.text, other.text)) for other in found),
                key=lambda pair: _penalty(part, pair[0], pair[1], weights),
            )
            share = _error_share(match)
            if best is None or share < best[0]:
                best = share, part, other, match
            if share == 0:
                break
        if best is None:
            break
        _, part, other, match = best
        substitutions += match.counts.substitutions
        deletions += match.counts.deletions
        insertions += match.counts.insertions
        _take_out(expected, part, match.reference)
        _take_out(found, other, match.hypothesis)
    left, added = (sum(len(part.text) for part in parts) for parts in (expected, found))
    return _Counts(substitutions, deletions + left, insertions + added), was_choice


def _longest_first(part: _Part) -> int:
    return -len(part.text)


def _error_share(match: _Match) -> float:
    return match.counts.errors / (match.reference[1] - match.reference[0])


def _penalty(part: _Part, other: _Part, match: _Match, weights: tuple[int, ...]) -> float:
    """Section 3 of the paper; a place at the ends of the longer line is better than one in its middle."""
    errors, difference, place, length = weights
    longer = abs(len(part.text) - len(other.text))
    offset = 0.0
    if longer > 1:
        offset = longer / 2 - abs(max(match.reference[0], match.hypothesis[0]) - longer / 2)
    shorter = min(len(part.text), len(other.text))
    return match.counts.effort * errors + longer * difference + offset * place - shorter * length


def _take_out(parts: list[_Part], part: _Part, taken: tuple[int, int]) -> None:
    """Replace a part by what is left of it before and after."""
    parts.remove(part)
    start, end = taken
    left = [_Part(part.text[:start], part.start), _Part(part.text[end:], part.start + end)]
    parts += [each for each in left if each.text]
    parts.sort(key=_longest_first)


@lru_cache(maxsize=1 << 16)
def _match_parts(reference: str, hypothesis: str) -> _Match:
    """The shorter of two texts at the place in the longer one where it fits best; or nothing of the hypothesis."""
    shorter = min(len(reference), len(hypothesis))
    places = [*_windows(len(reference), len(hypothesis), shorter), ((0, len(reference)), (0, len(hypothesis)))]
    best = _choose(reference, hypothesis, places, shorter)
    if best is not None and (more := best.counts.deletions + best.counts.substitutions):
        # Deletions at its end may be those of a longer part.
        (start, end), (other, _) = best.reference, best.hypothesis
        sizes = range(end - start + 1, end - start + more + 1)
        places = [
            ((start, min(start + size, len(reference))), (other, min(other + size, len(hypothesis)))) for size in sizes
        ]
        longer = _choose(reference, hypothesis, places, shorter)
        best = longer if longer is not None and longer.counts.effort < best.counts.effort else best
    if best is None or len(reference) < best.counts.effort:
        return _Match((0, len(reference)), (0, 0), _Counts(0, len(reference), 0))
    return best


def _windows(reference: int, hypothesis: int, shorter: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for place in range(abs(reference - hypothesis) + 1):
        window, whole = (place, place + shorter), (0, shorter)
        yield (window, whole) if reference >= hypothesis else (whole, window)


def _choose(
    reference: str, hypothesis: str, places: Sequence[tuple[tuple[int, int], tuple[int, int]]], shorter: int
) -> _Match | None:
    """The first of the matches of least effort; None if in all of them nothing is right."""
    counts = error_counts(
        [reference[start:end] for (start, end), _ in places], [hypothesis[start:end] for _, (start, end) in places]
    )
    effort = counts.errors + counts.substitutions
    effort[counts.substitutions >= shorter] = np.iinfo(np.int64).max
    row = int(effort.argmin())
    if counts.substitutions[row] >= shorter:
        return None
    found = (counts.substitutions[row], counts.deletions[row], counts.insertions[row])
    return _Match(*places[row], _Counts(*map(int, found)))

"""Errors of characters where the lines of a text may stand in any order, in part where that is better."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Final

import numpy as np

from misread.alignment import PairedTexts, fit_parts
from misread.alignment.encode.texts import EncodedPairs, EncodedTexts, encode_pairs
from misread.alignment.fitted_parts import COLUMNS, take_pairs
from misread.alignment.kernels.line_kinds import CARRIAGE_RETURN, LINE_FEED
from misread.alignment.kernels.line_matching import NONE, Matches, Side, match_lines
from misread.compiled.budget import ALIGNING, loaded_above
from misread.files.text import split_lines
from misread.types import BoolArray, IntArray

# Weights that are tried: of errors, of the difference in length, of the place inside the longer line, of the length.
_WEIGHTS: Final = np.array([*product(range(15, 31, 5), range(0, 24, 3), range(4), range(6))])
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
    """Texts without a line feed at their end, and which of them have more than one line, or a carriage return."""
    spans, has_more = side.spans.copy(), np.zeros(len(side.spans), np.bool_)
    breaks = np.flatnonzero((side.codes == LINE_FEED) | (side.codes == CARRIAGE_RETURN))
    rows = np.searchsorted(spans[:, 0], breaks, side="right") - 1
    is_end = (breaks == spans[rows, 1] - 1) & (side.codes[breaks] == LINE_FEED)
    has_more[rows[~is_end]] = True
    spans[rows[is_end], 1] -= 1
    return EncodedTexts(side.codes, spans), has_more


def _count_lines(lines: EncodedPairs) -> IntArray:
    """Counts of pairs of one line each: the shorter one is found inside the longer one."""
    references, hypotheses = lines.references.lengths, lines.hypotheses.lengths
    counts = np.column_stack([np.zeros_like(references), references, hypotheses, references])
    rows = np.flatnonzero((references > 0) & (hypotheses > 0))
    found = fit_parts(take_pairs(lines, rows))
    counts[rows, :3] = found[:, 4:]
    counts[rows, 1] += references[rows] - (found[:, 1] - found[:, 0])
    counts[rows, 2] += hypotheses[rows] - (found[:, 3] - found[:, 2])
    return counts


def _count_pages(reference: str, hypothesis: str) -> IntArray:
    """Counts of two texts of many lines: the fewest errors over all weights."""
    sides = [[line for line in split_lines(text) if line] for text in (reference, hypothesis)]
    joined = ["".join(lines) for lines in sides]
    shared = sum((Counter(joined[0]) & Counter(joined[1])).values())
    # No weights can do better than characters in any order.
    fewest = max(map(len, joined)) - shared
    best = np.array([0, NONE, NONE, NONE, fewest])
    search = _Search(encode_pairs(joined[:1], joined[1:], "char"), [[len(line) for line in lines] for lines in sides])
    with loaded_above(ALIGNING, _LINE_SECONDS * len(sides[0]) * len(sides[1])):
        search.run(best)
    return np.array([*best[1:4], len(joined[0])])


class _Search:
    """What is known of the parts of two texts, under whatever weights."""

    def __init__(self, texts: EncodedPairs, lengths: list[list[int]]) -> None:
        self._texts = texts
        self._sides = [_make_side(of) for of in lengths]
        self._sizes = np.array([*map(len, lengths)])
        self._rows = np.full([len(side.parts) for side in self._sides], NONE, np.int32)
        self._found = np.empty((64, COLUMNS), np.int64)
        self._number = 0

    def run(self, best: IntArray) -> None:
        """Try all weights; `best` as `match_lines` takes it."""
        while best[0] < len(_WEIGHTS):
            first, other = self._sides
            wanted = match_lines(first, other, Matches(self._rows, self._found), _WEIGHTS, best, self._sizes)
            if len(wanted):
                self._add(wanted)
            elif best[0] < len(_WEIGHTS):
                self._make_places()

    def _add(self, wanted: IntArray) -> None:
        """Find the matches of these pairs of parts."""
        first, self._number = self._number, self._number + len(wanted)
        if self._number > len(self._found):
            self._found = np.concatenate([self._found, np.empty((self._number, COLUMNS), np.int64)])
        references, hypotheses = (
            EncodedTexts(texts.codes, side.parts[parts, :2])
            for texts, side, parts in zip(
                (self._texts.references, self._texts.hypotheses), self._sides, wanted.T, strict=True
            )
        )
        shared = np.zeros(len(wanted), np.int64)
        parts = EncodedPairs(references, hypotheses, self._texts.alphabet_size, shared)
        self._found[first : self._number] = fit_parts(parts)
        self._rows[wanted[:, 0], wanted[:, 1]] = np.arange(first, self._number)

    def _make_places(self) -> None:
        """Make places for twice as many parts."""
        self._sides = [side._replace(parts=np.concatenate([side.parts, side.parts])) for side in self._sides]
        rows = np.full([len(side.parts) for side in self._sides], NONE, np.int32)
        rows[tuple(map(slice, self._rows.shape))] = self._rows
        self._rows = rows


def _make_side(lengths: list[int]) -> Side:
    """All lines, and places for twice as many parts."""
    ends = np.cumsum(lengths, dtype=np.int64)
    parts = np.full((2 * len(lengths) + 16, 3), NONE)
    parts[: len(lengths), 0], parts[: len(lengths), 1] = ends - lengths, ends
    heads = np.full(sum(lengths) + 1, NONE)
    heads[parts[: len(lengths), 0]] = np.arange(len(lengths))
    return Side(parts, heads, np.argsort(np.negative(lengths), kind="stable"))

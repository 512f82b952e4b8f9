"""Boxes with texts, matched by where they are: detection, and detection and reading end to end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np

from misread.alignment import PairedTexts
from misread.data.formats.text_boxes import DO_NOT_CARE, BoxRow, parse_boxes
from misread.errors import ConfigurationError, InputValueError
from misread.io.checks.numbers import check_number
from misread.metrics.base import InputKind, Metric, ScoredText
from misread.metrics.precision_recall import MatchScore, match_score
from misread.types import BoolArray, FloatArray, IntArray

# Numbers are floats, or fractions where these are not exact enough.
_Number = Any
_Point = tuple[_Number, _Number]

# One of them at either end of a reference may be left out.
_SIGNS: Final = "!?.:,*\"()·[]/'"
_HALF: Final = Fraction(1, 2)
_NEARLY: Final = 1e-9
_FARTHEST: Final = 10_000_000  # pixels


class _Box(NamedTuple):
    corners: tuple[_Point, ...]
    text: str
    left: _Number
    top: _Number
    right: _Number
    bottom: _Number


@dataclass(frozen=True)
class BoxMatch(Metric):
    """Precision, recall or F1 of boxes, in files with four or eight coordinates and a text on each line.

    Each box of the reference takes the first of the hypothesis, in the order of the file, that overlaps it by more than
    `overlap` and is not taken yet. End to end, it is right if the texts are equal without case, too; one sign at either
    end of the reference may be missing. Boxes of the reference with the text ### do not count, nor do those of the
    hypothesis that lie in one of these by more than half.

    Parameters
    ----------
    score : {"precision", "recall", "f1"}
        Right boxes over those of the hypothesis, over those of the reference, or the harmonic mean of both.
    texts : {"equal", "any"}
        Whether texts have to be equal, or only places count.
    overlap : float
        Share of the intersection in the union of two boxes, above which they are one.

    Raises
    ------
    ConfigurationError
        If `overlap` is not in [0, 1).

    References
    ----------
    Karatzas et al. (2015), ICDAR 2015 Competition on Robust Reading, tasks 4.1 and 4.4, without lexicons.
    """

    score: MatchScore = "f1"
    texts: Literal["equal", "any"] = "equal"
    overlap: float = 0.5

    columns = ("matches", "reference_boxes", "hypothesis_boxes", "compared")
    input_kind: ClassVar[InputKind] = "markup"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= check_number("overlap", self.overlap) < 1:
            raise ConfigurationError(f"overlap of {self.id} is {self.overlap}, expected 0 or more, below 1.")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 4); zeros for an unusable reference."""
        unusable = self.problems(pairs.references)
        for row, text in enumerate(pairs.hypotheses):
            if row not in unusable:
                _read(text, f"{pairs.name(row)}: ")
        counts: IntArray = pairs.once(_count_all, self.overlap)[:, [int(self.texts == "any"), 2, 3, 4]]
        return counts

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        """Problems of references, by position."""
        problems = {}
        for row, reference in enumerate(references):
            try:
                _read(reference)
            except InputValueError as error:
                problems[row] = str(error)
        return problems

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 4) -> (...); NaN if no file was compared."""
        scores = match_score(self.score, *np.moveaxis(counts[..., :-1], -1, 0))
        return np.where(counts[..., -1] > 0, scores, np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether all boxes of both sides are right."""
        exact: BoolArray = (counts[:, :-1] == counts[:, :1]).all(axis=1)
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, how much boxes overlap, whether texts count, normalizer."""
        return {"unit": "box", "align": f"iou>{self.overlap:g}", "rules": f"text-{self.texts}", "norm": norm}


def _count_all(pairs: PairedTexts, overlap: float) -> IntArray:
    """Counts of boxes, shape (segments, 5): found with the right text, found, of the reference, of the hypothesis.

    The last column is 1 where the segment was compared, else 0.
    """
    rows = []
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        try:
            expected = _read(reference)
        except InputValueError:
            # `problems` reports this reference.
            rows.append((0, 0, 0, 0, 0))
            continue
        rows.append((*_count(expected, _read(hypothesis), Fraction(str(overlap))), 1))
    return np.array(rows, dtype=np.int64).reshape(len(rows), 5)


def _count(references: Sequence[_Box], hypotheses: Sequence[_Box], limit: Fraction) -> tuple[int, int, int, int]:
    ignored = [box for box in references if box.text == DO_NOT_CARE]
    expected = [box for box in references if box.text != DO_NOT_CARE]
    free = [box for box in hypotheses if not any(_exceeds(box, other, _HALF, of_union=False) for other in ignored)]
    hypothesis_boxes, matches = len(free), list[bool]()
    for box in expected:
        match = next((other for other in free if _exceeds(box, other, limit)), None)
        if match is not None:
            free.remove(match)
            matches.append(_is_read(box.text, match.text))
    return sum(matches), len(matches), len(expected), hypothesis_boxes


def _is_read(reference: str, hypothesis: str) -> bool:
    """Whether a text is that of the reference, but for case and one sign at either end."""
    expected = reference.upper()
    begins, ends = (bool(sign) and sign in _SIGNS for sign in (expected[:1], expected[-1:]))
    accepted = {expected, expected[begins:], expected[: len(expected) - ends], expected[begins : len(expected) - ends]}
    return hypothesis.upper() in accepted


def _read(text: str, where: str = "") -> list[_Box]:
    """Boxes of a text; InputValueError, which begins with `where` and names the line, for other lines."""
    rows = parse_boxes(text, where, alone=True, error=InputValueError)
    return [_make_box(_take_corners(row, where), row.text) for row in rows]


def _make_box(corners: tuple[_Point, ...], text: str) -> _Box:
    x, y = zip(*corners, strict=True)
    return _Box(corners, text, min(x), min(y), max(x), max(y))


def _take_corners(row: BoxRow, where: str) -> tuple[_Point, ...]:
    """Corners around a box; raises InputValueError if its sides cross."""
    numbers = list(map(Fraction, row.coordinates))
    if max(map(abs, numbers)) > _FARTHEST:
        raise InputValueError(f"{where}line {row.line}: a corner is more than {_FARTHEST:,} pixels away.")
    if len(numbers) == 4:
        left, top, right, bottom = numbers
        return (left, top), (right, top), (right, bottom), (left, bottom)
    first, second, third, fourth = corners = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if _cross(first, second, third, fourth) or _cross(second, third, fourth, first):
        raise InputValueError(
            f"{where}line {row.line}: the sides of the box cross; give its corners one after the other around it."
        )
    return corners


def _cross(first: _Point, second: _Point, third: _Point, fourth: _Point) -> bool:
    """Whether the lines between the first two and the last two points meet inside of both."""
    ends = ((first, second, third, fourth), (third, fourth, first, second))
    return all(_turn(start, end, one_side) * _turn(start, end, other) < 0 for start, end, one_side, other in ends)


def _turn(start: _Point, end: _Point, point: _Point) -> _Number:
    """Twice the area of a triangle; below 0 where its corners go round the other way."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def _exceeds(box: _Box, other: _Box, limit: Fraction, *, of_union: bool = True) -> bool:
    """Whether boxes overlap by more than a share of their union, or of the first one."""
    if box.right <= other.left or other.right <= box.left or box.bottom <= other.top or other.bottom <= box.top:
        return False
    return _exceeds_inside(box.corners, other.corners, limit, of_union)


@lru_cache(maxsize=1 << 16)
def _exceeds_inside(box: tuple[_Point, ...], other: tuple[_Point, ...], limit: Fraction, of_union: bool) -> bool:
    """The same of boxes that are near each other; a system may repeat them."""
    left, top = box[0]
    near, other_near = ([(float(x - left), float(y - top)) for x, y in corners] for corners in (box, other))
    excess, size = _find_excess(near, other_near, float(limit), of_union=of_union)
    if abs(excess) <= _NEARLY * size:
        # Too near for floats.
        excess, _ = _find_excess(box, other, limit, of_union=of_union)
    return bool(excess > 0)


def _find_excess(
    box: Sequence[_Point], other: Sequence[_Point], limit: _Number, *, of_union: bool
) -> tuple[_Number, _Number]:
    """How far twice the area of an intersection is above a share of twice another area, and that area."""
    areas = [abs(sum(_turn(corners[0], *side) for side in pairwise(corners[1:]))) for corners in (box, other)]
    shared = abs(
        sum(
            sign * other_sign * _shared_area(triangle, other_triangle)
            for sign, triangle in _triangles(box)
            for other_sign, other_triangle in _triangles(other)
        )
    )
    whole = sum(areas) - shared if of_union else areas[0]
    return shared - limit * whole, whole


def _triangles(corners: Sequence[_Point]) -> Iterator[tuple[int, tuple[_Point, _Point, _Point]]]:
    """Triangles that go round alike and, by their signs, sum to a polygon."""
    for second, third in pairwise(corners[1:]):
        turn = _turn(corners[0], second, third)
        if turn:
            yield (1, (corners[0], second, third)) if turn > 0 else (-1, (corners[0], third, second))


def _shared_area(triangle: Sequence[_Point], other: Sequence[_Point]) -> _Number:
    """Twice the area of an intersection, cut off side by side (Sutherland & Hodgman 1974)."""
    left: list[_Point] = list(triangle)
    for start, end in pairwise([*other, other[0]]):
        turns = [_turn(start, end, point) for point in left]
        cut: list[_Point] = []
        for row, (point, turn) in enumerate(zip(left, turns, strict=True)):
            following, next_turn = left[row - len(left) + 1], turns[row - len(left) + 1]
            if turn >= 0:
                cut.append(point)
            if turn * next_turn < 0:
                share = turn / (turn - next_turn)
                cut.append((point[0] + share * (following[0] - point[0]), point[1] + share * (following[1] - point[1])))
        left = cut
    return sum(_turn(left[0], second, third) for second, third in pairwise(left[1:])) if left else 0

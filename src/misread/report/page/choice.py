"""Segments of a large data set that the page looks at: the worst, those that a table names, and a sample."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import numpy as np

from misread.data.segment_table import take
from misread.normalize.normalized_texts import NormalizedTexts
from misread.report.report_input import SegmentTexts
from misread.tally.alignments import SegmentAlignments
from misread.text.arrow_numpy import to_column, to_flags, to_numpy
from misread.types import IntArray

WORST: Final = 40_000
"""Segments on which systems disagree most, or with most errors."""

SAMPLE: Final = 10_000
"""Segments drawn from the others; the same ones on every run."""


def choose_segments(
    texts: Mapping[str, SegmentTexts], alignments: Mapping[str, SegmentAlignments], named: Collection[str]
) -> tuple[dict[str, NormalizedTexts], dict[str, SegmentAlignments], int]:
    """Texts and alignments of the chosen segments, in their order, and how many segments there are in all.

    All are chosen where there are no more than the worst and the sample.
    """
    ids = _all_ids([of.segments.segment_id for of in texts.values()])
    if len(ids) <= WORST + SAMPLE:
        return {system: of.take(range(len(of.segments))) for system, of in texts.items()}, dict(alignments), len(ids)
    order = _by_interest(ids, alignments)
    drawn = random.Random(0).sample(range(WORST, len(order)), SAMPLE)  # noqa: S311  a sample to look at, not a secret
    chosen = {*take(ids, order[:WORST]), *take(ids, order[drawn]), *named}
    return (
        {system: of.take(_rows_in(of.segments.segment_id, chosen)) for system, of in texts.items()},
        {system: _take_alignments(of, _rows_in(of.segment_id, chosen)) for system, of in alignments.items()},
        len(ids),
    )


def _all_ids(of_systems: Sequence[Sequence[str]]) -> Sequence[str]:
    """Ids of the segments that any system has, in the order of the first, with further ones at the end."""
    if of_systems and all(ids == of_systems[0] for ids in of_systems):
        return of_systems[0]
    return list(dict.fromkeys(chain.from_iterable(of_systems)))


def _by_interest(ids: Sequence[str], alignments: Mapping[str, SegmentAlignments]) -> IntArray:
    """Places of all segments, most interesting first, as `SegmentView.interest` orders them."""
    size = len(ids)
    most, total, length, systems = (np.zeros(size, np.int64) for _ in range(4))
    least = np.full(size, np.iinfo(np.int64).max)
    for of in alignments.values():
        here = _places(of.segment_id, ids)
        errors, units = _count(of.characters)
        most[here] = np.maximum(most[here], errors)
        least[here] = np.minimum(least[here], errors)
        total[here] += errors
        length[here] = units
        systems[here] += 1
    disagreement = np.where(systems > 1, most - least, most)
    order: IntArray = np.lexsort((length, -total, -disagreement))
    return order


def _places(segment_ids: Sequence[str], ids: Sequence[str]) -> IntArray:
    """Where these segments are among all."""
    if segment_ids == ids:
        return np.arange(len(ids))
    places = {key: place for place, key in enumerate(ids)}
    return np.fromiter(map(places.__getitem__, segment_ids), np.int64, len(segment_ids))


def _count(letters: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Errors, and units of the reference, of every segment."""
    import pyarrow as pa
    import pyarrow.compute as pc

    strings = to_column(letters, pa.large_string())

    def count(letter: str) -> IntArray:
        return to_numpy(pc.count_substring(strings, letter)).astype(np.int64)

    number = to_numpy(pc.binary_length(strings)).astype(np.int64)
    return number - count("C"), number - count("I") + count("T")


def _rows_in(segment_ids: Sequence[str], chosen: Collection[str]) -> IntArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    ids, among = (to_column(each, pa.large_string()) for each in (segment_ids, list(chosen)))
    return np.flatnonzero(to_flags(pc.is_in(ids, among)))


def _take_alignments(alignments: SegmentAlignments, rows: IntArray) -> SegmentAlignments:
    return replace(
        alignments,
        segment_id=take(alignments.segment_id, rows),
        characters=take(alignments.characters, rows),
        words=take(alignments.words, rows),
    )

"""Segments of a large data set that the page shows: the worst, those that a table names, and a sample."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import numpy as np

from misread.data.segment_table import take
from misread.io.stored_columns import release_memory
from misread.normalize.normalized_texts import NormalizedTexts
from misread.report.report_input import SegmentTexts
from misread.tally.alignments import SegmentAlignments
from misread.text.arrow import AT_A_TIME
from misread.text.arrow_numpy import to_column, to_flags, to_numpy
from misread.types import IntArray

WORST: Final = 8_000
"""Number of segments on which systems disagree most, or with most errors."""

SAMPLE: Final = 2_000
"""Number of segments drawn from the others; the same ones on every run."""


def choose_segments(
    texts: Mapping[str, SegmentTexts], alignments: Mapping[str, SegmentAlignments], named_ids: Collection[str]
) -> tuple[dict[str, NormalizedTexts], dict[str, SegmentAlignments], int]:
    """Texts and alignments of the chosen segments, in order, and the total number of segments.

    All segments are chosen if there are at most `WORST + SAMPLE`. Alignments may stay in their files: those of a few
    thousand segments are read at a time.
    """
    ids = _all_ids(system_texts.segments.segment_id for system_texts in texts.values())
    if len(ids) <= WORST + SAMPLE:
        return (
            {system: system_texts.take(range(len(system_texts.segments))) for system, system_texts in texts.items()},
            {system: _take_alignments(alignments[system]) for system in texts},
            len(ids),
        )
    order = _by_interest(len(ids), (_count(alignments[system], ids) for system in texts))
    drawn = random.Random(0).sample(range(WORST, len(order)), SAMPLE)  # noqa: S311  a sample to look at, not a secret
    chosen = {*take(ids, order[:WORST]), *take(ids, order[drawn]), *named_ids}
    # Of all segments that were read and sorted.
    release_memory()
    return (
        {
            system: system_texts.take(_rows_in(system_texts.segments.segment_id, chosen))
            for system, system_texts in texts.items()
        },
        {system: _take_alignments(alignments[system], chosen) for system in texts},
        len(ids),
    )


def _all_ids(ids_by_system: Iterable[Sequence[str]]) -> Sequence[str]:
    """Ids of the segments of any system, in the order of the first system, with further ones at the end."""
    all_ids: Sequence[str] = ()
    for ids in ids_by_system:
        if not all_ids:
            all_ids = ids
        elif all_ids != ids:
            all_ids = list(dict.fromkeys(chain(all_ids, ids)))
    return all_ids


def _by_interest(size: int, counts: Iterable[tuple[IntArray, IntArray, IntArray]]) -> IntArray:
    """Positions of all segments, most interesting first, in the order of `SegmentView.interest`.

    `counts` are, of each system, the positions of its segments, and their errors and units.
    """
    most, total, length, systems = (np.zeros(size, np.int64) for _ in range(4))
    least = np.full(size, np.iinfo(np.int64).max)
    for positions, errors, units in counts:
        most[positions] = np.maximum(most[positions], errors)
        least[positions] = np.minimum(least[positions], errors)
        total[positions] += errors
        length[positions] = units
        systems[positions] += 1
    disagreement = np.where(systems > 1, most - least, most)
    order: IntArray = np.lexsort((length, -total, -disagreement))
    return order


def _places(segment_ids: Sequence[str], ids: Sequence[str]) -> IntArray:
    """Positions of these segments among all ids."""
    if segment_ids == ids:
        return np.arange(len(ids))
    places = {key: position for position, key in enumerate(ids)}
    return np.fromiter(map(places.__getitem__, segment_ids), np.int64, len(segment_ids))


def _count(alignments: SegmentAlignments, ids: Sequence[str]) -> tuple[IntArray, IntArray, IntArray]:
    """Positions of all segments among the ids, their errors, and their reference units, in characters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    errors, units = np.empty((2, len(alignments.characters)), np.int64)
    for start in range(0, len(errors), AT_A_TIME):
        rows = range(start, min(start + AT_A_TIME, len(errors)))
        letters = to_column(take(alignments.characters, rows), pa.large_string())
        number = to_numpy(pc.binary_length(letters))
        correct, inserted, exchanged = (to_numpy(pc.count_substring(letters, letter)) for letter in "CIT")
        errors[rows.start : rows.stop] = number - correct
        units[rows.start : rows.stop] = number - inserted + exchanged
    return _places(alignments.segment_id, ids), errors, units


def _rows_in(segment_ids: Sequence[str], chosen: Collection[str]) -> IntArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    ids, among = (to_column(column, pa.large_string()) for column in (segment_ids, list(chosen)))
    return np.flatnonzero(to_flags(pc.is_in(ids, among)))


def _take_alignments(alignments: SegmentAlignments, chosen: Collection[str] | None = None) -> SegmentAlignments:
    """Alignments of the chosen segments, or of all, in memory."""
    ids = alignments.segment_id
    rows = range(len(ids)) if chosen is None else _rows_in(ids, chosen)
    return replace(
        alignments,
        segment_id=take(ids, rows),
        characters=take(alignments.characters, rows),
        words=take(alignments.words, rows),
    )

"""Segments of a large data set that the page looks at: the worst, those that a table names, and a sample."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import numpy as np

from misread.records import NormalizedTexts, SegmentAlignments, take
from misread.text.arrow import ArrowTexts
from misread.types import IntArray

WORST: Final = 40_000
"""Segments on which systems disagree most, or with most errors."""

SAMPLE: Final = 10_000
"""Segments drawn from the others; the same ones on every run."""


def choose_segments(
    texts: Mapping[str, NormalizedTexts], alignments: Mapping[str, SegmentAlignments], named: Collection[str]
) -> tuple[dict[str, NormalizedTexts], dict[str, SegmentAlignments], int]:
    """Texts and alignments of the chosen segments, in their order, and how many segments there are in all.

    All are chosen where there are no more than the worst and the sample.
    """
    ids = list(dict.fromkeys(chain.from_iterable(of.segments.segment_id for of in texts.values())))
    if len(ids) <= WORST + SAMPLE:
        return dict(texts), dict(alignments), len(ids)
    places = {key: place for place, key in enumerate(ids)}
    order = _by_interest(places, alignments)
    rest = order[WORST:].tolist()
    drawn = random.Random(0).sample(rest, SAMPLE)  # noqa: S311  a sample to look at, not a secret
    chosen = {ids[place] for place in (*order[:WORST].tolist(), *drawn)}.union(named)
    return (
        {system: of.take(_rows_in(of.segments.segment_id, chosen)) for system, of in texts.items()},
        {system: _take_alignments(of, _rows_in(of.segment_id, chosen)) for system, of in alignments.items()},
        len(ids),
    )


def _by_interest(places: Mapping[str, int], alignments: Mapping[str, SegmentAlignments]) -> IntArray:
    """Places of all segments, most interesting first, as `SegmentView.interest` orders them."""
    size = len(places)
    most, total, length, systems = (np.zeros(size, np.int64) for _ in range(4))
    least = np.full(size, np.iinfo(np.int64).max)
    for of in alignments.values():
        here = np.fromiter(map(places.__getitem__, of.segment_id), np.int64, len(of.segment_id))
        errors, units = _count(of.characters)
        most[here] = np.maximum(most[here], errors)
        least[here] = np.minimum(least[here], errors)
        total[here] += errors
        length[here] = units
        systems[here] += 1
    disagreement = np.where(systems > 1, most - least, most)
    order: IntArray = np.lexsort((length, -total, -disagreement))
    return order


def _count(letters: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Errors, and units of the reference, of every segment."""
    import pyarrow as pa

    data, bounds = ArrowTexts.of(pa.array(letters, pa.large_string())).encoded()
    begin = bounds[0]

    def add_up(counted: IntArray) -> IntArray:
        sums = np.concatenate([[0], np.cumsum(counted, dtype=np.int64)])
        added: IntArray = np.diff(sums[bounds - begin])
        return added

    of_all = data[begin : bounds[-1]]
    is_swap = of_all == ord("T")
    return add_up(of_all != ord("C")), add_up((of_all != ord("I")) + is_swap.astype(np.int64))


def _rows_in(segment_ids: Sequence[str], chosen: Collection[str]) -> list[int]:
    return [row for row, key in enumerate(segment_ids) if key in chosen]


def _take_alignments(alignments: SegmentAlignments, rows: Sequence[int]) -> SegmentAlignments:
    return replace(
        alignments,
        segment_id=take(alignments.segment_id, rows),
        characters=take(alignments.characters, rows),
        words=take(alignments.words, rows),
    )

"""Counts of several systems on the same segments in the same order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from misread.data.segment_table import SegmentKeys, take
from misread.errors import UndefinedResultError
from misread.metrics import Metric
from misread.stats.bootstrap.resampling import cluster_rows
from misread.tally.alignments import Alignments
from misread.tally.scores import Counts, RunCounts, Scores
from misread.text.arrow import ArrowTexts
from misread.text.lazy_mapping import LazyMapping
from misread.text.lazy_texts import DeferredTexts, ascending_rows
from misread.types import IntArray

_Table = TypeVar("_Table", Counts, SegmentKeys)

LENGTH_COLUMN = "length"
_FEWEST_SEGMENTS = 10


def number_labels(labels: Sequence[str]) -> tuple[list[str], IntArray]:
    """Distinct labels in ascending order, and for each entry the index of its label."""
    labels = labels.values if isinstance(labels, DeferredTexts) else labels
    if isinstance(labels, ArrowTexts):
        return labels.numbered()
    names = sorted(set(labels))
    numbers = {name: number for number, name in enumerate(names)}
    return names, np.fromiter(map(numbers.__getitem__, labels), np.int64, len(labels))


def _take_counts(counts: Mapping[str, Counts], rows: IntArray, metric: str) -> Counts:
    return counts[metric].take(rows)


@dataclass(frozen=True)
class SharedSegments:
    """Counts of several systems on the segments that all of them have."""

    keys: SegmentKeys  # sorted by segment id, so that no result depends on the order of the input
    counts: Mapping[str, Mapping[str, Counts]]  # by system and metric
    cluster_codes: IntArray | None  # index of each segment's cluster among the sorted names, shape (segments,)
    cluster_name: str  # name of the kind of cluster; empty if there are none
    excluded: int  # segments of the data set that at least one system lacks
    operations: Alignments = field(default_factory=dict)  # alignments by system and metric, if stored
    runs: Mapping[str, RunCounts] = field(default_factory=dict)  # by system, for systems with several runs
    scale: int = 1  # number of runs that counts sum over, equal for all systems

    def own_counts(self, system: str, metric: str) -> IntArray:
        """Counts of a system summed over its own number of runs, shape (segments, columns)."""
        runs = len(self.runs[system].runs) if system in self.runs else 1
        counts = self.counts[system][metric].values
        return counts if runs == self.scale else counts * runs // self.scale

    def unit_counts(self, system: str, metric: str) -> IntArray:
        """Cached counts of every resampling unit, shape (units, columns); segments with equal codes form a unit."""
        if (system, metric) not in self._unit_counts:
            counts = self.counts[system][metric].values
            self._unit_counts[system, metric] = cluster_rows(counts, self.cluster_codes)
        return self._unit_counts[system, metric]

    @cached_property
    def _unit_counts(self) -> dict[tuple[str, str], IntArray]:
        return {}

    @cached_property
    def unit_codes(self) -> IntArray:
        """Index of each segment's unit, shape (segments,)."""
        if self.cluster_codes is None:
            return np.arange(len(self.keys))
        numbers: IntArray = np.cumsum(np.bincount(self.cluster_codes) > 0) - 1
        return numbers[self.cluster_codes]

    @cached_property
    def clusters(self) -> int | None:
        """Number of clusters; None if the data set has none."""
        return None if self.cluster_codes is None else int(np.count_nonzero(np.bincount(self.cluster_codes)))

    @property
    def resampling_unit(self) -> str:
        """Unit of draws: the name of the clusters if there are any, else "segment"."""
        return self.cluster_name or "segment"

    @property
    def units(self) -> int:
        """Number of resampling units."""
        return len(self.keys) if self.clusters is None else self.clusters

    @cached_property
    def unit_names(self) -> Sequence[str]:
        """Names of the units in the order of their counts: clusters, or ids of segments."""
        return self.keys.segment_id if self.keys.cluster is None else number_labels(self.keys.cluster)[0]

    def codes(self, column: str) -> IntArray:
        """Index of each segment's group in one column, by sorted names, shape (segments,)."""
        return number_labels(self.keys.groups[column])[1]

    def split(self, group: str) -> Iterator[tuple[str, SharedSegments]]:
        """Every group of one column with its segments, by name."""
        names, codes = number_labels(self.keys.groups[group])
        ends = np.cumsum(np.bincount(codes, minlength=len(names)))
        for name, rows in zip(names, np.split(np.argsort(codes, kind="stable"), ends[:-1]), strict=True):
            yield name, self._take(rows)

    def without(self, unit: int) -> SharedSegments:
        """The segments without one unit, given by its index in `unit_names`."""
        rest = self._take(np.flatnonzero(self.unit_codes != unit))
        if self.cluster_codes is not None:
            # Sums of clusters are found without the counts of segments, which few tests need.
            keys = ((system, metric) for system, counts in self.counts.items() for metric in counts)
            sums = {key: np.delete(self.unit_counts(*key), unit, axis=0) for key in keys}
            rest._unit_counts.update(sums)  # noqa: SLF001  of the same class
        return rest

    def only(self, systems: Sequence[str], metric: str) -> SharedSegments:
        """The counts of these systems in one metric, in this order."""
        runs = {
            system: replace(run_counts, counts={metric: run_counts.counts[metric]})
            for system, run_counts in self.runs.items()
            if system in systems
        }
        return replace(self, counts={system: {metric: self.counts[system][metric]} for system in systems}, runs=runs)

    def with_length_groups(self, metrics: Sequence[Metric], classes: int) -> SharedSegments:
        """Add a group column `length`: the length of the reference, in classes of about equal size; 0 classes for none.

        The first error rate defines the unit; a segment that was read in several runs has the length of one. There are
        fewer classes if one would have less than 10 segments or lengths are equal; nothing is added if only one class
        is left, or the data set has a column of that name.
        """
        measuring = next((metric for metric in metrics if {"errors", "length"} <= set(metric.columns)), None)
        if measuring is None or LENGTH_COLUMN in self.keys.groups:
            return self
        lengths = next(iter(self.counts.values()))[measuring.id]["length"] // self.scale
        names = name_lengths(lengths, min(classes, len(lengths) // _FEWEST_SEGMENTS))
        if len(set(names)) < 2:
            return self
        return replace(self, keys=replace(self.keys, groups={**self.keys.groups, LENGTH_COLUMN: names}))

    def _take(self, rows: IntArray) -> SharedSegments:
        keys = self.keys

        def deferred(column: Sequence[str]) -> Sequence[str]:
            return DeferredTexts(len(rows), partial(take, column, rows))

        return SharedSegments(
            SegmentKeys(
                deferred(keys.segment_id),
                None if keys.cluster is None else deferred(keys.cluster),
                {name: deferred(column) for name, column in keys.groups.items()},
            ),
            {
                system: LazyMapping(counts, partial(_take_counts, counts, rows))
                for system, counts in self.counts.items()
            },
            None if self.cluster_codes is None else self.cluster_codes[rows],
            self.cluster_name,
            0,
            runs={system: run_counts.take(rows) for system, run_counts in self.runs.items()},
            scale=self.scale,
        )


def name_lengths(lengths: IntArray, classes: int) -> list[str]:
    """Name the class of each length by its smallest and largest member, such as "9-40"; classes are quantiles."""
    if classes < 1:
        return [""] * len(lengths)
    borders = np.quantile(lengths, np.arange(1, classes) / classes, method="inverted_cdf")
    codes = np.searchsorted(borders, lengths, side="left")
    names = {}
    for code in np.unique(codes):
        members = lengths[codes == code]
        low, high = int(members.min()), int(members.max())
        names[code] = str(low) if low == high else f"{low}-{high}"
    return [names[code] for code in codes]


def share_segments(scores: Mapping[str, Scores], operations: Alignments | None = None) -> SharedSegments:
    """Restrict the scores of all systems of one data set to the segments that they share.

    Counts of systems with different numbers of runs are scaled to a common number: rates do not change, and counts of
    all systems have equal weight.

    Raises UndefinedResultError for different references or settings, or without a common segment.
    """
    first_name, first = next(iter(scores.items()))
    for name, other in scores.items():
        _require_same_rules(first_name, first, name, other)
    ids = {name: system_scores.segments.segment_id for name, system_scores in scores.items()}
    rows = _common_rows(ids)
    if not len(rows[first_name]):
        raise UndefinedResultError(f"{', '.join(scores)} have no segment in common: there is nothing to compare.")
    keys = _in_order(first.segments, rows[first_name])
    common = keys.segment_id
    for name, other in scores.items():
        _require_same_references(common, first_name, first, rows[first_name], name, other, rows[name])
    is_same = all(segment_ids == ids[first_name] for segment_ids in ids.values())
    everything = len(common) if is_same else len(set().union(*ids.values()))
    left_out = max(system_scores.excluded + len(system_scores.segments) for system_scores in scores.values())
    numbers = {
        name: len(system_scores.runs.runs) if system_scores.runs else 1 for name, system_scores in scores.items()
    }
    scale = math.lcm(*numbers.values())
    return SharedSegments(
        keys,
        {
            name: {
                metric: _times(scale // numbers[name], _in_order(counts, rows[name]))
                for metric, counts in system_scores.counts.items()
            }
            for name, system_scores in scores.items()
        },
        None if keys.cluster is None else number_labels(keys.cluster)[1],
        "" if keys.cluster is None else first.origin.cluster_name or "cluster",
        max(left_out, everything) - len(common),
        {
            name: {metric: take(letters, rows[name]) for metric, letters in (operations or {}).get(name, {}).items()}
            for name in scores
        },
        {name: system_scores.runs.take(rows[name]) for name, system_scores in scores.items() if system_scores.runs},
        scale,
    )


def _in_order(table: _Table, rows: IntArray) -> _Table:
    """These rows of a table; no copy if these are all rows in order."""
    return table if len(rows) == len(table) and np.all(np.diff(rows, prepend=-1) == 1) else table.take(rows)


def _times(factor: int, counts: Counts) -> Counts:
    return counts if factor == 1 else Counts(counts.columns, counts.values * factor)


def _common_rows(ids_of: Mapping[str, Sequence[str]]) -> dict[str, IntArray]:
    """Rows of the segments that all systems have, by their sorted ids."""
    first = next(iter(ids_of.values()))
    if all(ids == first for ids in ids_of.values()):
        return dict.fromkeys(ids_of, ascending_rows(first))
    row_of = {name: {key: row for row, key in enumerate(ids)} for name, ids in ids_of.items()}
    common = sorted(set.intersection(*(set(rows) for rows in row_of.values())))
    return {name: np.array([rows[key] for key in common], np.int64) for name, rows in row_of.items()}


def _require_same_rules(first_name: str, first: Scores, name: str, other: Scores) -> None:
    if first.missing != other.missing:
        raise UndefinedResultError(
            f"{first_name} (missing: {first.missing}) and {name} (missing: {other.missing}) were scored under "
            "different settings; run `dvc repro score` to score both alike."
        )
    for metric, signature in first.signatures.items():
        theirs = other.signatures.get(metric, "not scored")
        if theirs != signature:
            raise UndefinedResultError(
                f"{metric} of {first_name} ({signature}) and of {name} ({theirs}) were scored under different "
                "settings; run `dvc repro score` to score both alike."
            )


def _require_same_references(
    common: Sequence[str],
    first_name: str,
    first: Scores,
    first_rows: IntArray,
    name: str,
    other: Scores,
    rows: IntArray,
) -> None:
    if np.array_equal(first_rows, rows) and first.reference_digest == other.reference_digest:
        return
    for key, first_row, row in zip(common, first_rows.tolist(), rows.tolist(), strict=True):
        if first.reference_digest[first_row] != other.reference_digest[row]:
            raise UndefinedResultError(
                f"segment {key!r} has one reference for {first_name} and another for {name}; "
                "capture both from the same data (`dvc repro`)."
            )

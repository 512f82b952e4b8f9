"""Counts of several systems on the same segments in the same order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from misread.errors import UndefinedResultError
from misread.records import Alignments, Counts, RunCounts, Scores, SegmentKeys
from misread.types import IntArray


@dataclass(frozen=True)
class SharedSegments:
    """Counts of several systems on the segments that all of them have."""

    keys: SegmentKeys  # sorted by segment id, so that no result depends on the order of the input
    counts: Mapping[str, Mapping[str, Counts]]  # by system and metric
    cluster_codes: IntArray | None  # numbers of the clusters by their sorted names, shape (segments,)
    cluster_name: str  # what a cluster is called; empty where there are none
    excluded: int  # segments of the data set that at least one system lacks
    operations: Alignments = field(default_factory=dict)  # alignments by system and metric, where they were kept
    runs: Mapping[str, RunCounts] = field(default_factory=dict)  # by system, of those that have several
    scale: int = 1  # counts are those of so many runs, the same number for all systems

    def own_counts(self, system: str, metric: str) -> IntArray:
        """Counts of a system in the runs that it really has, shape (segments, columns)."""
        runs = len(self.runs[system].runs) if system in self.runs else 1
        return self.counts[system][metric].values * runs // self.scale

    @property
    def clusters(self) -> int | None:
        """Number of clusters; None where the data set has none."""
        return None if self.cluster_codes is None else len(np.unique(self.cluster_codes))

    @property
    def resampling_unit(self) -> str:
        """What is drawn as a whole: the cluster where there is one, else the segment."""
        return self.cluster_name or "segment"

    @property
    def units(self) -> int:
        """Number of resampling units."""
        return len(self.keys) if self.clusters is None else self.clusters

    @property
    def unit_names(self) -> Sequence[str]:
        """Names of the units in the order of their counts: clusters, or ids of segments."""
        return self.keys.segment_id if self.keys.cluster is None else sorted(set(self.keys.cluster))

    def codes(self, column: str) -> IntArray:
        """Numbers of the groups of one column by their sorted names, shape (segments,)."""
        return np.unique(self.keys.groups[column], return_inverse=True)[1].astype(np.int64)

    def split(self, group: str) -> Iterator[tuple[str, SharedSegments]]:
        """Every group of one column with its segments, by name; each value is looked at once."""
        values = self.keys.groups[group]
        names = sorted(set(values))
        numbers = {name: number for number, name in enumerate(names)}
        codes = np.fromiter(map(numbers.__getitem__, values), np.int64, len(values))
        ends = np.cumsum(np.bincount(codes, minlength=len(names)))
        for name, rows in zip(names, np.split(np.argsort(codes, kind="stable"), ends[:-1]), strict=True):
            yield name, self._take(rows)

    def without(self, unit: int) -> SharedSegments:
        """Leave out one unit by its place among `unit_names`."""
        codes = np.arange(len(self.keys)) if self.cluster_codes is None else self.cluster_codes
        return self._take(np.flatnonzero(codes != np.unique(codes)[unit]))

    def only(self, systems: Sequence[str]) -> SharedSegments:
        """Keep the counts of these systems, in this order."""
        runs = {system: of for system, of in self.runs.items() if system in systems}
        return replace(self, counts={system: self.counts[system] for system in systems}, runs=runs)

    def _take(self, rows: IntArray) -> SharedSegments:
        return SharedSegments(
            self.keys.take(rows.tolist()),
            {
                system: {metric: counts.take(rows) for metric, counts in of_metric.items()}
                for system, of_metric in self.counts.items()
            },
            None if self.cluster_codes is None else self.cluster_codes[rows],
            self.cluster_name,
            0,
            runs={system: of.take(rows) for system, of in self.runs.items()},
            scale=self.scale,
        )


def share_segments(scores: Mapping[str, Scores], operations: Alignments | None = None) -> SharedSegments:
    """Bring the scores of all systems of one data set onto the segments that they share.

    Counts of systems with different numbers of runs are brought to those of one number: rates do not change, and a
    count of one system weighs as much as one of another.

    Different references or settings, or no segment in common, are an `UndefinedResultError`.
    """
    first_name, first = next(iter(scores.items()))
    for name, other in scores.items():
        _require_same_rules(first_name, first, name, other)
    rows_of = _common_rows({name: of.segments.segment_id for name, of in scores.items()})
    rows = {name: np.array(of, np.int64) for name, of in rows_of.items()}
    if not rows_of[first_name]:
        raise UndefinedResultError(f"{', '.join(scores)} have no segment in common: there is nothing to compare.")
    keys = first.segments.take(rows_of[first_name])
    common = keys.segment_id
    for name, other in scores.items():
        _require_same_references(common, first_name, first, rows_of[first_name], name, other, rows_of[name])
    everything = set().union(*(of.segments.segment_id for of in scores.values()))
    left_out = max(of.excluded + len(of.segments) for of in scores.values())
    numbers = {name: len(of.runs.runs) if of.runs else 1 for name, of in scores.items()}
    scale = math.lcm(*numbers.values())
    return SharedSegments(
        keys,
        {
            name: {
                metric: _times(scale // numbers[name], counts.take(rows[name])) for metric, counts in of.counts.items()
            }
            for name, of in scores.items()
        },
        None if keys.cluster is None else np.unique(keys.cluster, return_inverse=True)[1].astype(np.int64),
        "" if keys.cluster is None else first.origin.cluster_name or "cluster",
        max(left_out, len(everything)) - len(common),
        {
            name: {metric: _at(letters, rows_of[name]) for metric, letters in (operations or {}).get(name, {}).items()}
            for name in scores
        },
        {name: of.runs.take(rows[name]) for name, of in scores.items() if of.runs},
        scale,
    )


def _times(factor: int, counts: Counts) -> Counts:
    return counts if factor == 1 else Counts(counts.columns, counts.values * factor)


def _at(letters: Sequence[str], rows: Sequence[int]) -> list[str]:
    strings = list(letters)
    return [strings[row] for row in rows]


def _common_rows(ids_of: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """Rows of the segments that all systems have, by their sorted ids."""
    first = next(iter(ids_of.values()))
    if all(ids == first for ids in ids_of.values()):
        return dict.fromkeys(ids_of, sorted(range(len(first)), key=first.__getitem__))
    row_of = {name: {key: row for row, key in enumerate(ids)} for name, ids in ids_of.items()}
    common = sorted(set.intersection(*(set(rows) for rows in row_of.values())))
    return {name: [rows[key] for key in common] for name, rows in row_of.items()}


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
    first_rows: list[int],
    name: str,
    other: Scores,
    rows: list[int],
) -> None:
    if first_rows == rows and first.reference_digest == other.reference_digest:
        return
    for key, first_row, row in zip(common, first_rows, rows, strict=True):
        if first.reference_digest[first_row] != other.reference_digest[row]:
            raise UndefinedResultError(
                f"segment {key!r} has one reference for {first_name} and another for {name}; "
                "capture both from the same data (`dvc repro`)."
            )

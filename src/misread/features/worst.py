"""Table of the segments or clusters that are read worst, with the rate of each system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

import numpy as np

from misread.errors import ConfigurationError, UnknownNameError
from misread.io.checks.choices import check_choice
from misread.metrics import Direction, Metric
from misread.tables import Column, Table, View, ViewInput, in_files, rate_column
from misread.tables.rates_layout import metric_title
from misread.tally.scores import Scores
from misread.text.display import file_stem
from misread.types import IntArray


class WorstRow(NamedTuple):
    """A segment or cluster; rates are by system, without those that it is undefined for."""

    name: str
    length: int | None
    rates: Mapping[str, float]


@dataclass(frozen=True)
class Worst(View):
    """Segments or clusters, worst first, by the mean of the rates of all systems.

    Parameters
    ----------
    by : {"segment", "cluster"}
        Clusters are pages, speakers or whatever the data set names.
    metric : str
        Id of the metric; empty for the first.
    most : int
        How many rows are shown; files have all.
    """

    by: str = "segment"
    metric: str = ""
    most: int = 20

    def __post_init__(self) -> None:
        check_choice("by", self.by, ("segment", "cluster"), where="worst")
        if self.most < 1:
            raise ConfigurationError(f"worst.most is {self.most}, expected 1 or more.")

    def lay_out(self, source: ViewInput) -> Table | None:
        """The table of all systems; None if there is no rate, or no cluster where clusters are asked for."""
        settings = source.settings
        scores = {name: system.scores for name, system in source.scored.items() if system.scores.counts}
        metric = self._metric(next(iter(source.scored.values())).metrics)
        rows = self._rank(scores, metric)
        if not rows:
            return None
        first, title = next(iter(scores.values())), metric_title(metric.id)
        unit = (self.by == "cluster" and first.origin.cluster_name) or self.by
        shown = rows[: self.most]
        return Table(
            stem=file_stem(source.dataset, self.id),
            caption=f"Where {title} on {settings.name(source.dataset)} is worst, by {unit}.",
            columns=[
                in_files("dataset", source.dataset),
                Column(unit, lambda row: row.name, kind="name", name=self.by),
                Column("length", lambda row: row.length, name="length"),
                *(_column(system, source) for system in scores),
            ],
            rows=rows,
            shown=shown,
            segments=[row.name for row in shown] if self.by == "segment" else [],
            notes=[f"{title}, ranked by the mean over systems; {len(shown):,} of {len(rows):,} shown."],
            signature=str(first.signatures[metric.id]),
        )

    def _metric(self, metrics: Sequence[Metric]) -> Metric:
        by_id = {metric.id: metric for metric in metrics}
        if self.metric and self.metric not in by_id:
            raise UnknownNameError("metric", self.metric, by_id, where="worst")
        return by_id[self.metric or metrics[0].id]

    def _rank(self, scores: Mapping[str, Scores], metric: Metric) -> list[WorstRow]:
        """One row per segment or cluster that any system has a rate for."""
        rates: dict[str, dict[str, float]] = {}
        lengths: dict[str, int] = {}
        for system, counted in scores.items():
            counts, keys = counted.counts[metric.id], counted.segments
            labels = keys.segment_id if self.by == "segment" else keys.cluster or ()
            sums: dict[str, IntArray] = {}
            for label, values in zip(labels, counts.values, strict=False):
                sums[label] = sums.get(label, 0) + values
            for label, rate in zip(sums, metric.rate(np.array([*sums.values()])), strict=True) if sums else ():
                if not np.isnan(rate):
                    rates.setdefault(label, {})[system] = float(rate)
                    if "length" in counts.columns:
                        lengths[label] = int(sums[label][counts.columns.index("length")])
        worst = 1 if metric.direction is Direction.LOWER_IS_BETTER else -1
        ranked = sorted(rates, key=lambda label: -worst * fmean(rates[label].values()))
        return [WorstRow(label, lengths.get(label), rates[label]) for label in ranked]


def _column(system: str, source: ViewInput) -> Column:
    settings = source.settings
    return rate_column(
        settings.name(system), lambda row: row.rates.get(system), settings.rates, name=f"rate_{system}", keep=3
    )

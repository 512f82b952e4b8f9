"""Several captures of one sampled system: how much they vary compared with clusters, and sources of the variance."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from misread.features.runs.variation import (
    RunsByMetric,
    RunsResult,
    RunVariance,
    cautions_of_runs,
    describe_runs,
    warnings_of_runs,
)
from misread.metrics import Metric
from misread.stats import ConfidenceInterval, DatasetResult, SectionResult, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.tables import Cell, Column, ReportSettings, Section, Table, in_files
from misread.tables.number_text import RateFormat, interval_ends, level_title, pvalue_text
from misread.tables.rates_layout import metric_title
from misread.tables.table import rate_column, show_value
from misread.text.display import file_stem
from misread.text.nouns import plural


@dataclass(frozen=True)
class Runs(Section):
    """How much the runs of each system vary, and its variance components; nothing where all were read once."""

    record = RunsByMetric

    def compute(self, shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings) -> SectionResult:
        """Systems with several runs, by metric."""
        runs = describe_runs(shared, metrics, settings)
        cautions = cautions_of_runs(shared, runs, settings)
        warnings = [*warnings_of_runs(shared, settings), *(caution.text for caution in cautions)]
        return SectionResult(runs or None, warnings, cautions)

    def tables(self, record: RunsByMetric, result: DatasetResult, settings: ReportSettings) -> Iterator[Table]:
        """Of every metric, one of the variation, and one of its components."""
        for metric in settings.metrics:
            if runs := record.get(metric):
                yield _lay_out_variation(result, metric, runs, settings)
                if any(described.variance for described in runs.values()):
                    yield _lay_out_components(result, metric, runs, settings)


def _finer(result: DatasetResult, metric: str, settings: ReportSettings) -> tuple[RateFormat, RateFormat]:
    """Format of rates, and that of their errors, which are smaller."""
    rates = settings.rates_of(result.first_system[metric])
    return rates, replace(rates, digits=rates.digits + 1)


def _lay_out_variation(
    result: DatasetResult, metric: str, runs: Mapping[str, RunsResult], settings: ReportSettings
) -> Table:
    rates, errors = _finer(result, metric, settings)
    return Table(
        stem=file_stem(result.dataset, metric, "runs"),
        caption=f"Repeated runs: {metric_title(metric)} on {settings.name(result.dataset)}, the mean of the runs.",
        columns=[
            in_files(("dataset", "metric"), (result.dataset, metric)),
            Column("system", lambda row: row[0], settings.name, kind="name", name="system"),
            Column("runs", lambda row: len(row[1].runs), str, name="runs", keep=5),
            _column_of_rates(result, metric, rates),
            _error_column("SD of runs", lambda row: row[1].deviation, errors, name="deviation_between_runs", keep=6),
            *_columns_of_variance(errors),
            Column(
                "same text",
                lambda row: row[1].same_text,
                lambda number: Cell(f"{number:,}", f"/{result.segments:,}"),
                name="same_text",
                keep=1,
            ),
            rate_column("flips", lambda row: row[1].flip_rate, RateFormat(), name="flip_rate", keep=1),
            Column(
                "p shared",
                _of_variance(lambda variance: variance.effect.pvalue),
                pvalue_text,
                name="pvalue_shared_effect",
                keep=2,
            ),
        ],
        rows=list(runs.items()),
        notes=[
            f"SD of runs: standard deviation of the rates of the runs. SE: standard error over "
            f"{plural(result.statistics.unit)}. Runs' part: "
            "share of the variance of one run that comes from runs. Runs to < 10 %: how many bring that share of the "
            "variance of their mean below 10 %. Same text: segments that all runs read alike. Flips: share of pairs of "
            "runs, one with and one without errors in a segment. p shared: p of an effect that all "
            "segments of a run share. Alignments are those of the first run.",
            *(f"{settings.name(system)}: {described.advice}" for system, described in runs.items()),
        ],
        signature=str(result.signature),
    )


def _column_of_rates(result: DatasetResult, metric: str, rates: RateFormat) -> Column:
    """Mean rate of the runs, with the lowest and the highest one."""

    def take(row: tuple[str, RunsResult]) -> tuple[float | None, ...]:
        known = [rate for rate in row[1].rates if rate is not None]
        return (result.systems[row[0]][metric].rate, min(known, default=None), max(known, default=None))

    def show(values: tuple[float | None, ...]) -> Cell:
        mean, lowest, highest = values
        ends = "" if lowest is None or highest is None else f"{rates.rate(lowest)} to {rates.rate(highest)}"
        return Cell("" if mean is None else rates.rate(mean), ends)

    names = ("rate", "lowest", "highest")
    return Column(f"{metric_title(metric)}{rates.sign}", take, show, name=names, detail="lowest to highest", keep=5)


def _error_column(title: str, value: Callable[[Any], Any], errors: RateFormat, *, name: str, keep: int) -> Column:
    return Column(title, value, errors.rate, kind="decimal", name=name, keep=keep)


def _columns_of_variance(errors: RateFormat) -> Iterator[Column]:
    """Standard errors, and what runs add to them."""
    deviation = _of_variance(lambda variance: math.sqrt(sum(x**2 for x in variance.errors) / len(variance.errors)))
    yield _error_column("SE of 1 run", deviation, errors, name="error_of_one_run", keep=4)
    mean = _of_variance(lambda variance: variance.error)
    yield _error_column("SE of mean", mean, errors, name="error_of_mean", keep=6)
    yield in_files("two_way_error", _of_variance(lambda variance: variance.two_way_error))
    yield in_files("share_of_runs", _of_variance(lambda variance: variance.share))
    yield Column(
        "runs' part %",
        _of_variance(lambda variance: variance.share_of_one),
        lambda share: f"{100 * share:.1f}",
        kind="decimal",
        keep=3,
    )
    yield in_files("runs_until_10_percent", _of_variance(lambda variance: variance.runs_until_negligible))
    yield Column(
        "runs to < 10 %",
        _of_variance(lambda variance: show_value(variance.runs_until_negligible) or "never"),
        keep=3,
    )


def _of_variance(value: Callable[[RunVariance], Any]) -> Callable[[tuple[str, RunsResult]], Any]:
    """A value of the variance of a row, which may have none."""
    return lambda row: None if row[1].variance is None else value(row[1].variance)


def _lay_out_components(
    result: DatasetResult, metric: str, runs: Mapping[str, RunsResult], settings: ReportSettings
) -> Table:
    _, errors = _finer(result, metric, settings)
    rows = [
        component
        for system, described in runs.items()
        for component in _components(system, described, result.statistics.unit)
    ]

    def show_deviation(component: _Component) -> Cell:
        low, high = (math.sqrt(end / component.divisor) for end in (component.interval.low, component.interval.high))
        interval = replace(component.interval, low=low, high=high)
        return Cell(errors.rate(component.deviation), errors.interval(interval))

    return Table(
        stem=file_stem(result.dataset, metric, "components"),
        caption=f"What the error of one run comes from: {metric_title(metric)} on {settings.name(result.dataset)}.",
        columns=[
            in_files(("dataset", "metric"), (result.dataset, metric)),
            in_files("system", lambda row: row.system),
            Column("system", lambda row: settings.name(row.system) if row.is_first else "", kind="name"),
            Column("source", lambda row: row.source, kind="name", name="source"),
            in_files("variance", lambda row: row.variance),
            in_files(("low", "high"), lambda row: interval_ends(row.interval)),
            in_files("deviation_of_rate", lambda row: row.deviation),
            Column(
                f"SD of the rate{errors.sign}",
                show=show_deviation,
                detail=next((level_title(row.interval) for row in rows), ""),
                keep=6,
            ),
            Column("variance %", lambda row: row.share, lambda share: f"{100 * share:.1f}", kind="decimal"),
        ],
        rows=rows,
        notes=["Variance components by analysis of variance; a negative one counts as 0."],
        signature=str(result.signature),
    )


class _Component(NamedTuple):
    """Share of one source in the variance of the rate of one run, which is divided by `divisor`, and its share."""

    system: str
    source: str
    variance: float
    interval: ConfidenceInterval
    divisor: int
    share: float | None
    is_first: bool

    @property
    def deviation(self) -> float:
        """Standard deviation of the rate of one run."""
        return math.sqrt(self.variance / self.divisor)


def _components(system: str, described: RunsResult, unit: str) -> Iterator[_Component]:
    if described.variance is None:
        return
    components = described.variance.components
    count, total = components.cluster_count, components.variance(1)
    sources = (
        (f"{plural(unit)}", components.clusters, count),
        ("runs", components.runs, 1),
        ("residual", components.residual, count),
    )
    for number, (source, component, divisor) in enumerate(sources):
        variance = component.variance
        share = variance / divisor / total if total > 0 else None
        yield _Component(system, source, variance, component.interval, divisor, share, number == 0)

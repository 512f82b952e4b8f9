"""Several captures of one sampled system: how much they vary beside clusters, and what the variance comes from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from misread.stats import ConfidenceInterval, DatasetResult, RunsResult
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tables.number_text import RateFormat, level_title, pvalue_text
from misread.tables.rates_layout import metric_title
from misread.text.display import file_stem

_RUNS_NAMES = (
    *("dataset", "metric", "system", "runs", "rate", "lowest", "highest", "deviation_between_runs"),
    *("error_of_one_run", "error_of_mean", "two_way_error", "share_of_runs", "runs_until_10_percent"),
    *("same_text", "flip_rate", "pvalue_shared_effect"),
)
_PARTS_NAMES = ("dataset", "metric", "system", "source", "variance", "low", "high", "deviation_of_rate")


def lay_out_runs(result: DatasetResult, settings: ReportSettings) -> list[Table]:
    """By metric, how much the runs of each system vary, and its variance components; none where all were read once."""
    return [table for metric in settings.metrics for table in _lay_out_metric(result, metric, settings)]


def _lay_out_metric(result: DatasetResult, metric: str, settings: ReportSettings) -> list[Table]:
    runs = result.runs.get(metric, {})
    if not runs:
        return []
    tables = [_lay_out_variation(result, metric, runs, settings)]
    if any(of.variance for of in runs.values()):
        tables.append(_lay_out_components(result, metric, runs, settings))
    return tables


def _finer(result: DatasetResult, metric: str, settings: ReportSettings) -> tuple[RateFormat, RateFormat]:
    """Format of rates, and that of their errors, which are smaller."""
    rates = settings.rates_of(result.first_system[metric])
    return rates, replace(rates, digits=rates.digits + 1)


def _lay_out_variation(
    result: DatasetResult, metric: str, runs: Mapping[str, RunsResult], settings: ReportSettings
) -> Table:
    rates, errors = _finer(result, metric, settings)
    unit = result.statistics.unit
    rows = []
    records: list[list[str | float | None]] = []
    for system, of in runs.items():
        mean = result.systems[system][metric].rate
        known = [rate for rate in of.rates if rate is not None]
        variance = of.variance
        one = None if variance is None else math.sqrt(sum(error**2 for error in variance.errors) / len(variance.errors))
        needed = None if variance is None else variance.runs_until_negligible
        rows.append(
            [
                Cell(settings.name(system)),
                Cell(str(len(of.runs))),
                Cell(_shown(mean, rates), f"{rates.rate(min(known))} to {rates.rate(max(known))}" if known else ""),
                Cell(_shown(of.deviation, errors)),
                Cell(_shown(one, errors)),
                Cell(_shown(None if variance is None else variance.error, errors)),
                Cell("" if variance is None else f"{100 * variance.share_of_one:.1f}"),
                Cell("" if variance is None else f"{needed:,}" if needed else "never"),
                Cell(f"{of.same_text:,}", f"/{result.segments:,}"),
                Cell(f"{100 * of.flip_rate:.2f}"),
                Cell("" if variance is None else pvalue_text(variance.effect.pvalue)),
            ]
        )
        records.append(
            [
                *(result.dataset, metric, system, len(of.runs), mean),
                *((min(known), max(known)) if known else (None, None)),
                *(of.deviation, one),
                *((variance.error, variance.two_way_error, variance.share) if variance else (None, None, None)),
                *(needed, of.same_text, of.flip_rate, variance.effect.pvalue if variance else None),
            ]
        )
    title = f"{metric_title(metric)}{rates.sign}"
    return Table(
        stem=file_stem(result.dataset, metric, "runs"),
        caption=f"Repeated runs: {metric_title(metric)} on {settings.name(result.dataset)}, the mean of the runs.",
        columns=[
            Column("system", kind="name"),
            Column("runs", keep=5),
            Column(title, "lowest to highest", keep=5),
            Column("SD of runs", kind="decimal", keep=6),
            Column("SE of 1 run", kind="decimal", keep=4),
            Column("SE of mean", kind="decimal", keep=6),
            Column("runs' part %", kind="decimal", keep=3),
            Column("runs to < 10 %", keep=3),
            Column("same text", keep=1),
            Column("flips %", kind="decimal", keep=1),
            Column("p shared", keep=2),
        ],
        rows=rows,
        notes=[
            f"SD of runs: between the rates of runs. SE: standard error over {unit}s. Runs' part: of the variance "
            "of one run. Same text: segments that all runs read alike. Flips: pairs of runs that disagree on whether a "
            "segment is without fault. p shared: of an effect that all segments of a run share. Alignments are those "
            "of the first run.",
            *(f"{settings.name(system)}: {of.advice}" for system, of in runs.items()),
        ],
        signature=result.signature,
        record_names=_RUNS_NAMES,
        records=records,
    )


def _lay_out_components(
    result: DatasetResult, metric: str, runs: Mapping[str, RunsResult], settings: ReportSettings
) -> Table:
    _, errors = _finer(result, metric, settings)
    rows: list[list[Cell]] = []
    records: list[list[str | float | None]] = []
    level = ""
    for system, of in runs.items():
        name = settings.name(system)
        for source, variance, interval, divisor, share in _parts(of, result.statistics.unit):
            level = level or level_title(interval)
            ends = [math.sqrt(end / divisor) for end in (interval.low, interval.high)]
            deviation = math.sqrt(variance / divisor)
            rows.append(
                [
                    Cell(name),
                    Cell(source),
                    Cell(errors.rate(deviation), errors.interval(replace(interval, low=ends[0], high=ends[1]))),
                    Cell("" if share is None else f"{100 * share:.1f}"),
                ]
            )
            records.append([result.dataset, metric, system, source, variance, interval.low, interval.high, deviation])
            name = ""
    return Table(
        stem=file_stem(result.dataset, metric, "components"),
        caption=f"What the error of one run comes from: {metric_title(metric)} on {settings.name(result.dataset)}.",
        columns=[
            Column("system", kind="name"),
            Column("source", kind="name"),
            Column(f"SD of the rate{errors.sign}", level, keep=6),
            Column("variance %", kind="decimal"),
        ],
        rows=rows,
        notes=["Variance components by analysis of variance; a negative one counts as 0."],
        signature=result.signature,
        record_names=_PARTS_NAMES,
        records=records,
    )


def _parts(of: RunsResult, unit: str) -> Iterator[tuple[str, float, ConfidenceInterval, int, float | None]]:
    """Sources with their variance and interval, what divides these in the rate of one run, and the share of it."""
    if of.variance is None:
        return
    components = of.variance.components
    count, total = components.cluster_count, components.variance(1)
    sources = (
        (f"{unit}s", components.clusters, count),
        ("runs", components.runs, 1),
        ("residual", components.residual, count),
    )
    for source, component, divisor in sources:
        share = component.variance / divisor / total if total > 0 else None
        yield source, component.variance, component.interval, divisor, share


def _shown(value: float | None, rates: RateFormat) -> str:
    return "" if value is None else rates.rate(value)

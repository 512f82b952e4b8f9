"""Results of one metric on one data set for the page: table, verdict, texts to copy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from misread.report.page.headline import headline
from misread.stats import MetricResult
from misread.tables import (
    Cell,
    Column,
    RateTable,
    ReportSettings,
    Table,
    lay_out_rates,
    render_csv,
    render_latex,
    render_markdown,
)
from misread.tables.drawings import make_axis, make_shares
from misread.tables.missing import missing_columns
from misread.tables.number_text import level_title, pvalue_sentence
from misread.tables.rates import BEST, VERDICT_WORDS, RateRow
from misread.tables.rates_layout import OPERATIONS, caption, is_bold, metric_title, rank_cell
from misread.tables.table import Mark
from misread.tables.verdicts import verdict_mark


@dataclass(frozen=True)
class MetricResults:
    """One metric on one data set, best first."""

    rates: RateTable
    table: Table
    title: str
    headline: str
    # Systems with a mark for the comparison with the best one.
    verdicts: tuple[tuple[str, str, Mark], ...]
    copies: Mapping[str, str]

    @property
    def key(self) -> str:
        """Part of ids and addresses."""
        return f"{self.rates.dataset}.{self.rates.metric}"

    @property
    def firsts(self) -> str:
        """Text on how often each system was first in the resamples."""
        if len(self.rates.rows) < 2:
            return ""
        ranks = ((row.name, row.rank.first) for row in self.rates.rows)
        return ", ".join(f"{name} {100 * first:.0f} %" for name, first in ranks if first is not None)


def make_metric_results(rates: RateTable, settings: ReportSettings) -> MetricResults:
    """Results of one metric from its rates."""
    in_files = lay_out_rates(rates, settings)
    return MetricResults(
        rates=rates,
        table=lay_out_results(rates),
        title=f"{metric_title(rates.metric)}{rates.format.sign}",
        headline=headline(rates),
        verdicts=tuple(
            (row.name, VERDICT_WORDS[row.to_best.verdict], verdict_mark(row.to_best, rates))
            for row in rates.rows
            if row.to_best
        ),
        copies={
            "LaTeX": render_latex(in_files, siunitx=settings.siunitx),
            "Markdown": render_markdown(in_files),
            "CSV": render_csv([in_files], raw=settings.raw_csv),
        },
    )


def lay_out_results(rates: RateTable) -> Table:
    """Table of rates with a forest plot, bars of errors by kind, and verdicts."""
    columns = [*_system_columns(rates), *_rate_columns(rates)]
    if rates.has_error_counts:
        columns += _count_columns(rates)
    if rates.has_comparisons:
        columns += _comparison_columns(rates)
    columns += missing_columns(rates.rows, lambda row: row.missing)
    return Table(caption=caption(rates), columns=columns, rows=rates.rows)


def _system_columns(rates: RateTable) -> Iterator[Column]:
    def show_rank(row: RateRow) -> Cell:
        return rank_cell(row.rank) if rates.has_groups else Cell(str(row.rank.rank), value=row.rank.rank)

    def show_name(row: RateRow) -> Cell:
        link = f"#system-{rates.dataset}-{row.system}"
        return Cell(row.name, is_bold=is_bold(row), value=row.name, link=link)

    yield Column("#", show=show_rank, key="place")
    yield Column("system", show=show_name, kind="name", key="system")


def _rate_columns(rates: RateTable) -> Iterator[Column]:
    ends = [row.result.confidence_interval for row in rates.rows]
    values = [
        *(row.result.micro or 0.0 for row in rates.rows),
        *(value for end in ends if end for value in (end.low, end.high)),
    ]
    axis = make_axis(values, rates.format)

    def show_rate(row: RateRow) -> Cell:
        micro = row.result.micro
        interval = rates.format.interval_of(micro, row.result.confidence_interval)
        return Cell(rates.format.rate(micro or 0.0), interval, is_bold=is_bold(row), value=micro)

    def draw_interval(row: RateRow) -> Cell:
        whisker = axis.whisker(row.result.micro or 0.0, row.result.confidence_interval)
        return Cell(mark=_mark(row, rates), whisker=whisker)

    title = f"{metric_title(rates.metric)}{rates.format.sign}"
    yield Column(title, show=show_rate, detail=_level(rates), key="rate")
    yield Column("", show=draw_interval, kind="text", axis=axis, keep=0)


def _count_columns(rates: RateTable) -> Iterator[Column]:
    def show_errors(counts: Mapping[str, int]) -> Cell:
        return Cell(f"{counts['errors']:,}", f"/{counts['length']:,}", value=counts["errors"])

    def draw_kinds(result: MetricResult) -> Cell:
        shares = make_shares({kind: result.counts[kind] for kind in OPERATIONS if kind in result.counts})
        return Cell(shares=shares if result.has_operations else ())

    def show_exact(number: int) -> Cell:
        return Cell(f"{number:,}", value=number)

    yield Column("errors/N", lambda row: row.result.counts, show_errors, key="errors", keep=0)
    yield Column("kinds", lambda row: row.result, draw_kinds, detail="S D I", kind="text", keep=0)
    detail = f"of {rates.segments:,}"
    yield Column("exact", lambda row: row.result.exact_segments, show_exact, detail=detail, key="exact", keep=0)


def _comparison_columns(rates: RateTable) -> Iterator[Column]:
    def show_difference(row: RateRow) -> Cell:
        if row.to_best is None:
            return Cell(value=0) if row.is_best else Cell()
        difference = row.to_best.difference
        interval = rates.format.interval_of(difference, row.to_best.interval, signed=True)
        return Cell(rates.format.difference(difference), interval, value=difference)

    def show_verdict(row: RateRow) -> Cell:
        if row.to_best is None:
            return Cell("best", mark=_mark(row, rates), value=-1) if row.is_best else Cell("not compared")
        pvalue = row.to_best.pvalue_adjusted
        words = VERDICT_WORDS[row.to_best.verdict]
        return Cell(words, mark=_mark(row, rates), remark=pvalue_sentence(pvalue), value=pvalue)

    yield Column("Δ to best", show=show_difference, detail=_level(rates), key="difference", blank="—", keep=0)
    yield Column("verdict", show=show_verdict, detail="p", kind="text", key="pvalue")


def _mark(row: RateRow, rates: RateTable) -> Mark | None:
    return verdict_mark(row.to_best, rates) if row.to_best else BEST if row.is_best else None


def _level(rates: RateTable) -> str:
    """Title of the level of the intervals."""
    return next(filter(None, (level_title(row.result.confidence_interval) for row in rates.rows)), "")

"""Results table of one metric on one data set, as texts and numbers for templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.report.numbers import level_title, pvalue_text
from misread.report.page.forest import Axis, Whisker, make_axis
from misread.report.page.verdicts import Verdict, headline, verdict_of
from misread.report.render.csv import render_csv
from misread.report.render.latex import render_latex
from misread.report.render.markdown import render_markdown
from misread.report.settings import ReportSettings
from misread.report.tables.rates import RateRow, RateTable
from misread.report.tables.rates_layout import OPERATIONS, caption, lay_out_rates, metric_title
from misread.stats import Rank

BAR_WIDTH = 90
"""Units of the bar of errors by kind."""


@dataclass(frozen=True)
class OperationShare:
    """Errors of one kind: their number, and their part of the bar."""

    name: str
    letter: str
    count: int
    begin: float
    width: float


@dataclass(frozen=True)
class ResultRow:
    """One system; texts are empty if there is no such number."""

    row: RateRow
    place: int
    rank: Rank | None
    rate: str
    interval: str
    difference: str
    difference_interval: str
    pvalue: str
    verdict: Verdict
    operations: tuple[OperationShare, ...]
    whisker: Whisker

    @property
    def is_winner(self) -> bool:
        """Whether it is the best, and all others are significantly worse."""
        return self.row.is_best and self.row.is_separated


@dataclass(frozen=True)
class ResultTable:
    """One metric on one data set, best first."""

    table: RateTable
    title: str
    headline: str
    caption: str
    method: str
    level: str
    rows: tuple[ResultRow, ...]
    axis: Axis
    copies: Mapping[str, str]

    @property
    def key(self) -> str:
        """Part of ids and addresses."""
        return f"{self.table.dataset}.{self.table.metric}"

    @property
    def has_letters(self) -> bool:
        """Whether every pair was tested, so that letters mark systems that do not differ significantly."""
        return len(self.rows) > 2 and all(row.rank and row.rank.letters for row in self.rows)


def make_result_table(table: RateTable, ranking: Mapping[str, Rank], settings: ReportSettings) -> ResultTable:
    """One table from its numbers and the ranks of its systems."""
    ends = [row.result.confidence_interval for row in table.rows]
    axis = make_axis(
        [*(row.result.micro or 0.0 for row in table.rows), *(end.high for end in ends if end)], settings.rates
    )
    paper = lay_out_rates(table, settings)
    return ResultTable(
        table=table,
        title=f"{metric_title(table.metric)}{settings.rates.sign}",
        headline=headline(table, settings.rates),
        caption=caption(table),
        method=table.method,
        level=next(filter(None, map(level_title, ends)), ""),
        rows=tuple(
            _row(row, place, ranking.get(row.system), axis, settings) for place, row in enumerate(table.rows, start=1)
        ),
        axis=axis,
        copies={
            "LaTeX": render_latex(paper, siunitx=settings.siunitx),
            "Markdown": render_markdown(paper),
            "CSV": render_csv([paper], raw=settings.raw_csv),
        },
    )


def _row(row: RateRow, place: int, rank: Rank | None, axis: Axis, settings: ReportSettings) -> ResultRow:
    rates, to_best = settings.rates, row.to_best
    micro = row.result.micro or 0.0
    return ResultRow(
        row=row,
        place=rank.rank if rank else place,
        rank=rank,
        rate=rates.rate(micro),
        interval=rates.interval(row.result.confidence_interval),
        difference=rates.difference(to_best.value) if to_best else "",
        difference_interval=rates.interval(to_best.interval, signed=True) if to_best else "",
        pvalue=pvalue_text(to_best.pvalue_adjusted) if to_best else "",
        verdict=verdict_of(row),
        operations=_operations(row),
        whisker=axis.whisker(micro, row.result.confidence_interval),
    )


def _operations(row: RateRow) -> tuple[OperationShare, ...]:
    """Bars are as long as shares of all errors of the system."""
    if not row.result.has_operations:
        return ()
    counts = {kind: row.result.counts[kind] for kind in OPERATIONS if kind in row.result.counts}
    total = sum(counts.values())
    shares = []
    begin = 0.0
    for kind, count in counts.items():
        width = BAR_WIDTH * count / total if total else 0.0
        shares.append(OperationShare(kind, kind[0].upper(), count, round(begin, 2), round(width, 2)))
        begin += width
    return tuple(shares)

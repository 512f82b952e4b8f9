"""Results of one metric on one data set for the page: table, verdict, texts to copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.report.page.headline import headline
from misread.stats import Rank
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
from misread.tables.drawings import Axis, make_axis, make_shares
from misread.tables.number_text import level_title, pvalue_sentence
from misread.tables.rates import BEST, VERDICT_WORDS, RateRow, verdict_mark
from misread.tables.rates_layout import OPERATIONS, caption, is_bold, metric_title
from misread.tables.table import Mark


@dataclass(frozen=True)
class MetricResults:
    """One metric on one data set, best first."""

    rates: RateTable
    table: Table
    title: str
    headline: str
    # Systems with a mark for the comparison with the best one.
    verdicts: tuple[tuple[str, str, Mark], ...]
    ranking: Mapping[str, Rank]
    copies: Mapping[str, str]

    @property
    def key(self) -> str:
        """Part of ids and addresses."""
        return f"{self.rates.dataset}.{self.rates.metric}"

    @property
    def has_letters(self) -> bool:
        """Whether every pair was tested, so that letters can mark systems without significant difference."""
        return _has_letters(self.rates, self.ranking)

    @property
    def firsts(self) -> str:
        """Text on how often each system was first in the resamples."""
        if len(self.rates.rows) < 2:
            return ""
        ranks = ((row.name, self.ranking.get(row.system)) for row in self.rates.rows)
        return ", ".join(f"{name} {100 * rank.first:.0f} %" for name, rank in ranks if rank and rank.first is not None)


def make_metric_results(rates: RateTable, ranking: Mapping[str, Rank], settings: ReportSettings) -> MetricResults:
    """Results of one metric from its rates and the ranks of its systems."""
    in_files = lay_out_rates(rates, settings)
    return MetricResults(
        rates=rates,
        table=lay_out_results(rates, ranking),
        title=f"{metric_title(rates.metric)}{rates.format.sign}",
        headline=headline(rates),
        verdicts=tuple(
            (row.name, VERDICT_WORDS[row.to_best.verdict], verdict_mark(row.to_best, rates))
            for row in rates.rows
            if row.to_best
        ),
        ranking=ranking,
        copies={
            "LaTeX": render_latex(in_files, siunitx=settings.siunitx),
            "Markdown": render_markdown(in_files),
            "CSV": render_csv([in_files], raw=settings.raw_csv),
        },
    )


def lay_out_results(rates: RateTable, ranking: Mapping[str, Rank]) -> Table:
    """Table of rates with a forest plot, bars of errors by kind, and verdicts."""
    ends = [row.result.confidence_interval for row in rates.rows]
    values = [
        *(row.result.micro or 0.0 for row in rates.rows),
        *(value for end in ends if end for value in (end.low, end.high)),
    ]
    axis = make_axis(values, rates.format)
    level = next(filter(None, map(level_title, ends)), "")
    columns = [
        Column("#", key="place"),
        Column("system", kind="name", key="system"),
        Column(f"{metric_title(rates.metric)}{rates.format.sign}", level, key="rate"),
        Column("", kind="text", axis=axis, keep=0),
    ]
    if rates.has_error_counts:
        columns += [
            Column("errors/N", key="errors", keep=0),
            Column("kinds", "S D I", kind="text", keep=0),
            Column("exact", f"of {rates.segments:,}", key="exact", keep=0),
        ]
    if rates.has_comparisons:
        columns += [
            Column("Δ to best", level, key="difference", blank="—", keep=0),
            Column("verdict", "p", kind="text", key="pvalue"),
        ]
    return Table(
        caption=caption(rates),
        columns=columns,
        rows=[_row(row, position, ranking, axis, rates) for position, row in enumerate(rates.rows, start=1)],
    )


def _row(row: RateRow, position: int, ranking: Mapping[str, Rank], axis: Axis, rates: RateTable) -> list[Cell]:
    shown, result = rates.format, row.result
    micro, interval, counts = result.micro or 0.0, result.confidence_interval, result.counts
    rank = ranking.get(row.system)
    mark = verdict_mark(row.to_best, rates) if row.to_best else BEST if row.is_best else None
    number = rank.rank if rank else position
    letters = rank.letters or "" if rank and _has_letters(rates, ranking) else ""
    cells = [
        Cell(str(number), letters, value=number),
        Cell(row.name, is_bold=is_bold(row), value=row.name, link=f"#system-{rates.dataset}-{row.system}"),
        Cell(shown.rate(micro), shown.interval_of(result.micro, interval), is_bold=is_bold(row), value=result.micro),
        Cell(mark=mark, whisker=axis.whisker(micro, interval)),
    ]
    if rates.has_error_counts:
        shares = make_shares({kind: counts[kind] for kind in OPERATIONS if kind in counts})
        cells += [
            Cell(f"{counts['errors']:,}", f"/{counts['length']:,}", value=counts["errors"]),
            Cell(shares=shares if result.has_operations else ()),
            Cell(f"{result.exact_segments:,}", value=result.exact_segments),
        ]
    if rates.has_comparisons and row.to_best:
        pair = row.to_best
        in_words, pvalue = VERDICT_WORDS[pair.verdict], pair.pvalue_adjusted
        cells += [
            Cell(
                shown.difference(pair.difference),
                shown.interval(pair.interval, signed=True),
                value=pair.difference,
            ),
            Cell(in_words, mark=mark, remark=pvalue_sentence(pvalue), value=pvalue),
        ]
    elif rates.has_comparisons:
        cells += [Cell(value=0), Cell("best", mark=mark, value=-1)] if row.is_best else [Cell(), Cell("not compared")]
    return cells


def _has_letters(rates: RateTable, ranking: Mapping[str, Rank]) -> bool:
    ranks = [ranking.get(row.system) for row in rates.rows]
    return len(ranks) > 2 and all(rank and rank.letters for rank in ranks)

"""Layout of tables of rates: one metric on one data set, all pairs of systems, and the overview of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misread.stats import DatasetResult, PairComparison
from misread.stats.compare.schema import find_pair
from misread.tables.number_text import RateFormat, interval_ends, level_title, pvalue_sentence, pvalue_text
from misread.tables.rates import (
    SIGNS,
    VERDICT_WORDS,
    RateRow,
    RateTable,
    make_rate_table,
    verdict_mark,
)
from misread.tables.settings import RateColumn, ReportSettings
from misread.tables.table import DAGGER, Cell, Column, Table, explorer_link
from misread.text.display import file_stem

LONGEST_ABBREVIATION = 3
NOT_SIGNIFICANT = f"{DAGGER}: not significantly different from the best."
OPERATIONS = ("substitutions", "deletions", "insertions", "transpositions")
"""Counts of errors by kind; transpositions are counted by few metrics."""

_VARIANTS = ("raw", "unflagged")
# What is shown where systems were compared with the baseline alone.
_WITH_BASELINE: Mapping[RateColumn, RateColumn] = {
    "difference": "baseline_difference",
    "pvalue": "baseline_pvalue",
}
_COUNTS = ("substitutions", "deletions", "insertions", "errors", "length")
_RECORD_NAMES = (
    *("dataset", "metric", "system", "rate", "low", "high", *_COUNTS, "segments"),
    *("difference_to_best", "difference_low", "difference_high", "pvalue_adjusted", "differs_from_best"),
    *("difference_to_baseline", "pvalue_adjusted_to_baseline"),
)


def lay_out_rates(table: RateTable, settings: ReportSettings) -> Table:
    """Turn numbers into cells; a column that would be empty in every row is left out."""
    wanted = settings.columns
    if not table.is_compared_with_best:
        wanted = tuple(dict.fromkeys(_WITH_BASELINE.get(name, name) for name in wanted))
    shown = [name for name in wanted if _applies(name, table)]
    rates = table.format
    rows = [
        (
            Cell(row.name, is_bold=is_bold(row)),
            Cell(_rate(row, rates), is_bold=is_bold(row), has_dagger=_has_dagger(row, table)),
            *(_cell(name, row, rates) for name in shown),
        )
        for row in table.rows
    ]
    title = f"{metric_title(table.metric)}{rates.sign}"
    return Table(
        stem=file_stem(table.dataset, table.metric),
        caption=caption(table),
        columns=[
            Column("system", kind="name"),
            Column(title, kind="decimal", keep=6),
            *(_column(name, table, rates) for name in shown),
        ],
        rows=rows,
        marks=[NOT_SIGNIFICANT] if any(_has_dagger(row, table) for row in table.rows) else [],
        notes=[table.method, *warnings_of(table)],
        signature=table.signature,
        record_names=_RECORD_NAMES,
        records=[_record(row, table) for row in table.rows],
        verdicts=_verdicts(table),
    )


def metric_title(metric: str) -> str:
    """Title of a metric for people: "CER", "WER (raw)", "line accuracy"."""
    variant = next((each for each in _VARIANTS if metric.endswith(f"_{each}")), "")
    name = metric.removesuffix(f"_{variant}")
    title = name.upper() if len(name) <= LONGEST_ABBREVIATION else name.replace("_", " ")
    return f"{title} ({variant})" if variant else title


def size_text(segments: int, length: int | None = None, unit_name: str = "") -> str:
    """Number of segments and length of the reference: "4,668 segments, 222,303 characters"."""
    size = "1 segment" if segments == 1 else f"{segments:,} segments"
    return size if length is None else f"{size}, {length:,} {unit_name}"


def caption(table: RateTable) -> str:
    """Metric, data set, size and direction in one or two sentences."""
    size = size_text(table.segments, table.length, table.unit_name)
    direction = table.direction.value.capitalize()
    return f"{metric_title(table.metric)} on {table.dataset_name} ({size}). {direction} is better."


def warnings_of(table: RateTable) -> list[str]:
    """Warnings, and systems without a row."""
    return [
        *table.warnings,
        *(f"Without result: {name} ({reason})." for name, reason in table.left_out.items()),
    ]


def _verdicts(table: RateTable) -> list[str]:
    """A shape, the word and the reason for every system that was compared with the best one, or else the baseline."""
    other = next((row.name for row in table.rows if row.is_best), "")
    if not table.is_compared_with_best:
        other = table.baseline_name
    verdicts = ((row.name, row.to_best if table.is_compared_with_best else row.to_baseline) for row in table.rows)
    return [
        f"{SIGNS[pair.verdict]} {name} against {other}: {pair.verdict}. {table.reason(pair)}"
        for name, pair in verdicts
        if pair
    ]


def _applies(name: RateColumn, table: RateTable) -> bool:
    if name in ("operations", "errors"):
        return table.has_error_counts
    if name.startswith("baseline_"):
        return any(row.to_baseline for row in table.rows)
    return table.has_comparisons if name in ("difference", "pvalue") else True


def _column(name: RateColumn, table: RateTable, rates: RateFormat) -> Column:
    level = next(filter(None, (level_title(row.result.confidence_interval) for row in table.rows)), "")
    # T, transpositions, only if they are counted.
    operations = "S/D/I/T" if any("transpositions" in row.result.counts for row in table.rows) else "S/D/I"
    return {
        "interval": Column("", level or "[no interval]", keep=3),
        "operations": Column(operations, keep=1),
        "errors": Column("errors", "/N", is_detail_optional=True, keep=0),
        "segments": Column("n", keep=0),
        "macro": Column(f"macro{rates.sign}", kind="decimal", keep=0),
        "difference": Column("Δ to best", level, keep=4),
        "pvalue": Column("p", keep=5),
        "baseline_difference": Column(f"Δ to {table.baseline_name}", level),
        "baseline_pvalue": Column(f"p to {table.baseline_name}"),
    }[name]


def _cell(name: RateColumn, row: RateRow, rates: RateFormat) -> Cell:
    result = row.result
    counts, macro = result.counts, result.macro
    return {
        "interval": Cell(detail=rates.interval_of(result.micro, result.confidence_interval)),
        "operations": Cell("/".join(str(counts[name]) for name in OPERATIONS if name in counts)),
        "errors": Cell(str(counts.get("errors", "")), f"/{counts['length']}" if "length" in counts else ""),
        "segments": Cell(str(result.segments)),
        "macro": Cell("" if macro is None else rates.rate(macro)),
        "difference": _difference(row.to_best, rates),
        "pvalue": _pvalue(row.to_best),
        "baseline_difference": _difference(row.to_baseline, rates),
        "baseline_pvalue": _pvalue(row.to_baseline),
    }[name]


def _difference(pair: PairComparison | None, rates: RateFormat) -> Cell:
    if pair is None:
        return Cell()
    return Cell(rates.difference(pair.difference), rates.interval(pair.interval, signed=True))


def _pvalue(pair: PairComparison | None) -> Cell:
    return Cell(pvalue_text(pair.pvalue_adjusted) if pair else "")


def _rate(row: RateRow, rates: RateFormat) -> str:
    rate = row.result.micro
    return "" if rate is None else rates.rate(rate)


def is_bold(row: RateRow) -> bool:
    """Whether it is the best, and all others are significantly worse."""
    return row.is_best and row.is_significant


def _has_dagger(row: RateRow, table: RateTable) -> bool:
    return table.is_compared_with_best and not row.is_best and not row.is_significant


def _record(row: RateRow, table: RateTable) -> tuple[str | float | None, ...]:
    result, best, baseline = row.result, row.to_best, row.to_baseline
    return (
        *(table.dataset, table.metric, row.system, result.micro),
        *interval_ends(result.confidence_interval),
        *(result.counts.get(name) for name in _COUNTS),
        result.segments,
        *((best.difference, *interval_ends(best.interval), best.pvalue_adjusted) if best else (None,) * 4),
        None if best is None else ("yes" if row.is_significant else "no"),
        *((baseline.difference, baseline.pvalue_adjusted) if baseline else (None, None)),
    )


MOST_SYSTEMS = 8
"""A wider matrix is hard to read; above this number, only the column of the best system remains."""


def lay_out_pairs(result: DatasetResult, table: RateTable) -> Table | None:
    """All pairs of one metric, the row minus the column, in the order of the table.

    None for fewer than three systems, whose only pair is in the table.
    """
    if len(table.rows) < 3:
        return None
    pairs = result.pairs(table.metric)
    columns = table.rows if len(table.rows) <= MOST_SYSTEMS else table.rows[:1]
    return Table(
        columns=[Column("", kind="name"), *(Column(other.name, kind="text", blank="·") for other in columns)],
        rows=[
            [Cell(row.name), *(_pair_cell(table, row.system, other.system, pairs) for other in columns)]
            for row in table.rows
        ],
    )


def _pair_cell(table: RateTable, row: str, column: str, pairs: Sequence[PairComparison]) -> Cell:
    pair = find_pair(pairs, column, row)
    if pair is None:
        return Cell()
    return Cell(
        table.format.difference(pair.difference),
        table.format.interval(pair.interval, signed=True),
        mark=verdict_mark(pair, table),
        remark=f"{VERDICT_WORDS[pair.verdict]}, {pvalue_sentence(pair.pvalue_adjusted)}",
        link=explorer_link(table.dataset, "wrong", row, column),
    )


def lay_out_overview(results: Sequence[DatasetResult], settings: ReportSettings) -> Table:
    """One row per data set, metric and system: rate with interval, adjusted p-value against the baseline, n.

    The signature has one part per data set. At least one result is needed.
    """
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    level = ""
    for result in results:
        for metric in settings.metrics:
            table = make_rate_table(result, metric, settings)
            paper = lay_out_rates(table, settings)
            place = [Cell(table.dataset_name), Cell(metric_title(metric))]
            for row, cells in zip(table.rows, paper.rows, strict=True):
                interval = row.result.confidence_interval
                level = level or level_title(interval)
                pvalue = row.to_baseline.pvalue_adjusted if row.to_baseline else None
                rate = Cell(
                    cells[1].text,
                    table.format.interval_of(row.result.micro, interval),
                    cells[1].is_bold,
                    cells[1].has_dagger,
                )
                rows.append(
                    [
                        *place,
                        cells[0],
                        rate,
                        Cell("" if pvalue is None else pvalue_text(pvalue)),
                        Cell(f"{row.result.segments:,}"),
                    ]
                )
                records.append(
                    (
                        *(result.dataset, metric, row.system, row.result.micro, *interval_ends(interval)),
                        *(pvalue, row.result.segments),
                    )
                )
                # Names of the row above are not repeated.
                place = [Cell(), Cell()]
    notes = [f"Baseline on {settings.name(of.dataset)}: {settings.name(of.baseline)}." for of in results]
    return Table(
        stem="overview",
        caption="All systems on all data sets. The table of each metric says how intervals and p were computed.",
        columns=[
            *(Column(name, kind="name") for name in ("data set", "metric", "system")),
            Column(f"rate{settings.rates.sign}", level),
            Column("p to baseline"),
            Column("n"),
        ],
        rows=rows,
        marks=[NOT_SIGNIFICANT] if any(cell.has_dagger for row in rows for cell in row) else [],
        notes=notes,
        signature=" ".join(of.signature for of in results),
        record_names=("dataset", "metric", "system", "rate", "low", "high", "pvalue_to_baseline", "segments"),
        records=records,
    )

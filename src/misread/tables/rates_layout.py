"""Layout of tables of rates: one metric on one data set, all pairs of systems, and the overview of all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from misread.stats import DatasetResult, MetricResult, PairComparison, Rank
from misread.stats.compare.schema import find_pair
from misread.tables.missing import ABOUT_FAILED, missing_columns
from misread.tables.number_text import interval_ends, level_title, pvalue_sentence, pvalue_text
from misread.tables.rates import VERDICT_WORDS, RateRow, RateTable, make_rate_table
from misread.tables.settings import RateColumn, ReportSettings
from misread.tables.table import DAGGER, DOUBLE_DAGGER, Cell, Column, Table, explorer_link, in_files
from misread.tables.verdicts import DISAGREEMENT, disagrees, verdict_mark, verdict_of
from misread.text.display import file_stem
from misread.text.nouns import count_of

LONGEST_ABBREVIATION = 3
ABOUT_GROUPS = "Ranks are those that the tests leave open; systems that share a letter do not differ significantly."
NOT_SIGNIFICANT = f"{DAGGER}: not significantly different from the best."
OPERATIONS = ("substitutions", "deletions", "insertions", "transpositions")
"""Counts of errors by kind; transpositions are counted by few metrics."""

_VARIANTS = ("raw", "unflagged", "complete")
# What is shown where systems were compared with the baseline alone.
_WITH_BASELINE: Mapping[RateColumn, RateColumn] = {
    "difference": "baseline_difference",
    "pvalue": "baseline_pvalue",
}
_COUNTS = ("substitutions", "deletions", "insertions", "errors", "length")


def lay_out_rates(table: RateTable, settings: ReportSettings, *, all_notes: bool = False) -> Table:
    """Turn numbers into cells; a column that would be empty in every row is left out.

    Notes that a reader of a paper needs follow the rows; with `all_notes` all other notes, too.
    """
    wanted = settings.rate_columns
    if not table.is_compared_with_best:
        wanted = tuple(dict.fromkeys(_WITH_BASELINE.get(name, name) for name in wanted))
    shown = [name for name in wanted if _applies(name, table)]
    return Table(
        stem=file_stem(table.dataset, table.metric),
        caption=caption(table),
        columns=[
            *file_columns(table),
            Column("system", show=lambda row: Cell(row.name, is_bold=is_bold(row)), kind="name"),
            Column(
                f"{metric_title(table.metric)}{table.format.sign}",
                show=lambda row: rate_cell(row, table),
                kind="decimal",
                keep=6,
            ),
            *(_column(name, table) for name in shown),
            *(lacking := missing_columns(table.rows, lambda row: row.missing)),
        ],
        rows=table.rows,
        verdict=verdict_of(table, metric_title(table.metric)),
        marks=[*legend(table, shown), *([ABOUT_FAILED] if any(column.title == "failed" for column in lacking) else [])],
        notes=[
            *table.method,
            *_shown_pairs(table),
            *([table.effective_sample] if all_notes and table.effective_sample else []),
            *warnings_of(table, all_notes=all_notes),
        ],
        signature=str(table.signature),
    )


def _shown_pairs(table: RateTable) -> list[str]:
    """A sentence where the table does not have all pairs over which p is adjusted."""
    shown = sum(row.to_best is not None for row in table.rows)
    if not shown or table.pairs <= shown:
        return []
    return [f"{shown} of {table.pairs} pairs shown; --pairs baseline (statistics.pairs) compares with one."]


def file_columns(table: RateTable) -> list[Column]:
    """Columns that files have of every system, whichever are shown."""
    return [
        in_files(("dataset", "metric"), (table.dataset, table.metric)),
        in_files(("system", "rate"), attrgetter("system", "result.micro")),
        in_files(("low", "high"), lambda row: interval_ends(row.result.confidence_interval)),
        in_files(_COUNTS, lambda row: tuple(row.result.counts.get(name) for name in _COUNTS)),
        in_files("segments", lambda row: row.result.segments),
        in_files("difference_to_best", lambda row: row.to_best and row.to_best.difference),
        in_files(
            ("difference_low", "difference_high"), lambda row: interval_ends(row.to_best and row.to_best.interval)
        ),
        in_files("pvalue_adjusted", lambda row: row.to_best and row.to_best.pvalue_adjusted),
        in_files(
            ("rank", "rank_highest", "rank_lowest", "rank_letters"),
            attrgetter("rank.rank", "rank.highest", "rank.lowest", "rank.letters"),
        ),
        in_files("differs_from_best", lambda row: row.to_best and ("yes" if row.is_significant else "no")),
        in_files("difference_to_baseline", lambda row: row.to_baseline and row.to_baseline.difference),
        in_files("pvalue_adjusted_to_baseline", lambda row: row.to_baseline and row.to_baseline.pvalue_adjusted),
    ]


def metric_title(metric: str) -> str:
    """Title of a metric for people: "CER", "WER (raw)", "line accuracy"."""
    variant = next((suffix for suffix in _VARIANTS if metric.endswith(f"_{suffix}")), "")
    name = metric.removesuffix(f"_{variant}")
    title = name.upper() if len(name) <= LONGEST_ABBREVIATION else name.replace("_", " ")
    return f"{title} ({variant})" if variant else title


def size_text(segments: int, length: int | None = None, unit_name: str = "") -> str:
    """Number of segments and length of the reference: "4,668 segments, 222,303 characters"."""
    size = count_of(segments, "segment")
    return size if length is None else f"{size}, {count_of(length, unit_name)}"


def caption(table: RateTable) -> str:
    """Metric, data set, size and direction in one or two sentences."""
    size = size_text(table.segments, table.length, table.unit_name)
    direction = table.direction.value.capitalize()
    return f"{metric_title(table.metric)} on {table.dataset_name} ({size}). {direction} is better."


def warnings_of(table: RateTable, *, all_notes: bool) -> list[str]:
    """Sentences that change how a number may be read, or all of them, and on systems without a row."""
    return [
        *(table.warnings if all_notes else table.cautions),
        *(f"Without result: {name} ({reason})." for name, reason in table.left_out.items()),
    ]


def legend(table: RateTable, columns: Sequence[RateColumn]) -> Iterator[str]:
    """Legend of the signs in the cells of these columns."""
    if any(_has_dagger(row, table) for row in table.rows):
        yield NOT_SIGNIFICANT
    if "rank" in columns and table.has_groups:
        yield ABOUT_GROUPS
    compared = {
        "pvalue": [row.to_best for row in table.rows],
        "baseline_pvalue": [row.to_baseline for row in table.rows],
    }
    if any(pair and disagrees(pair) for column in columns for pair in compared.get(column, ())):
        yield DISAGREEMENT


def _applies(name: RateColumn, table: RateTable) -> bool:
    if name in ("operations", "errors"):
        return table.has_error_counts
    if name == "rank":
        return table.has_groups
    if name.startswith("baseline_"):
        return any(row.to_baseline for row in table.rows)
    return table.has_comparisons if name in ("difference", "pvalue") else True


def _column(name: RateColumn, table: RateTable) -> Column:
    rates = table.format
    level = next(filter(None, (level_title(row.result.confidence_interval) for row in table.rows)), "")
    # T, transpositions, only if they are counted.
    operations = "S/D/I/T" if any("transpositions" in row.result.counts for row in table.rows) else "S/D/I"

    def show_pair(pair: PairComparison) -> Cell:
        return Cell(rates.difference(pair.difference), rates.interval_of(pair.difference, pair.interval, signed=True))

    def show_pvalue(pair: PairComparison) -> Cell:
        return Cell(pvalue_text(pair.pvalue_adjusted), footnote=DOUBLE_DAGGER if disagrees(pair) else "")

    def show_interval(result: MetricResult) -> Cell:
        return Cell(detail=rates.interval_of(result.micro, result.confidence_interval))

    def show_operations(counts: Mapping[str, int]) -> str:
        return "/".join(str(counts[name]) for name in OPERATIONS if name in counts)

    def show_errors(counts: Mapping[str, int]) -> Cell:
        return Cell(str(counts.get("errors", "")), f"/{counts['length']}" if "length" in counts else "")

    return {
        "interval": Column("", lambda row: row.result, show_interval, detail=level or "[no interval]", keep=3),
        "rank": Column("rank", lambda row: row.rank, rank_cell),
        "operations": Column(operations, lambda row: row.result.counts, show_operations, keep=1),
        "errors": Column(
            "errors",
            lambda row: row.result.counts,
            show_errors,
            detail="/N",
            is_detail_optional=True,
            keep=0,
            implied_by=operations,
        ),
        "segments": Column("n", lambda row: row.result.segments, str, keep=0),
        "macro": Column(f"macro{rates.sign}", lambda row: row.result.macro, rates.rate, kind="decimal", keep=0),
        "difference": Column("Δ to best", lambda row: row.to_best, show_pair, detail=level, keep=4),
        "pvalue": Column("p", lambda row: row.to_best, show_pvalue, keep=5),
        "baseline_difference": Column(
            f"Δ to {table.baseline_name}", lambda row: row.to_baseline, show_pair, detail=level
        ),
        "baseline_pvalue": Column(f"p to {table.baseline_name}", lambda row: row.to_baseline, show_pvalue),
    }[name]


def rank_cell(rank: Rank) -> Cell:
    """Ranks that the tests leave open, and letters of groups: "1-2 a"."""
    is_open = rank.highest != rank.lowest
    return Cell(f"{rank.highest}–{rank.lowest}" if is_open else str(rank.highest), rank.letters or "", value=rank.rank)


def rate_cell(row: RateRow, table: RateTable) -> Cell:
    """The rate, bold where all others are significantly worse, with a dagger where it may be as good as the best."""
    rate = row.result.micro
    text = "" if rate is None else table.format.rate(rate)
    return Cell(text, is_bold=is_bold(row), footnote=DAGGER if _has_dagger(row, table) else "")


def is_bold(row: RateRow) -> bool:
    """Whether it is the best, and all others are significantly worse."""
    return row.is_best and row.is_significant


def _has_dagger(row: RateRow, table: RateTable) -> bool:
    return table.is_compared_with_best and not row.is_best and not row.is_significant


MOST_SYSTEMS = 8
"""A wider matrix is hard to read; above this number, only the column of the best system remains."""


def lay_out_pairs(result: DatasetResult, table: RateTable) -> Table | None:
    """All pairs of one metric, the row minus the column, in the order of the table.

    None for fewer than three systems, whose only pair is in the table.
    """
    if len(table.rows) < 3:
        return None
    pairs = result.pairs(table.metric)
    others = table.rows if len(table.rows) <= MOST_SYSTEMS else table.rows[:1]

    def against(other: RateRow) -> Column:
        return Column(
            other.name, show=lambda row: _pair_cell(table, row.system, other.system, pairs), kind="text", blank="·"
        )

    return Table(
        columns=[Column("", lambda row: row.name, kind="name"), *map(against, others)],
        rows=table.rows,
    )


def _pair_cell(table: RateTable, row: str, column: str, pairs: Sequence[PairComparison]) -> Cell:
    pair = find_pair(pairs, column, row)
    if pair is None:
        return Cell()
    return Cell(
        table.format.difference(pair.difference),
        table.format.interval_of(pair.difference, pair.interval, signed=True),
        mark=verdict_mark(pair, table),
        remark=f"{VERDICT_WORDS[pair.verdict]}, {pvalue_sentence(pair.pvalue_adjusted)}",
        link=explorer_link(table.dataset, "wrong", row, column),
    )


def lay_out_overview(results: Sequence[DatasetResult], settings: ReportSettings) -> Table:
    """One row per data set, metric and system: rate with interval, adjusted p-value against the baseline, n.

    The signature has one part per data set. At least one result is needed.
    """
    tables = [make_rate_table(result, metric, settings) for result in results for metric in settings.metrics]
    rows = [_OverviewRow(table, row, row is table.rows[0]) for table in tables for row in table.rows]
    intervals = [overview.row.result.confidence_interval for overview in rows]
    level = next(filter(None, map(level_title, intervals)), "")
    return Table(
        stem="overview",
        caption="All systems on all data sets. The table of each metric says how intervals and p were computed.",
        columns=[
            Column("data set", lambda row: row.table.dataset_name if row.is_first else "", kind="name"),
            Column("metric", lambda row: metric_title(row.table.metric) if row.is_first else "", kind="name"),
            Column("system", show=lambda row: Cell(row.row.name, is_bold=is_bold(row.row)), kind="name"),
            Column(f"rate{settings.rates.sign}", show=_rate_with_interval, detail=level),
            in_files(
                ("dataset", "metric", "system", "rate"),
                attrgetter("table.dataset", "table.metric", "row.system", "row.result.micro"),
            ),
            in_files(("low", "high"), lambda row: interval_ends(row.row.result.confidence_interval)),
            Column(
                "p to baseline",
                lambda row: row.row.to_baseline and row.row.to_baseline.pvalue_adjusted,
                pvalue_text,
                name="pvalue_to_baseline",
            ),
            Column("n", lambda row: row.row.result.segments, name="segments"),
        ],
        rows=rows,
        marks=[NOT_SIGNIFICANT] if any(_has_dagger(overview.row, overview.table) for overview in rows) else [],
        notes=[f"Baseline on {settings.name(result.dataset)}: {settings.name(result.baseline)}." for result in results],
        signature=" ".join(str(result.signature) for result in results),
    )


class _OverviewRow(NamedTuple):
    """A row of the table of a metric; names of the row above are not repeated."""

    table: RateTable
    row: RateRow
    is_first: bool


def _rate_with_interval(overview: _OverviewRow) -> Cell:
    result = overview.row.result
    interval = overview.table.format.interval_of(result.micro, result.confidence_interval)
    return replace(rate_cell(overview.row, overview.table), detail=interval)

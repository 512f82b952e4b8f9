"""A rate table as rows of plain text: what LaTeX, Markdown and the screen have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.report.numbers import interval_text, per_cent, pvalue_text, signed_points
from misread.report.rate_table import RateRow, RateTable
from misread.stats import Verdict

DAGGER = "†"
LONGEST_ABBREVIATION = 3
# Read without colour: fewer errors point down.
_SHAPES: Mapping[Verdict, str] = {"better": "▼", "worse": "▲", "equivalent": "≈", "inconclusive": "○"}
NOT_SEPARATED = f"{DAGGER}: not separated from the best."


@dataclass(frozen=True)
class CellRow:
    """One system; `is_bold` marks a best one that is separated from all others."""

    name: str
    rate: str
    interval: str
    operations: str
    errors: str
    length: str
    difference: str
    difference_interval: str
    pvalue: str
    is_bold: bool
    has_dagger: bool


def header(table: RateTable) -> list[str]:
    """Titles of the columns, in the order of `CellRow`'s texts as `columns` gives them."""
    level = f"[{table.confidence * 100:g} %]" if table.confidence else "[no interval]"
    titles = ["system", f"{metric_title(table.metric)} %", level]
    if table.has_error_counts:
        titles += [operations_title(table), "errors/N"]
    return [*titles, f"Δ to best {level}", "p"] if table.has_comparisons else titles


def operations_title(table: RateTable) -> str:
    """What the counts of operations are: T, transpositions, stands only where they are counted."""
    return "S/D/I/T" if any("transpositions" in row.result for row in table.rows) else "S/D/I"


def columns(row: CellRow, table: RateTable) -> list[str]:
    """Texts of one row, in the order of `header`."""
    texts = [row.name, row.rate, row.interval]
    if table.has_error_counts:
        texts += [row.operations, "/".join(filter(None, [row.errors, row.length]))]
    if not table.has_comparisons:
        return texts
    return [*texts, f"{row.difference} {row.difference_interval}".strip(), row.pvalue]


def make_cells(table: RateTable) -> list[CellRow]:
    """Format every row.

    Parameters
    ----------
    table : RateTable
        Numbers.

    Returns
    -------
    list of CellRow
        In the order of the table.
    """
    return [_format(row, table.digits) for row in table.rows]


def metric_title(metric: str) -> str:
    """Title of a metric for people.

    Examples
    --------
    >>> metric_title("cer"), metric_title("wer_raw"), metric_title("line_accuracy")
    ('CER', 'WER (raw)', 'line accuracy')
    """
    name = metric.removesuffix("_raw")
    title = name.upper() if len(name) <= LONGEST_ABBREVIATION else name.replace("_", " ")
    return title if name == metric else f"{title} (raw)"


def caption(table: RateTable) -> str:
    """One sentence: what, on what, how much."""
    size = "1 segment" if table.segments == 1 else f"{table.segments:,} segments"
    if table.length is not None:
        size += f", {table.length:,} {table.unit_name}"
    return f"{metric_title(table.metric)} on {table.dataset_name} ({size}). {table.direction.capitalize()} is better."


def notes(table: RateTable) -> list[str]:
    """Sentences below the table: method, marks, warnings, systems without a row."""
    lines = [table.method]
    if any(row.has_dagger for row in make_cells(table)):
        lines.append(NOT_SEPARATED)
    lines.extend(table.warnings)
    lines.extend(f"Without result: {name} ({reason})." for name, reason in table.left_out.items())
    return lines


def verdict_lines(table: RateTable) -> list[str]:
    """One sentence a system on how it stands to the best one: a shape, the word, the reason.

    Parameters
    ----------
    table : RateTable
        Numbers.

    Returns
    -------
    list of str
        In the order of the table; empty where there is one system only.
    """
    best = table.rows[0].name if table.rows else ""
    return [
        f"{_SHAPES[row.to_best.verdict]} {row.name} against {best}: {row.to_best.verdict}. {row.to_best.reason}"
        for row in table.rows
        if row.to_best
    ]


def _format(row: RateRow, digits: int) -> CellRow:
    result = row.result
    rate = result["micro"]
    operations = [result.get(name) for name in ("substitutions", "deletions", "insertions", "transpositions")]
    difference = row.to_best
    return CellRow(
        name=row.name,
        rate="" if rate is None else per_cent(rate, digits),
        interval=interval_text(result["confidence_interval"], digits),
        operations="/".join(str(count) for count in operations if count is not None),
        errors=str(result.get("errors", "")),
        length=str(result.get("length", "")),
        difference=signed_points(difference.value, digits) if difference else "",
        difference_interval=interval_text(difference.interval, digits, signed=True) if difference else "",
        pvalue=pvalue_text(difference.pvalue_adjusted) if difference else "",
        is_bold=row.is_best and row.is_separated,
        has_dagger=difference is not None and not row.is_separated,
    )

"""Every test of every pair of systems, on a screen."""

from typing import NamedTuple

from rich.console import Console

from misread.stats import DatasetResult, PairComparison, TestResult
from misread.tables.number_text import pvalue_text
from misread.tables.rates_layout import metric_title
from misread.tables.render.terminal import print_rows
from misread.tables.table import Cell, Column, Table
from misread.tables.terminal.output import print_lines
from misread.text.nouns import plural

_COLUMNS = (
    Column(
        "test", show=lambda row: Cell(f"{row.name} *" if row.decides else row.name, is_bold=row.decides), kind="text"
    ),
    Column("statistic", lambda row: row.test.statistic, lambda statistic: f"{statistic:.5g}", keep=0),
    Column("p", lambda row: row.test.pvalue, pvalue_text, keep=3),
    Column("adjusted", lambda row: row.test.pvalue_adjusted, pvalue_text, keep=3),
    Column("n", lambda row: row.test.n, str, keep=2),
    Column("of", lambda row: f"{plural(row.test.unit)}", kind="text", keep=1),
    Column(
        "effect size",
        lambda row: f"{row.test.effect_size:.3g} ({row.test.effect_size_name.replace('_', ' ')})",
        kind="text",
        keep=1,
    ),
)


class _TestRow(NamedTuple):
    """One test of a pair, and whether the verdict follows it."""

    name: str
    test: TestResult
    decides: bool


def print_tests(result: DatasetResult, console: Console) -> None:
    """Print one table per pair of systems and metric, with the notes of its tests."""
    for pair in result.comparisons:
        table = _lay_out(pair)
        print_rows(table, console)
        print_lines(table.notes, console)


def _lay_out(pair: PairComparison) -> Table:
    return Table(
        caption=f"{metric_title(pair.metric)}: {pair.system} against {pair.baseline}",
        columns=_COLUMNS,
        rows=[_TestRow(name, test, name == pair.decided_by) for name, test in pair.tests.items()],
        marks=["* decides"],
        notes=[f"{name}: {note}" for name, test in pair.tests.items() for note in test.notes],
    )

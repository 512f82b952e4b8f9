"""Every test of every pair of systems, on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from misread.stats import DatasetResult, PairComparison
from misread.tables.number_text import pvalue_text
from misread.tables.rates_layout import metric_title
from misread.tables.render.terminal import print_rows
from misread.tables.table import Cell, Column, Table
from misread.tables.terminal.output import print_lines
from misread.text.display import show_label

if TYPE_CHECKING:
    from rich.console import Console

_COLUMNS = (
    Column("test", kind="text"),
    *(Column(name, keep=keep) for name, keep in (("statistic", 0), ("p", 3), ("adjusted", 3), ("n", 2))),
    *(Column(name, kind="text", keep=1) for name in ("of", "effect size")),
)


def print_tests(result: DatasetResult, console: Console) -> None:
    """Print one table per pair of systems and metric, with the notes of its tests."""
    for pair in result.comparisons:
        table = _lay_out(pair)
        print_rows(table, console)
        print_lines(table.notes, console)
    for metric, ranks in result.average_ranks.items():
        friedman, nemenyi = ranks.friedman, ranks.nemenyi
        shown = ", ".join(f"{name} {rank:.2f}" for name, rank in nemenyi.average_ranks.items())
        sentences = (
            f"{metric_title(metric)}: average ranks over {nemenyi.blocks} clusters ({friedman.unit}): {shown}. "
            f"Friedman p {pvalue_text(friedman.pvalue)}; ranks further apart than "
            f"{nemenyi.critical_difference:.2f} differ (Nemenyi, level {nemenyi.alpha:g})."
        )
        print_lines([show_label(sentences)], console)


def _lay_out(pair: PairComparison) -> Table:
    rows = []
    for name, test in pair.tests.items():
        decides = name == pair.decided_by
        numbers = (
            f"{test.statistic:.5g}",
            pvalue_text(test.pvalue),
            "" if test.pvalue_adjusted is None else pvalue_text(test.pvalue_adjusted),
            str(test.n),
            f"{test.unit}s",
            f"{test.effect_size:.3g} ({test.effect_size_name.replace('_', ' ')})",
        )
        rows.append([Cell(f"{name} *" if decides else name, is_bold=decides), *map(Cell, numbers)])
    return Table(
        caption=f"{metric_title(pair.metric)}: {pair.system} against {pair.baseline}",
        columns=_COLUMNS,
        rows=rows,
        marks=["* decides"],
        notes=[f"{name}: {note}" for name, test in pair.tests.items() for note in test.notes],
    )

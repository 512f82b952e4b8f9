"""Every test of every pair of systems, on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from misread.report.numbers import pvalue_text
from misread.report.tables.rates_layout import metric_title
from misread.stats import DatasetResult, PairComparison
from misread.text.labels import show_label

if TYPE_CHECKING:
    from rich.console import Console

HEADER = ("test", "statistic", "p", "adjusted", "n", "of", "effect size")


def print_tests(result: DatasetResult, console: Console) -> None:
    """Print one table per pair of systems and metric, with the notes of its tests."""
    for pair in result.comparisons:
        console.print(_grid(pair))
        for name, test in pair.tests.items():
            for note in test.notes:
                console.print(Text(show_label(f"{name}: {note}")), soft_wrap=True)
    for metric, ranks in result.average_ranks.items():
        friedman, nemenyi = ranks.friedman, ranks.nemenyi
        shown = ", ".join(f"{name} {rank:.2f}" for name, rank in nemenyi.average_ranks.items())
        sentences = (
            f"{metric_title(metric)}: average ranks over {nemenyi.blocks} clusters ({friedman.unit}): {shown}. "
            f"Friedman p {pvalue_text(friedman.pvalue)}; ranks further apart than "
            f"{nemenyi.critical_difference:.2f} differ (Nemenyi, level {nemenyi.alpha:g})."
        )
        console.print(Text(show_label(sentences)), soft_wrap=True)


def _grid(pair: PairComparison) -> Table:
    grid = Table(
        title=Text(show_label(f"{metric_title(pair.metric)}: {pair.system} against {pair.baseline}")),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    for position, title in enumerate(HEADER):
        is_number = 0 < position < len(HEADER) - 2
        grid.add_column(Text(title), justify="right" if is_number else "left", no_wrap=position < len(HEADER) - 1)
    for name, test in pair.tests.items():
        decides = name == pair.decided_by
        grid.add_row(
            Text(f"{name} *" if decides else name, "bold" if decides else ""),
            f"{test.statistic:.5g}",
            pvalue_text(test.pvalue),
            "" if test.pvalue_adjusted is None else pvalue_text(test.pvalue_adjusted),
            str(test.n),
            Text(show_label(f"{test.unit}s")),
            Text(f"{test.effect_size:.3g} ({test.effect_size_name.replace('_', ' ')})"),
        )
    grid.caption = Text("* decides")
    grid.caption_justify = "left"
    return grid

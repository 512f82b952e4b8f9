"""The difference between two revisions in a terminal: the answer, why, what, and the segments that moved."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from misread.alignment import column_grid
from misread.report.grid_text import GridStyle, grid_text, legend
from misread.report.terminal import print_lines
from misread.revisions.diff_text import answer, by_metric, cells, change_lines, header, mover_title, size_line
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference, SystemDifference

_STYLES = {"regressed": "red bold", "improved": "green bold"}


def print_difference(difference: RevisionDifference, console: Console) -> None:
    """Print everything; numbers are never cut, narrow terminals fold cells.

    Parameters
    ----------
    difference : RevisionDifference
        What to print.
    console : rich.console.Console
        Where to.
    """
    word, sentence = answer(difference)
    mark = {"REGRESSION": _STYLES["regressed"], "IMPROVEMENT": _STYLES["improved"]}.get(word, "bold")
    lines = [Text(word, mark) + Text(f"  {sentence}")]
    lines.append(Text(f"{difference.before} -> {difference.after}"))
    if difference.rescored:
        lines.append(Text(f"both sides scored anew from their captures under {difference.rescored}"))
    why = change_lines(difference.changes)
    lines += [Text(f"{'why' if number == 0 else '':5}{line}") for number, line in enumerate(why)]
    print_lines(lines, console)
    for dataset in difference.datasets:
        print_lines([Text(), Text(size_line(dataset), "bold")], console)
        for metric, rows in by_metric(dataset).items():
            console.print(_table(metric, rows, difference.confidence))
        print_lines(_notes(dataset), console)
        print_lines(_movers(dataset, GridStyle(console.width)), console)
    print_lines([Text(difference.method, "dim")], console)


def _table(metric: str, rows: list[SystemDifference], confidence: float) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    system, *numbers, verdict = header(metric, confidence)
    table.add_column(Text(system), no_wrap=True)
    for title in numbers:
        table.add_column(Text(title), justify="right", overflow="fold")
    table.add_column(Text(verdict), no_wrap=True)
    for row in rows:
        *texts, last = cells(row)
        table.add_row(*map(Text, texts), Text(last, _STYLES.get(row.verdict, "")))
    return table


def _notes(dataset: DatasetDifference) -> Iterator[Text]:
    for row in dataset.differences:
        if row.verdict in ("inconclusive", "equivalent"):
            yield Text(f"{row.system}, {row.metric}: {row.reason}")
    yield from map(Text, dataset.notes)


def _movers(dataset: DatasetDifference, style: GridStyle) -> Iterator[Text]:
    if not dataset.movers:
        return
    yield Text(f"segments that changed most, by errors of {dataset.movers_metric}", "bold")
    for mover in dataset.movers:
        yield Text(mover_title(mover))
        yield from aligned(mover, style)
    if dataset.movers[0].reference is not None:
        yield legend(style)


def aligned(mover: Mover, style: GridStyle) -> list[Text]:
    """Both texts of a segment under their reference; nothing where they could not be read."""
    if mover.reference is None:
        return []
    return grid_text(column_grid(mover.reference, {"before": mover.before, "after": mover.after}), style)

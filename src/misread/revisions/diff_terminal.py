"""The difference between two revisions in a terminal: the answer, why, what, and the segments that moved."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from misread.revisions.diff_text import aligned, answer, change_lines, lay_out_differences, mover_title, size_line
from misread.revisions.difference import DatasetDifference, RevisionDifference
from misread.tables.render.terminal import STYLES, print_rows
from misread.tables.terminal.grid import GridStyle, legend
from misread.tables.terminal.output import print_lines
from misread.text.display import show_label


def print_difference(difference: RevisionDifference, console: Console) -> None:
    """Print everything; numbers are never cut, narrow terminals fold cells."""
    word, sentence = answer(difference)
    mark = {"REGRESSION": STYLES["regressed"], "IMPROVEMENT": STYLES["improved"]}.get(word, "bold")
    lines: list[str | Text] = [Text(word, mark) + f"  {sentence}", f"{difference.before} -> {difference.after}"]
    if difference.rescored:
        lines.append(f"both sides scored again from their captures under {difference.rescored}")
    why = change_lines(difference.changes)
    lines += [f"{'why' if number == 0 else '':5}{line}" for number, line in enumerate(why)]
    print_lines(lines, console)
    for dataset in difference.datasets:
        print_lines(["", Text(size_line(dataset), "bold")], console)
        for table in lay_out_differences(dataset, difference.confidence):
            print_rows(table, console)
        print_lines(_notes(dataset), console)
        print_lines(_movers(dataset, GridStyle(console.width)), console)
    print_lines([Text(show_label(difference.method), "dim")], console)


def _notes(dataset: DatasetDifference) -> Iterator[str]:
    for row in dataset.differences:
        if row.verdict in ("inconclusive", "equivalent"):
            yield show_label(f"{row.system}, {row.metric}: {row.reason}")
    yield from map(show_label, dataset.notes)


def _movers(dataset: DatasetDifference, style: GridStyle) -> Iterator[Text]:
    if not dataset.movers:
        return
    yield Text(f"segments that changed most, by errors of {dataset.movers_metric}", "bold")
    for mover in dataset.movers:
        yield Text(mover_title(mover))
        yield from aligned(mover, style)
    if dataset.movers[0].reference is not None:
        yield legend(style)

"""The difference between two revisions in a terminal: the answer, why, what, and the segments that moved."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from misread.alignment import column_grid
from misread.display.diff_text import answer, by_metric, cells, change_lines, header, mover_title, size_line
from misread.display.grid import GridStyle, grid_text, legend
from misread.display.tables import print_lines
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference, SystemDifference
from misread.text.labels import show_label
from misread.text.visible import cell_width

_STYLES = {"regressed": "red bold", "improved": "green bold"}


def print_difference(difference: RevisionDifference, console: Console) -> None:
    """Print everything; numbers are never cut, narrow terminals fold cells."""
    word, sentence = answer(difference)
    mark = {"REGRESSION": _STYLES["regressed"], "IMPROVEMENT": _STYLES["improved"]}.get(word, "bold")
    lines = [Text(word, mark) + Text(f"  {sentence}")]
    lines.append(Text(f"{difference.before} -> {difference.after}"))
    if difference.rescored:
        lines.append(Text(f"both sides scored again from their captures under {difference.rescored}"))
    why = change_lines(difference.changes)
    lines += [Text(f"{'why' if number == 0 else '':5}{line}") for number, line in enumerate(why)]
    print_lines(lines, console)
    for dataset in difference.datasets:
        print_lines([Text(), Text(size_line(dataset), "bold")], console)
        for metric, rows in by_metric(dataset).items():
            _print_table(metric, rows, difference.confidence, console)
        print_lines(_notes(dataset), console)
        print_lines(_movers(dataset, GridStyle(console.width)), console)
    print_lines([Text(show_label(difference.method), "dim")], console)


def _print_table(metric: str, rows: list[SystemDifference], confidence: float, console: Console) -> None:
    # Cells fold at these spaces: no number is cut in two.
    texts = [[text.replace("/", " / ") for text in cells(row)] for row in rows]
    titles = header(metric, confidence)
    columns = list(zip(titles, *texts, strict=True))
    longest = [max(cell_width(word) for cell in column for word in cell.split(" ")) for column in columns]
    longest[0], longest[-1] = (max(map(cell_width, columns[end])) for end in (0, -1))
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for title, width in zip(titles, longest, strict=True):
        is_name = title in ("system", "verdict")
        table.add_column(Text(title), justify="left" if is_name else "right", no_wrap=is_name, min_width=width)
    for row, line in zip(rows, texts, strict=True):
        table.add_row(*map(Text, line[:-1]), Text(line[-1], _STYLES.get(row.verdict, "")))
    # A terminal that is narrower still wraps the lines by itself.
    console.print(table, width=max(console.width, sum(longest) + len(longest)), crop=False)


def _notes(dataset: DatasetDifference) -> Iterator[Text]:
    for row in dataset.differences:
        if row.verdict in ("inconclusive", "equivalent"):
            yield Text(show_label(f"{row.system}, {row.metric}: {row.reason}"))
    yield from (Text(show_label(note)) for note in dataset.notes)


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

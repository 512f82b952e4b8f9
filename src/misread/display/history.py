"""A history as a table: one row per commit, one column per system, change points marked."""

from __future__ import annotations

from misread.display.diff_text import RATES
from misread.report.numbers import pvalue_sentence
from misread.report.render.markdown import escape_markdown, markdown_rows
from misread.report.tables.marks import SIGNS
from misread.report.tables.rates_layout import metric_title
from misread.report.tables.table import Cell, Column, Table
from misread.revisions.history import NO_RESULTS, History, HistoryPoint


def lay_out_history(history: History) -> Table:
    """One row per commit, the latest first; notes say what the marks mean and why a curve has gaps."""
    by_commit: dict[str, dict[str, HistoryPoint]] = {}
    for point in history.points:
        by_commit.setdefault(point.commit.hash, {})[point.system] = point
    rates = (f"{system} {metric_title(history.metric)} %" for system in history.systems)
    rows = []
    for of in reversed(list(by_commit.values())):
        commit = next(iter(of.values())).commit
        row = [commit.short, commit.date, *(_cell(of[system]) for system in history.systems), commit.subject]
        rows.append(list(map(Cell, row)))
    return Table(
        caption=history.dataset,
        columns=[Column(title, kind="text") for title in ("commit", "date", *rates, "subject")],
        rows=rows,
        notes=_notes(history),
    )


def history_markdown(history: History) -> str:
    """Render as Markdown."""
    table = lay_out_history(history)
    return "\n".join([*markdown_rows(table), "", *map(escape_markdown, table.notes), ""])


def _notes(history: History) -> list[str]:
    notes = [
        f"▼ improved, ▲ regressed: change points, each against the one before; {history.spending} spending of alpha "
        f"{history.alpha:g} over the commits with new results, system by system."
    ]
    notes += [
        f"{point.commit.short} {point.system}: {point.note}"
        for point in history.points
        if point.note and point.note != NO_RESULTS
    ]
    return list(dict.fromkeys(notes))


def _cell(point: HistoryPoint) -> str:
    if point.rate is None:
        return "-"
    text = RATES.rate(point.rate)
    if point.is_change_point and point.verdict and point.pvalue is not None:
        text += f" {SIGNS[point.verdict]} {pvalue_sentence(point.pvalue)}"
    elif point.verdict is None:
        # The curve starts, or starts again.
        text += " |"
    return text

"""A history as a table: one row per commit, one column per system, change points marked."""

from __future__ import annotations

from typing import Final

from misread.display.diff_text import RATES
from misread.report.numbers import pvalue_text
from misread.report.render.markdown_text import escape_markdown, markdown_row
from misread.report.tables.rates_layout import metric_title
from misread.revisions.history import NO_RESULTS, History, HistoryPoint
from misread.text.labels import show_label

_CHANGE_POINTS: Final = {"improved": "▼", "regressed": "▲"}


def history_rows(history: History) -> list[list[str]]:
    """Header and one row per commit, the latest first."""
    by_commit: dict[str, dict[str, HistoryPoint]] = {}
    for point in history.points:
        by_commit.setdefault(point.commit.hash, {})[point.system] = point
    rows = [
        ["commit", "date", *(f"{system} {metric_title(history.metric)} %" for system in history.systems), "subject"]
    ]
    for of in reversed(list(by_commit.values())):
        commit = next(iter(of.values())).commit
        rows.append([commit.short, commit.date, *(_cell(of[system]) for system in history.systems), commit.subject])
    return rows


def history_notes(history: History) -> list[str]:
    """Sentences below: what the marks mean, why a curve has gaps."""
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


def history_markdown(history: History) -> str:
    """Render as Markdown."""
    header, *rows = history_rows(history)
    lines = [markdown_row(map(escape_markdown, header)), markdown_row(["---"] * len(header))]
    lines += [markdown_row([escape_markdown(show_label(cell)) for cell in row]) for row in rows]
    return "\n".join([*lines, "", *(escape_markdown(show_label(note)) for note in history_notes(history)), ""])


def _cell(point: HistoryPoint) -> str:
    if point.rate is None:
        return "-"
    text = RATES.rate(point.rate)
    if point.is_change_point and point.verdict and point.pvalue is not None:
        p = pvalue_text(point.pvalue)
        text += f" {_CHANGE_POINTS[point.verdict]} p {p if p.startswith('<') else f'= {p}'}"
    elif point.verdict is None:
        # The curve starts, or starts again.
        text += " |"
    return text

"""A history as a table: one row per commit, one column per system, change points marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from misread.revisions.diff_text import RATES
from misread.revisions.git import Commit
from misread.revisions.history import NO_RESULTS, History, HistoryPoint
from misread.revisions.matching import other_versions
from misread.tables import Column, Table
from misread.tables.number_text import pvalue_sentence
from misread.tables.rates import SIGNS
from misread.tables.rates_layout import metric_title
from misread.tables.render.markdown import escape_markdown, markdown_rows
from misread.text.nouns import count_of

_START: Final = "|"
_NONE: Final = "-"
_SHOWN: Final = 5


def lay_out_history(history: History) -> Table:
    """One row per commit that has a result, the latest first; notes say why a curve has gaps."""
    by_commit: dict[str, dict[str, HistoryPoint]] = {}
    for point in history.points:
        by_commit.setdefault(point.commit.hash, {})[point.system] = point
    latest_first = list(reversed(by_commit.values()))
    with_results = [points for points in latest_first if any(point.rate is not None for point in points.values())]

    def system_column(system: str) -> Column:
        title = f"{system} {metric_title(history.metric)} %"
        return Column(title, lambda points: _cell(points[system]), kind="sign")

    def commit_column(title: str, value: Callable[[Commit], str], keep: int = 2) -> Column:
        return Column(title, lambda points: value(next(iter(points.values())).commit), kind="text", keep=keep)

    columns = [
        commit_column("commit", lambda commit: commit.short),
        commit_column("date", lambda commit: commit.date, 1),
        *map(system_column, history.systems),
        commit_column("subject", lambda commit: commit.subject, 0),
    ]
    texts = [column.cell(points).text for points in with_results for column in columns]
    return Table(
        caption=history.dataset,
        columns=columns,
        rows=with_results,
        marks=_marks(history, {text.split(" ")[-1] for text in texts}),
        notes=_notes(history, [points for points in latest_first if points not in with_results]),
    )


def history_markdown(history: History) -> str:
    """Render as Markdown."""
    table = lay_out_history(history)
    return "\n".join([*markdown_rows(table), "", *map(escape_markdown, table.sentences), ""])


def _marks(history: History, last_words: Collection[str]) -> list[str]:
    marks = [
        f"▼ improved, ▲ regressed: change points, each against the one before; alpha {history.alpha:g} divided by the "
        "number of commits with new results, system by system."
    ]
    if _START in last_words:
        marks.append(f"{_START}: the curve starts, or starts again.")
    if _NONE in last_words:
        marks.append(f"{_NONE}: the system has no result there.")
    return marks


def _notes(history: History, without_results: Sequence[Mapping[str, HistoryPoint]]) -> list[str]:
    empty = [point for points in without_results for point in points.values()]
    notes = [
        f"{point.commit.short} {point.system}: {point.note}"
        for point in history.points
        if point.note and point.note != NO_RESULTS and not (point.is_missing and point in empty)
    ]
    if history.note:
        notes.append(f"The curve begins at {history.points[0].commit.short}: {history.note}.")
    if versions := dict.fromkeys(point.version for point in history.points if point.version):
        notes.append(other_versions(versions))
    if without_results:
        names = [next(iter(points.values())).commit.short for points in without_results]
        shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else "")
        # The latest one says what would bring its results; those of the others are brought alike.
        reason = next((f" {point.note}" for point in empty if point.is_missing and point.note != NO_RESULTS), "")
        notes.append(f"{count_of(len(names), 'commit')} without results: {shown}.{reason}")
    return list(dict.fromkeys(notes))


def _cell(point: HistoryPoint) -> str:
    if point.rate is None:
        return _NONE
    text = RATES.rate(point.rate)
    if point.is_change_point and point.verdict and point.pvalue is not None:
        text += f" {SIGNS[point.verdict]} {pvalue_sentence(point.pvalue)}"
    elif point.verdict is None:
        # The curve starts or restarts.
        text += f" {_START}"
    return text

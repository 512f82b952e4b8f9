"""The difference between two revisions as text and tables, in a terminal or as Markdown for a pull request."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from misread.alignment import column_grid
from misread.revisions.changes import Change
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference, SystemDifference, with_names
from misread.stats.results import count_clusters
from misread.tables import Cell, Column, Table
from misread.tables.number_text import RateFormat, pvalue_text
from misread.tables.rates import SIGNS
from misread.tables.rates_layout import metric_title
from misread.tables.render.markdown import code_span, escape_markdown, markdown_rows
from misread.tables.render.terminal import STYLES, print_rows
from misread.tables.table import Mark, say_once
from misread.tables.terminal.grid import GridStyle, grid_text, legend
from misread.tables.terminal.output import print_lines
from misread.text.display import show_label
from misread.text.nouns import count_of

RATES: Final = RateFormat()
"""Format of rates and differences: per cent and points, two digits."""

_MOST_NAMES: Final = 5
_CONTEXT: Final = 10
"""Columns around an error, so that a segment takes few lines of a screen."""
_MOST_BLIND: Final = 2
"""Comparisons that the headline names; notes below the tables give the reason for each."""


def answer(difference: RevisionDifference) -> tuple[str, str]:
    """The answer in one word, and the sentence that explains it."""
    difference = with_names(difference, difference.names)
    sentence = _sentence(difference)
    gone, new = (_shortened(difference.only(side)) for side in ("before", "after"))
    if difference.outcome == "incomplete":
        sentence = f"gone since {difference.before}: {gone}; of the rest, {sentence}"
    elif gone:
        sentence += f"; gone: {gone}"
    if new:
        sentence += f"; new: {new}"
    blind = [
        f"{system_difference.metric} of {system_difference.system} on {system_difference.dataset}"
        for system_difference in difference.differences
        if not system_difference.can_tell
    ]
    if blind:
        sentence += f"; no p below {difference.alpha:.4g} could be reached for {_shortened(blind, _MOST_BLIND)}"
    return difference.outcome.upper(), f"{sentence}."


def _sentence(difference: RevisionDifference) -> str:
    """The sentence about the systems that both sides have."""
    systems = len({system_difference.system for system_difference in difference.differences})
    worse, better = difference.systems_with("regressed"), difference.systems_with("improved")
    than = f"than at {difference.before}"
    if worse:
        also = f"; {_count(better)} better ({', '.join(better)})" if better else ""
        return f"{_of(worse, systems)} significantly worse {than}: {', '.join(worse)}{also}"
    if better:
        return f"{_of(better, systems)} significantly better {than}: {', '.join(better)}"
    if all(system_difference.verdict == "unchanged" for system_difference in difference.differences):
        rows = " and no ".join(sorted({dataset.row for dataset in difference.datasets}, reverse=True))
        return f"no {rows} of {count_of(systems, 'system')} changed since {difference.before}"
    return f"{count_of(systems, 'system')} compared with {difference.before}"


def change_lines(changes: Sequence[Change]) -> list[str]:
    """One line per change (its kind, its name, before -> after), or per group of changes (their number and names)."""
    if not changes:
        return ["no setting, code, plug-in, engine, data, normalizer or version changed"]
    groups: dict[tuple[str, str, int], list[Change]] = {}
    for number, change in enumerate(changes):
        # A change without a group has its own line.
        groups.setdefault((change.kind, change.group, 0 if change.group else number), []).append(change)
    return [
        show_label(f"{kind:10} {_of_group(group, group_changes) if group else _of_one(group_changes[0])}")
        for (kind, group, _), group_changes in groups.items()
    ]


def _of_one(change: Change) -> str:
    return f"{change.name}   {_shown(change.before)} -> {_shown(change.after)}"


def _of_group(group: str, changes: Sequence[Change]) -> str:
    """Say "score   2 changed (a, b), 1 new (c)"."""
    new = [change.name for change in changes if change.before is None]
    gone = [change.name for change in changes if change.after is None]
    changed = [change.name for change in changes if change.name not in {*new, *gone}]
    kinds = (("changed", changed), ("new", new), ("gone", gone))
    return f"{group}   " + ", ".join(f"{len(names)} {word} ({_shortened(names)})" for word, names in kinds if names)


def size_line(dataset: DatasetDifference) -> str:
    """One line about the compared revisions; the last line of the output names the method."""
    line = f"{dataset.dataset}: {count_of(dataset.segments, 'segment')}"
    if dataset.clusters is None:
        line += ", taken as independent"
    else:
        line += f" in {count_clusters(dataset.clusters, dataset.cluster_name)}"
    for number, side in ((dataset.only_before, "before"), (dataset.only_after, "after")):
        if number:
            line += f"; {count_of(number, 'segment')} only {side}, left out"
    for systems, side in ((dataset.systems_before, "before"), (dataset.systems_after, "after")):
        if systems:
            line += f"; only {side}: {', '.join(systems)}"
    return show_label(line)


def lay_out_differences(dataset: DatasetDifference, confidence: float) -> list[Table]:
    """One table per metric, with a row per system."""
    by_metric: dict[str, list[SystemDifference]] = {}
    for difference in dataset.differences:
        by_metric.setdefault(difference.metric, []).append(difference)
    return [
        Table(
            columns=[
                Column("system", lambda row: row.system, kind="name"),
                Column(f"{metric_title(metric)} % before", lambda row: _rate(row.before), keep=1),
                Column("after", lambda row: _rate(row.after), keep=3),
                Column("Δ points", show=_show_difference, detail=f"[{confidence * 100:g} %, paired]", keep=4),
                Column(f"{dataset.row}s ▼/=/▲", lambda row: f"{row.better}/{row.same}/{row.worse}", keep=0),
                Column("p adjusted", lambda row: row.pvalue_adjusted, pvalue_text),
                Column("verdict", show=_show_verdict, kind="text", keep=5),
            ],
            rows=differences,
            marks=[f"▼, = and ▲: {dataset.row}s with fewer, as many and more errors than before."],
        )
        for metric, differences in by_metric.items()
    ]


def _rate(rate: float | None) -> str:
    return "undefined" if rate is None else RATES.rate(rate)


def _show_difference(row: SystemDifference) -> Cell:
    text = "" if row.difference is None else RATES.difference(row.difference)
    return Cell(text, RATES.interval_of(row.difference, row.interval, signed=True))


def _show_verdict(row: SystemDifference) -> Cell:
    if not row.can_tell:
        return Cell("cannot tell", mark=Mark("unknown", "?"))
    verdict = row.verdict
    return Cell(verdict, mark=Mark(verdict, SIGNS[verdict]), is_bold=verdict in ("improved", "regressed"))


def aligned(mover: Mover, style: GridStyle) -> list[Text]:
    """Both texts of a segment under their reference; empty if they could not be read."""
    if mover.reference is None:
        return []
    return grid_text(column_grid(mover.reference, {"before": mover.before, "after": mover.after}), style)


def mover_title(mover: Mover) -> str:
    """Id, system, and errors before and after."""
    change = mover.errors_after - mover.errors_before
    title = f"{mover.segment_id}   {mover.system}   {mover.errors_before} -> {mover.errors_after} errors ({change:+d})"
    return show_label(title)


def _shortened(names: Sequence[str], most: int = _MOST_NAMES) -> str:
    """The first of many names, and how many more there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _of(systems: Sequence[str], total: int) -> str:
    return f"{len(systems)} of {count_of(total, 'system')} {'is' if len(systems) == 1 else 'are'}"


def _count(systems: Sequence[str]) -> str:
    return f"{len(systems)} {'is' if len(systems) == 1 else 'are'}"


def _shown(value: str | None) -> str:
    return "(none)" if value is None else value or "''"


def print_difference(difference: RevisionDifference, console: Console) -> None:
    """Print the difference; narrow terminals fold cells and never cut numbers."""
    difference = with_names(difference, difference.names)
    word, sentence = answer(difference)
    mark = {"REGRESSION": STYLES["regressed"], "IMPROVEMENT": STYLES["improved"]}.get(word, "bold")
    lines: list[str | Text] = [Text(word, mark) + f"  {sentence}", f"{difference.before} -> {difference.after}"]
    why = change_lines(difference.changes)
    if difference.outcome == "unchanged" and not difference.changes:
        lines = [Text(word, mark) + f"  {sentence.removesuffix('.')}; {why[0]}."]
    else:
        lines += [f"{'why' if number == 0 else '':5}{line}" for number, line in enumerate(why)]
    lines += map(show_label, difference.notes)
    print_lines(lines, console)
    for dataset in difference.datasets:
        if difference.outcome != "unchanged":
            print_lines(["", Text(size_line(dataset), "bold")], console)
            for table in say_once(lay_out_differences(dataset, difference.confidence)):
                print_rows(table, console)
        print_lines(_notes(dataset), console)
        print_lines(_movers(dataset, GridStyle(console.width, context=_CONTEXT)), console)
    if difference.outcome != "unchanged":
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


_WIDTH = 100


def render_difference(difference: RevisionDifference) -> str:
    """Render the difference as Markdown, ending in a newline; the segments that changed most are folded."""
    difference = with_names(difference, difference.names)
    word, sentence = answer(difference)
    lines = [f"**{word}** {escape_markdown(sentence)}", ""]
    lines += [f"- {code_span(line)}" for line in change_lines(difference.changes)]
    lines += [f"- {escape_markdown(show_label(note))}" for note in difference.notes]
    for dataset in difference.datasets:
        lines += ["", escape_markdown(size_line(dataset))]
        unchanged = difference.outcome == "unchanged"
        for table in () if unchanged else say_once(lay_out_differences(dataset, difference.confidence)):
            lines += ["", *markdown_rows(table), "", *map(escape_markdown, table.marks)]
        lines += ["", *(f"- {escape_markdown(show_label(note))}" for note in dataset.notes), *_mover_lines(dataset)]
    return "\n".join([*lines, "", code_span(difference.method), ""])


def _mover_lines(dataset: DatasetDifference) -> Iterator[str]:
    if not dataset.movers:
        return
    yield ""
    yield f"<details><summary>Segments that changed most, by errors of {dataset.movers_metric}</summary>"
    for mover in dataset.movers:
        lines = [line.plain for line in aligned(mover, GridStyle(_WIDTH))]
        # A fence longer than any in the text.
        longest = max((len(run) for line in lines for run in line.split() if set(run) == {"`"}), default=0)
        fence = "`" * max(3, longest + 1)
        yield from ("", escape_markdown(mover_title(mover)), "")
        if lines:
            yield from (f"{fence}text", *lines, fence)
    yield from ("", "</details>")

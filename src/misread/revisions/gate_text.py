"""The outcome of a gate as one line, a table and reasons, in a terminal or as Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from rich.console import Console
from rich.text import Text

from misread.revisions.diff_text import RATES, change_lines
from misread.revisions.difference import with_names
from misread.revisions.gate import Gate, GateCheck
from misread.stats.compare.loss import LossJudgement
from misread.tables import Cell, Column, Table
from misread.tables.number_text import RateFormat
from misread.tables.rates_layout import metric_title
from misread.tables.render.markdown import code_span, escape_markdown, markdown_rows
from misread.tables.render.terminal import STYLES, print_rows
from misread.tables.table import Mark
from misread.tables.terminal.output import print_lines
from misread.text.display import show_label
from misread.text.nouns import count_of

_SIGNS: Final = {"pass": "✓", "fail": "✗", "cannot tell": "?"}
_STYLES: Final = {"pass": STYLES["improved"], "fail": STYLES["regressed"]}
_MARGIN: Final = RateFormat(digits=3)


def gate_answer(gate: Gate) -> tuple[str, str]:
    """The answer in one word, and the sentence that explains it."""
    gate = with_names(gate, gate.names)
    word = gate.outcome
    sentence = {
        "pass": f"{count_of(len(gate.checks), 'comparison')} with {gate.before} within the margin",
        "fail": f"worse than {gate.before} by more than the margin: {_names(gate.checks_with('fail'))}",
        "not comparable": f"gone since {gate.before}: {', '.join(gate.gone)}",
        "cannot tell": f"too little data to judge, against {gate.before}: {_names(gate.checks_with('cannot tell'))}",
    }[word]
    if word == "fail" and gate.gone:
        sentence += f"; gone: {', '.join(gate.gone)}"
    if new := [entry.name for entry in gate.one_sided if entry.side == "after"]:
        sentence += f"; new, without a baseline: {', '.join(new)}"
    return word.upper(), show_label(f"{sentence}.")


def print_gate(gate: Gate, console: Console) -> None:
    """Print the answer, the changes, a row per comparison, and the reasons."""
    gate = with_names(gate, gate.names)
    word, sentence = gate_answer(gate)
    lines: list[str | Text] = [Text(word, _STYLES.get(gate.outcome, "bold")) + f"  {sentence}"]
    lines.append(show_label(f"{gate.before} -> {gate.after}"))
    lines += [f"{'why' if number == 0 else '':5}{line}" for number, line in enumerate(change_lines(gate.changes))]
    print_lines([*lines, ""], console)
    table = lay_out_gate(gate)
    datasets = {check.dataset for check in gate.checks}
    if len(datasets) == 1:
        table = replace(table, caption=f"Losses on {datasets.pop()}.", columns=table.columns[1:])
    print_rows(table, console)
    for reason in gate_reasons(gate):
        console.print(Text(reason))
    print_lines([Text(show_label(gate.method), "dim")], console)


def gate_markdown(gate: Gate) -> str:
    """Render the gate as a comment on a pull request, ending in a newline."""
    gate = with_names(gate, gate.names)
    word, sentence = gate_answer(gate)
    lines = [f"**{word}** {escape_markdown(sentence)}", "", *markdown_rows(lay_out_gate(gate)), ""]
    lines += [f"- {escape_markdown(reason)}" for reason in gate_reasons(gate)]
    lines += ["", "<details><summary>What changed</summary>", ""]
    lines += [f"- {code_span(line)}" for line in change_lines(gate.changes)]
    return "\n".join([*lines, "", "</details>", "", code_span(gate.method), ""])


def refusal_markdown(reason: str) -> str:
    """Render a comment that says why nothing can be compared."""
    return f"**NOT COMPARABLE** {escape_markdown(show_label(reason))}\n"


def lay_out_gate(gate: Gate) -> Table:
    """One row per comparison; a positive loss is worse, for every direction of metric."""
    intervals = [check.judgement.interval for check in gate.checks]
    level = next((f"[{interval.confidence * 100:g} %]" for interval in intervals if interval), "")
    return Table(
        columns=[
            Column("data set", lambda check: check.dataset, kind="name"),
            Column("system", lambda check: check.system, kind="name"),
            Column("metric %", lambda check: metric_title(check.metric), kind="text"),
            Column("before", lambda check: _rate(check.before), keep=1),
            Column("after", lambda check: _rate(check.after), keep=2),
            Column("loss points", lambda check: check.judgement, _show_loss, detail=level, keep=4),
            Column("margin", lambda check: check.margin, _MARGIN.rate, keep=3),
            Column("verdict", show=_show_verdict, kind="text", keep=5),
        ],
        rows=gate.checks,
    )


def gate_reasons(gate: Gate) -> list[str]:
    """A line for each comparison that did not pass, then the notes."""
    return [show_label(line) for line in _reasons(gate)]


def _reasons(gate: Gate) -> Iterator[str]:
    for check in gate.checks:
        judgement, margin = check.judgement, check.judgement.smallest_margin
        option = ""
        if judgement.outcome == "cannot tell" and margin is not None:
            option = f" That margin is --margin {check.metric}={ceil(margin * 10_000) / 10_000:g}."
        if judgement.outcome != "pass":
            yield f"{check.system} on {check.dataset}, {check.metric}: {judgement.reason}{option}"
    yield from gate.notes


def _rate(rate: float | None) -> str:
    return "undefined" if rate is None else RATES.rate(rate)


def _show_loss(judgement: LossJudgement) -> Cell:
    loss = "" if judgement.loss is None else RATES.difference(judgement.loss)
    return Cell(loss, RATES.interval_of(judgement.loss, judgement.interval, signed=True))


def _show_verdict(check: GateCheck) -> Cell:
    outcome = check.judgement.outcome
    word = outcome if check.is_changed else "unchanged"
    return Cell(word, mark=Mark(outcome, _SIGNS[outcome]), is_bold=outcome == "fail")


def _names(checks: Sequence[GateCheck]) -> str:
    return ", ".join(f"{check.metric} of {check.system} on {check.dataset}" for check in checks)

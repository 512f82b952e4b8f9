"""The difference between two revisions as Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from misread.revisions.diff_text import aligned, answer, change_lines, lay_out_differences, mover_title, size_line
from misread.revisions.difference import DatasetDifference, RevisionDifference
from misread.tables.render.markdown import code_span, escape_markdown, markdown_rows
from misread.tables.terminal.grid import GridStyle
from misread.text.display import show_label

_WIDTH = 100


def render_difference(difference: RevisionDifference) -> str:
    """Render everything, ending in a newline; segments that changed most are folded."""
    word, sentence = answer(difference)
    lines = [f"**{word}** {escape_markdown(sentence)}", ""]
    if difference.rescored:
        lines += [f"Both sides scored again from their captures under {code_span(difference.rescored)}.", ""]
    lines += [f"- {code_span(line)}" for line in change_lines(difference.changes)]
    for dataset in difference.datasets:
        lines += ["", escape_markdown(size_line(dataset))]
        for table in lay_out_differences(dataset, difference.confidence):
            lines += ["", *markdown_rows(table), "", *map(escape_markdown, table.marks)]
        lines += ["", *(f"- {escape_markdown(show_label(note))}" for note in dataset.notes), *_movers(dataset)]
    return "\n".join([*lines, "", code_span(difference.method), ""])


def _movers(dataset: DatasetDifference) -> Iterator[str]:
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

"""Output of `misread regimes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from misread.errors import UndefinedResultError
from misread.evaluation.score_text import Output
from misread.io.console import warn, write_out
from misread.io.json_files import to_plain
from misread.tables.terminal.output import print_json
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.features.regimes.regime import Regime
    from misread.features.regimes.schema import RegimesResult


def regime_lines(regimes: Sequence[Regime]) -> list[str]:
    """One line per regime: id and version, rates and averages, and what it stands for."""
    width = max(len(regime.label) for regime in regimes)
    return [
        f"{regime.label:<{width}}  {', '.join(regime.rates)} ({', '.join(regime.averaging)}): "
        f"{show_label(regime.stands_for)}"
        for regime in regimes
    ]


def print_regimes(result: RegimesResult, output: Output, *, width: int | None, raw_csv: bool) -> None:
    """Print rates and ranks; JSON has verdicts and changes, too. CSV, which cannot have notes, warns of changes."""
    from misread.features.regimes.changes import describe_changes, describe_winners
    from misread.features.regimes.table import lay_out_regimes
    from misread.tables import ReportSettings, render_csv, render_html, render_latex, render_markdown
    from misread.tables.render.terminal import print_table
    from misread.tables.terminal.output import make_console

    if not result.scores:
        raise UndefinedResultError(describe_winners(result)[0])
    if output is Output.JSON:
        print_json({**to_plain(result), "changes": describe_changes(result)})
        return
    table = lay_out_regimes(result, ReportSettings(["cer"]))
    if output is Output.TABLE:
        print_table(table, make_console(width))
        return
    if output is Output.CSV:
        write_out(render_csv([table], raw=raw_csv), end="")
        for sentence in describe_changes(result):
            warn(sentence)
        return
    render = {Output.LATEX: render_latex, Output.MARKDOWN: render_markdown, Output.HTML: render_html}[output]
    write_out(render(table), end="")

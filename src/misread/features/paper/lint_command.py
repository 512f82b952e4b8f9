"""`misread lint-paper`: numbers of a manuscript compared with the results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from misread.io.console import write_out
from misread.text.display import show_label


def lint_paper(
    papers: Annotated[list[Path], typer.Argument(metavar="PAPER.TEX", help="LaTeX sources.")],
) -> None:
    r"""Check tagged numbers of a manuscript against the results.

    A number is tagged as \misread{das22.pero.cer.micro}{3.01}; it must be the result rounded to the digits it has.
    Keys are those of `misread macros`. Ends with status 1 if a number is wrong or a key unknown, and names file and
    line.
    """
    from misread.features.paper.macros_command import read_values
    from misread.features.paper.manuscript import lint_manuscript
    from misread.io.text import read_text

    values, rates = read_values()
    checked = wrong = 0
    for paper in papers:
        found = lint_manuscript(read_text(paper), values, rates)
        for problem in found.problems:
            write_out(show_label(f"{paper}:{problem.line}: {problem.message}"))
        checked, wrong = checked + found.checked, wrong + len(found.problems)
    write_out(f"{checked} tagged number{'' if checked == 1 else 's'}, {wrong} wrong")
    if wrong:
        raise typer.Exit(1)

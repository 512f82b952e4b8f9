"""`misread paper macros`: numbers of the results for a manuscript."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.io.console import write_out
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.features.paper.result_values import ResultValue
    from misread.tables.number_text import RateFormat


def macros(
    output: Annotated[Path | None, typer.Option(help="File to write; else standard output.")] = None,
) -> None:
    r"""Write LaTeX macros for every number of the results.

    \b
      misread paper macros --output paper/results.tex
      \input{results}                                     in the preamble
      \misreadvalue{das22.pero.cer.micro}                 in the text

    Rates and differences have the unit and the digits of the report.
    """
    from misread.features.paper.result_values import render_macros
    from misread.io import write_text

    values, rates = read_values()
    text = render_macros(values, rates)
    if output is None:
        write_out(text, end="")
    else:
        write_text(output, text)
        write_out(show_label(f"wrote {len(values):,} numbers to {output}"))


def read_values() -> tuple[dict[str, ResultValue], RateFormat]:
    """Read the numbers of all data sets, and how the report writes rates; raises InputFileError without results."""
    from misread.features.paper.result_values import read_result_values
    from misread.pipeline import paths
    from misread.pipeline.params import load_params
    from misread.sockets import read_comparison

    params = load_params()
    results = [read_comparison(paths.comparison(dataset)) for dataset in params.datasets]
    return read_result_values(results), params.report().rates

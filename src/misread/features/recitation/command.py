"""`misread inspect recitation`: systems that may recite the reference in place of reading the page."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import Width
from misread.cli.texts_to_compare import print_listings, texts_to_compare
from misread.tables.terminal.output import print_json


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@takes_inputs
def recitation(
    inputs: Inputs,
    dataset: Annotated[
        str | None, typer.Option(help="Instead of files: data set of the project whose texts the pipeline has made.")
    ] = None,
    systems: Annotated[str | None, typer.Option(help="With --dataset: ids of systems, joined by commas.")] = None,
    most: Annotated[int, typer.Option(min=0, help="How many documents of a suspicious system to show.")] = 3,
    alpha: Annotated[float, typer.Option(help="Level of p, over all systems.")] = 0.05,
    output: Annotated[Output, typer.Option(help="How to print; JSON has all words, CSV all documents.")] = Output.TABLE,
    width: Width = None,
) -> None:
    r"""Find systems that may recite the reference.

    For instance:

    \b
      misread inspect recitation --table lines.csv --ref text --hyp a=a --hyp b=b --hyp c=c --id line --cluster page
      misread inspect recitation --dataset das22

    Such a system does not read the page: it has the word of the reference where all others agree on another one, which
    is not a misreading that they are known for.
    """
    from misread.features.recitation.recitation import find_recitation

    evidence = find_recitation(texts_to_compare(inputs, dataset, systems), alpha=alpha)
    if output is Output.JSON:
        print_json(evidence)
        return
    from misread.features.recitation.table import show_recitation

    print_listings([show_recitation(evidence, most)], as_csv=output is Output.CSV, width=width)

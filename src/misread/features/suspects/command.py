"""`misread inspect suspects`: references that most systems agree against."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import OneMetric, Width, metric_of_option
from misread.cli.texts_to_compare import print_listings, texts_to_compare
from misread.tables.terminal.output import print_json


@takes_records(without=("groups", "annotations"))
def suspects(
    inputs: Inputs,
    dataset: Annotated[
        str | None, typer.Option(help="Instead of files: data set of the project whose texts the pipeline has made.")
    ] = None,
    systems: Annotated[str | None, typer.Option(help="With --dataset: ids of systems, joined by commas.")] = None,
    metrics: OneMetric = "cer",
    most: Annotated[int, typer.Option(min=1, help="How many segments to show.")] = 20,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    output: Annotated[
        Literal["table", "json", "csv"], typer.Option(help="How to print; CSV has all suspects.")
    ] = "table",
    width: Width = None,
) -> None:
    r"""List references that most systems agree against.

    For instance:

    \b
      misread inspect suspects --table lines.csv --ref text --hyp a=a --hyp b=b --hyp c=c --segment-id l --cluster page
      misread inspect suspects gold/ tesseract/ kraken/ pero/ --normalizer whitespace
      misread inspect suspects --dataset das22

    It also says how many errors a wrong reference would explain, and how often each system repeats an error of the
    reference.
    """
    from misread.features.suspects.references import check_references

    chosen = metric_of_option(metrics)
    texts = texts_to_compare(inputs, dataset, systems)
    check = check_references(texts, chosen, confidence=confidence)
    if output == "json":
        print_json(check)
        return
    from misread.features.suspects.table import show_repeats, show_suspects

    print_listings([show_suspects(check, most), show_repeats(check)], as_csv=output == "csv", width=width)

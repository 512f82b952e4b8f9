"""`misread suspects`: references that most systems agree against."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import Width, split_list
from misread.display.json_output import print_json
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from misread.records import NormalizedTexts


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@takes_inputs
def suspects(
    inputs: Inputs,
    dataset: Annotated[
        str | None, typer.Option(help="Instead of files: data set of the project whose texts the pipeline has made.")
    ] = None,
    systems: Annotated[str | None, typer.Option(help="With --dataset: ids of systems, joined by commas.")] = None,
    metric: Annotated[str, typer.Option(help="Error rate whose errors suspects explain.")] = "cer",
    most: Annotated[int, typer.Option(min=1, help="How many segments to show.")] = 20,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    output: Annotated[Output, typer.Option(help="How to print; CSV has all suspects.")] = Output.TABLE,
    width: Width = None,
) -> None:
    r"""List segments on which most systems agree with each other against the reference.

    For instance:

    \b
      misread suspects --table lines.csv --ref text --hyp a=a --hyp b=b --hyp c=c --id line --cluster page
      misread suspects gold/ tesseract/ kraken/ pero/ --normalizer whitespace
      misread suspects --dataset das22

    Beside them stands how many errors a wrong reference would explain, and how often each system repeats an error of
    the reference.
    """
    from misread.metrics import get_metrics
    from misread.report import check_references

    (chosen,) = get_metrics([metric])
    texts = _texts_of_project(inputs, dataset, systems) if dataset is not None else _given_texts(inputs, systems)
    found = check_references(texts, chosen, confidence=confidence)
    if output is Output.JSON:
        print_json(found)
        return
    from misread.report.tables.suspects import show_repeats, show_suspects

    table = show_suspects(found, most)
    if output is Output.CSV:
        from misread.pipeline.console import write_out
        from misread.report import render_csv

        write_out(render_csv([table]), end="")
        return
    from misread.display.lines import make_console
    from misread.report.render.terminal import print_table

    console = make_console(width)
    for each in (table, show_repeats(found)):
        print_table(each, console)


def _given_texts(inputs: Inputs, systems: str | None) -> Mapping[str, NormalizedTexts]:
    from misread.normalize import get_normalizer, normalize
    from misread.pipeline.console import warn_of_notes

    if not inputs.are_given:
        raise ConfigurationError("name --dataset ID of the project, or references and two or more systems.")
    if systems:
        raise ConfigurationError("--systems goes with --dataset; with texts that are given, leave some out.")
    captures = inputs.read(scored=False).captures()
    warn_of_notes(capture.origin for capture in captures.values())
    chosen = get_normalizer(inputs.normalizer)
    return {system: normalize(capture, chosen) for system, capture in captures.items()}


def _texts_of_project(inputs: Inputs, dataset: str, systems: str | None) -> Mapping[str, NormalizedTexts]:
    from misread.inspection import read_dataset_texts
    from misread.pipeline.params import load_params

    inputs.require_none()
    return read_dataset_texts(load_params(), dataset, split_list(systems, option="--systems"))

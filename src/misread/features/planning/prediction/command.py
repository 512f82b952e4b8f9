"""`misread plan predict`: the rate to expect on pages that were not checked."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import Width, metrics_of_option
from misread.tables.terminal.output import print_json


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"


@takes_inputs
def predict(
    inputs: Inputs,
    metrics: Annotated[
        list[str] | None, typer.Option(help="Names of metrics, joined by commas; by default cer; repeat.")
    ] = None,
    rest: Annotated[
        int | None, typer.Option(help="How many clusters (pages) were not checked; by default very many.")
    ] = None,
    target_width: Annotated[
        float | None,
        typer.Option(help="Wanted width of the interval (0.01: a point): says how many more to check."),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
    width: Width = None,
) -> None:
    r"""Predict the rate on what was not checked.

    For instance:

    \b
      misread plan predict --table checked.csv --ref text --hyp a=tesseract --cluster page --rest 480 \
        --target-width 0.01
      misread plan predict gold/ tesseract/ --cluster '^([^/]+)/' --rest 480

    The references must be a random sample: pages chosen because they are easy to transcribe say nothing of the others.
    """
    from misread.evaluation import score_captures
    from misread.features.planning.prediction.prediction import lay_out_predictions, predict_of_shared
    from misread.io.console import warn_of_notes
    from misread.stats import share_segments

    chosen = metrics_of_option(metrics or ["cer"])
    captures = inputs.read(chosen).captures()
    scored = score_captures(captures, inputs.chosen_normalizer, chosen, missing=inputs.missing)
    warn_of_notes(scored_system.scores.origin for scored_system in scored.values())
    shared = share_segments({system: scored_system.scores for system, scored_system in scored.items()})
    predictions = {
        metric.id: {
            system: predict_of_shared(
                shared, metric, system, rest=rest, target_width=target_width, confidence=confidence
            )
            for system in shared.counts
        }
        for metric in chosen
    }
    if output is Output.JSON:
        print_json({"unit": shared.resampling_unit, "predictions": predictions})
        return
    from misread.tables.render.terminal import print_table
    from misread.tables.terminal.output import make_console

    console = make_console(width)
    for metric in chosen:
        print_table(lay_out_predictions(metric, predictions[metric.id], unit=shared.resampling_unit), console)

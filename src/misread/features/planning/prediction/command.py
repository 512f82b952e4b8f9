"""`misread plan predict`: the rate to expect on pages that were not checked."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import Width, metrics_of_option, named_values, split_list
from misread.errors import ConfigurationError, setting
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
        str | None,
        typer.Option(
            help="How many clusters (pages) were not checked; by default very many. With --strata, of each: "
            "print=300,script=180."
        ),
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(
            help="Column of strata that were sampled separately (print, script), or with folders a regular expression "
            "with a named group."
        ),
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

      misread plan predict --table checked.csv --ref text --hyp a=tesseract --cluster page --strata kind \
        --rest print=300,script=180

    The references must be a random sample, or one of each stratum: pages chosen because they are easy to transcribe
    say nothing of the others.
    """
    from misread.evaluation import score_captures
    from misread.features.planning.prediction.layout import lay_out_predictions
    from misread.features.planning.prediction.prediction import predict_of_shared
    from misread.io.console import warn_of_notes
    from misread.stats import share_segments

    chosen = metrics_of_option(metrics or ["cer"])
    number = _read_rest(rest, strata)
    if strata is not None:
        inputs = replace(inputs, groups=[*(inputs.groups or []), strata])
        strata = inputs.group_columns[-1]
    captures = inputs.read(chosen).captures()
    scored = score_captures(captures, inputs.chosen_normalizer, chosen, missing=inputs.missing)
    warn_of_notes(scored_system.scores.origin for scored_system in scored.values())
    shared = share_segments({system: scored_system.scores for system, scored_system in scored.items()})
    predictions = {
        metric.id: {
            system: predict_of_shared(
                shared,
                metric,
                system,
                rest=number,
                strata=strata,
                target_width=target_width,
                confidence=confidence,
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
        table = lay_out_predictions(metric, predictions[metric.id], unit=shared.resampling_unit, strata=strata)
        print_table(table, console)


def _read_rest(text: str | None, strata: str | None) -> int | dict[str, int] | None:
    """Number of unchecked clusters, or of each stratum."""
    if text is None:
        return None
    expected = "a whole number" if strata is None else "numbers of strata, as print=300,script=180"
    if strata is None:
        return _whole(text, text, expected)
    values = named_values(split_list(text, option="--rest"), option="--rest", expected=expected)
    return {name: _whole(number, text, expected) for name, number in values.items()}


def _whole(number: str, text: str, expected: str) -> int:
    try:
        return int(number)
    except ValueError:
        raise ConfigurationError(f"{setting('rest')} is {text!r}, expected {expected}.") from None

"""`misread inspect segment`: everything about one segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import AsciiOnly, Context, Full, Width, metrics_of_option
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from misread.features.dossier.dossier import Dossier

_METRICS = "cer,wer"


@takes_inputs
def show_segment(
    segment: Annotated[str, typer.Argument(help="Id of the segment.")],
    inputs: Inputs,
    dataset: Annotated[str | None, typer.Option(help="Id of its data set, where several have such a segment.")] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(help=f"Of texts of your own: names of metrics, joined by commas; by default {_METRICS}; repeat."),
    ] = None,
    context: Context = None,
    full: Full = False,
    ascii_only: AsciiOnly = False,
    width: Width = None,
) -> None:
    r"""Show everything about one segment.

    The segment is one of the project's results, or of files as for `misread score`. It shows where the segment belongs,
    its image or audio, every text raw and normalized, every metric of every system, and all systems aligned under
    the reference.

    For instance:

    \b
      misread inspect segment auction_list-01
      misread inspect segment page_17 gold/ tesseract/ gemini-2.0/
    """
    from misread.features.dossier.dossier import dossier_text
    from misread.tables.terminal.grid import GridStyle
    from misread.tables.terminal.output import make_console, print_lines

    if inputs.are_given:
        if dataset:
            raise ConfigurationError(
                "--dataset chooses among stored results; leave it out if you give texts of your own."
            )
        dossier = _describe_given(segment, inputs, metrics or [_METRICS])
    else:
        inputs.require_none()
        if metrics:
            raise ConfigurationError("--metrics is for texts of your own; stored results have their own metrics.")
        dossier = _describe_stored(segment, dataset)
    console = make_console(width)
    print_lines(dossier_text(dossier, GridStyle(console.width, full, ascii_only, context)), console)


def _describe_stored(segment: str, dataset: str | None) -> Dossier:
    from misread.features.dossier.dossier import compile_dossier
    from misread.pipeline.params import load_params
    from misread.pipeline.stored_segments import find_segment

    params = load_params()
    return compile_dossier(params, find_segment(params, segment, dataset=dataset), segment)


def _describe_given(segment: str, inputs: Inputs, metrics: list[str]) -> Dossier:
    from misread.evaluation import score_captures
    from misread.features.dossier.dossier import describe_segment
    from misread.io.console import warn_of_notes
    from misread.pipeline.stored_segments import UnknownSegmentError

    chosen = metrics_of_option(metrics)
    table = inputs.read(chosen, scored=False)
    if segment not in table.segment_id:
        raise UnknownSegmentError(segment, {table.name: set(table.segment_id)})
    # A missing text has no score, as under "drop"; the policy applies only to whole data sets.
    captures = table.take([table.segment_id.index(segment)]).captures()
    warn_of_notes(capture.origin for capture in captures.values())
    scored = score_captures(captures, inputs.chosen_normalizer, chosen, missing="drop")
    return describe_segment(
        segment,
        {system: scored_system.texts for system, scored_system in scored.items()},
        {
            system: scored_system.scores
            for system, scored_system in scored.items()
            if None not in scored_system.texts.raw.hypotheses
        },
        chosen,
        medium="none: its texts are given",
    )

"""`misread inspect align`: outputs of all systems, unit by unit under one reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import AsciiOnly, Context, Full, Width, named_values, split_list
from misread.cli.texts_to_compare import normalize_given
from misread.errors import ConfigurationError, MisreadError, setting

if TYPE_CHECKING:
    from misread.alignment import AlignmentPolicy, Unit
    from misread.normalize.normalized_texts import NormalizedTexts
    from misread.tables.selected_segments import Order


@takes_records(without=("annotations",))
def align(
    inputs: Inputs,
    segment: Annotated[
        list[str] | None, typer.Option(help="Id of a segment to show instead of the worst; repeat.")
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Id of the data set; needed where there are several.")] = None,
    systems: Annotated[str | None, typer.Option(help="Ids of systems, joined by commas; else all.")] = None,
    worst: Annotated[int, typer.Option(min=1, help="How many segments to show where none is named.")] = 5,
    sort: Annotated[str, typer.Option(help="What is worst: errors, or disagreement between systems.")] = "errors",
    with_exact: Annotated[bool, typer.Option("--all", help="Also show segments without an error.")] = False,
    unit: Annotated[str, typer.Option(help="What a column holds: char, grapheme, word.")] = "char",
    alignment: Annotated[str, typer.Option(help="Costs of errors: unit, sclite, transpositions.")] = "unit",
    raw: Annotated[bool, typer.Option("--raw", help="Texts as they came, before the normalizer.")] = False,
    text: Annotated[bool, typer.Option("--text", help="--ref and --hyp hold the texts themselves.")] = False,
    context: Context = None,
    full: Full = False,
    ascii_only: AsciiOnly = False,
    width: Width = None,
) -> None:
    r"""Align what systems read with the reference.

    Arguments are files or folders as for `misread score`, or ids of segments of the project.

    For instance:

    \b
      misread inspect align --worst 3 --systems tesseract,rapidocr
      misread inspect align auction_list-01 --unit word
      misread inspect align gold/ tesseract/ gemini-2.0/ --worst 3 --context 10
      misread inspect align --table lines.csv --ref text --hyp a=tesseract --segment-id line --segment l17
      misread inspect align --text --ref 'the quick fox' --hyp 'a=the quich fox'

    Errors are marked by letters and gaps; a terminal adds colour, unless NO_COLOR is set. Below a segment that is named
    are the names of its cluster, groups and image, and texts that the normalizer changed.
    """
    from misread.pipeline.stored_segments import UnknownSegmentError
    from misread.tables import Selection, gather_segments, select_worst
    from misread.tables.terminal.grid import GridStyle
    from misread.tables.terminal.output import make_console
    from misread.tables.terminal.segments import lay_out_facts, print_segments

    inputs, segments = _split_arguments(inputs, segment or [])
    if inputs.are_given:
        if dataset or systems:
            raise ConfigurationError(
                f"{setting('dataset')} and {setting('systems')} choose among stored results; leave them out if you "
                "give texts of your own."
            )
        texts = _given_texts(inputs, are_texts=text)
    else:
        inputs.require_none()
        if text:
            raise ConfigurationError(
                f"{setting('text')} is about {setting('ref')} and {setting('hyp')}: give those as well."
            )
        texts = _stored_texts(dataset, split_list(systems, option=setting("systems")), segments)
    chosen_unit, policy = cast("Unit", unit), cast("AlignmentPolicy", alignment)
    everything = gather_segments(texts, form="raw" if raw else "normalized", unit=chosen_unit, alignment=policy)
    if segments:
        by_id = {row.segment_id: row for row in everything}
        for segment_id in segments:
            if segment_id not in by_id:
                raise UnknownSegmentError(segment_id, {_dataset_of(texts): set(by_id)})
        selection = Selection([by_id[segment_id] for segment_id in segments], 0, len(everything))
    else:
        selection = select_worst(everything, worst, order=cast("Order", sort), with_exact=with_exact or text)
    done = "raw" if raw else next(iter(texts.values())).normalizer
    sources = {key: "" if inputs.are_given else _source(_dataset_of(texts), key) for key in segments}
    facts = {key: lay_out_facts(key, texts, source) for key, source in sources.items()}
    console = make_console(width)
    style = GridStyle(console.width, full, ascii_only, context)
    print_segments(selection, console, style, unit=chosen_unit, alignment=policy, done=done, facts=facts)


def _split_arguments(inputs: Inputs, segments: list[str]) -> tuple[Inputs, list[str]]:
    """Take arguments for files if the first one exists and options name no texts, else for ids of segments."""
    files = inputs.files or []
    if files and (inputs.ref or inputs.table or not Path(files[0]).exists()):
        return replace(inputs, files=None), [*files, *segments]
    return inputs, segments


def _stored_texts(dataset: str | None, systems: list[str], segments: list[str]) -> Mapping[str, NormalizedTexts]:
    from misread.pipeline.params import load_params
    from misread.pipeline.stored_segments import find_segment, read_dataset_texts

    params = load_params()
    if dataset is None and segments:
        dataset = find_segment(params, segments[0])
    return read_dataset_texts(params, params.choose_dataset(dataset), systems)


def _source(dataset: str, segment_id: str) -> str:
    """Path of the image or audio of a segment, or why it is not known."""
    from misread.pipeline.params import load_params

    try:
        segments = load_params().dataset(dataset).segments()
    except (MisreadError, OSError) as error:
        # Results may outlive the data that they were captured from.
        return f"not known: {error}"
    if segments.media is None or segment_id not in segments.segment_id:
        return ""
    return str(segments.media[segments.segment_id.index(segment_id)])


def _given_texts(inputs: Inputs, *, are_texts: bool) -> Mapping[str, NormalizedTexts]:
    from misread.data import from_columns

    if are_texts:
        if inputs.ref is None or not inputs.hyp or inputs.table:
            raise ConfigurationError(
                f"{setting('text')} needs {setting('ref', 'TEXT')} and at least one {setting('hyp', 'NAME=TEXT')} to "
                "compare with it."
            )
        systems = named_values(inputs.hyp, expected="NAME=TEXT")
        table = from_columns([inputs.ref], {system: [text] for system, text in systems.items()})
    else:
        table = read_inputs(inputs, scored=False)
    return normalize_given(table, inputs)


def _dataset_of(texts: Mapping[str, NormalizedTexts]) -> str:
    return next(iter(texts.values())).origin.dataset

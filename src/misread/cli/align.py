"""`misread align`: outputs of all systems, unit by unit under one reference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from misread.cli.options import named_values, split_list
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from misread.alignment import AlignmentPolicy, Unit
    from misread.inspection import Selection
    from misread.inspection.selection import Order
    from misread.records import NormalizedTexts

MOST_CHARACTERS = 1_000_000
"""Longest segment that is shown: it makes a table of a million columns."""


def align(
    segments: Annotated[list[str] | None, typer.Argument(help="Ids of segments; without any, the worst.")] = None,
    dataset: Annotated[str | None, typer.Option(help="Id of the data set; needed where there are several.")] = None,
    systems: Annotated[str | None, typer.Option(help="Ids of systems, joined by commas; else all.")] = None,
    worst: Annotated[int, typer.Option(min=1, help="How many segments to show where none is named.")] = 5,
    sort: Annotated[str, typer.Option(help="What is worst: errors, or disagreement between systems.")] = "errors",
    with_exact: Annotated[bool, typer.Option("--all", help="Show segments without any error, too.")] = False,
    unit: Annotated[str, typer.Option(help="What a column holds: char, grapheme, word.")] = "char",
    alignment: Annotated[str, typer.Option(help="Costs of errors: unit, sclite, transpositions.")] = "unit",
    raw: Annotated[bool, typer.Option("--raw", help="Texts as they came, before the normalizer.")] = False,
    ref: Annotated[str | None, typer.Option(help="File of references instead of the pipeline's results.")] = None,
    hyp: Annotated[list[str] | None, typer.Option(help="With --ref: NAME=FILE of a system; repeat.")] = None,
    text: Annotated[bool, typer.Option("--text", help="--ref and --hyp hold the texts themselves.")] = False,
    verbatim: Annotated[
        bool,
        typer.Option("--verbatim", help="With --ref: take files as plain text even if they look like another format."),
    ] = False,
    normalizer: Annotated[str, typer.Option(help="With --ref: done to both sides first.")] = "none",
    full: Annotated[bool, typer.Option("--full", help="Write out what equals the reference, too.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Marks in ASCII.")] = False,
) -> None:
    r"""Align what systems read with the reference, in the terminal.

    For instance:

    \b
      misread align --worst 3 --systems tesseract,rapidocr
      misread align auction_list-01 --unit word
      misread align --ref gold.txt --hyp a=a.txt --hyp b=b.txt
      misread align --text --ref 'the quick fox' --hyp 'a=the quich fox'

    Errors are marked by letters and gaps; a terminal adds colour, unless NO_COLOR is set.
    """
    from misread.inspection import Selection, UnknownSegmentError, gather_segments, select_worst

    if ref is None:
        if hyp or text or verbatim or normalizer != "none":
            raise ConfigurationError("--hyp, --text, --verbatim and --normalizer belong to --ref FILE; give it, too.")
        texts = _stored_texts(dataset, split_list(systems, option="--systems"), segments or [])
    else:
        if dataset or systems:
            raise ConfigurationError("--dataset and --systems choose among stored results: leave them out with --ref.")
        texts = _given_texts(ref, hyp or [], normalizer, are_texts=text, verbatim=verbatim)
    chosen_unit, policy = cast("Unit", unit), cast("AlignmentPolicy", alignment)
    everything = gather_segments(texts, form="raw" if raw else "normalized", unit=chosen_unit, alignment=policy)
    if segments:
        by_id = {segment.segment_id: segment for segment in everything}
        for segment_id in segments:
            if segment_id not in by_id:
                raise UnknownSegmentError(segment_id, {_dataset_of(texts): set(by_id)})
        selection = Selection([by_id[segment_id] for segment_id in segments], 0, len(everything))
    else:
        selection = select_worst(everything, worst, order=cast("Order", sort), with_exact=with_exact or text)
    done = "raw" if raw else next(iter(texts.values())).normalizer
    _print(selection, unit=chosen_unit, alignment=policy, done=done, is_full=full, is_ascii=ascii_only)


def _stored_texts(dataset: str | None, systems: list[str], segments: list[str]) -> Mapping[str, NormalizedTexts]:
    from misread.inspection import find_segment, read_dataset_texts
    from misread.pipeline.params import load_params

    params = load_params()
    if dataset is None:
        if segments:
            dataset = find_segment(params, segments[0])
        elif len(params.datasets) == 1:
            dataset = params.datasets[0]
        else:
            raise ConfigurationError(
                f"there are several data sets; choose one with --dataset: {', '.join(params.datasets)}."
            )
    return read_dataset_texts(params, dataset, systems)


def _given_texts(
    ref: str, hyp: list[str], normalizer: str, *, are_texts: bool, verbatim: bool
) -> Mapping[str, NormalizedTexts]:
    from misread.datasets import from_columns, read_files
    from misread.normalize import get_normalizer, normalize

    if not hyp:
        raise ConfigurationError("--ref needs at least one --hyp NAME=FILE to compare with it.")
    systems = named_values(hyp, expected="NAME=TEXT" if are_texts else "NAME=FILE")
    if are_texts:
        table = from_columns([ref], {system: [text] for system, text in systems.items()})
    else:
        paths = {name: Path(file) for name, file in systems.items()}
        table = read_files(Path(ref), paths, by_line=True, verbatim=verbatim)
    chosen = get_normalizer(normalizer)
    return {system: normalize(capture, chosen) for system, capture in table.captures().items()}


def _dataset_of(texts: Mapping[str, NormalizedTexts]) -> str:
    return next(iter(texts.values())).origin.dataset


def _print(
    selection: Selection, *, unit: Unit, alignment: AlignmentPolicy, done: str, is_full: bool, is_ascii: bool
) -> None:
    from rich.text import Text

    from misread.display.grid import GridStyle, legend
    from misread.display.lines import make_console, print_lines
    from misread.display.segment import segment_text

    for segment in selection.segments:
        characters = max(len(text or "") for text in (segment.reference, *segment.hypotheses.values()))
        if characters > MOST_CHARACTERS:
            raise ConfigurationError(
                f"segment {segment.segment_id!r} has {characters:,} characters, and at most {MOST_CHARACTERS:,} can "
                "be shown: give its pages or lines as segments. `misread score` counts longer ones."
            )
    console = make_console()
    style = GridStyle(console.width, is_full, is_ascii)
    for segment in selection.segments:
        lines = segment_text(
            segment.segment_id,
            segment.reference,
            segment.hypotheses,
            segment.errors,
            segment.length,
            style,
            unit=unit,
            alignment=alignment,
        )
        print_lines([*lines, Text()], console)
    if not selection.segments:
        print_lines([Text(f"All {selection.total:,} segments are exact; --all shows them.")], console)
        return
    folded = f"{len(selection.segments):,} of {selection.total:,} segments"
    if selection.exact:
        folded += f", {selection.exact:,} exact"
    facts = Text(f"[{unit}, {done}, {alignment}]   {folded}", "dim")
    print_lines([legend(style, with_transpositions=alignment == "transpositions"), facts], console)

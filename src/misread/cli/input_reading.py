"""Texts that options name, read as what will be counted needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from misread.cli.input_options import ASR_LOG
from misread.cli.input_rules import Needs, check_inputs, needs_of
from misread.cli.input_sources import name_run
from misread.cli.inputs import Inputs
from misread.cli.options import named_values
from misread.data.formats import FORMATS
from misread.data.formats.base import Format
from misread.errors import ConfigurationError, setting

if TYPE_CHECKING:
    from misread.cli.input_sources import Formats, Sources
    from misread.data.formats.paired_files import FolderOptions
    from misread.data.segment_table import MissingPolicy, SegmentTable
    from misread.metrics import Metric


def read_inputs(inputs: Inputs, metrics: Sequence[Metric] = (), *, scored: bool = True) -> SegmentTable:
    """Read everything that the inputs name, or raise as `check_inputs`.

    The metrics that will be counted decide how files are read: sessions for those of speakers, texts that may be JSON
    or XML for those of answers, words that are optional for those that align as sclite does. Where texts are shown and
    not `scored`, hypotheses may be missing.
    """
    from misread import data as datasets

    check_inputs(inputs, needs_of(metrics))
    sources = inputs.sources
    if sources.logs:
        table = datasets.join_logs(sources.logs, cluster=inputs.cluster or "", groups=inputs.groups or [])
    elif sources.table is not None:
        table = _read_table(inputs, sources)
    elif sources.paths_table is not None:
        table = _read_paths_table(inputs, sources, needs_of(metrics), scored=scored)
    else:
        table = _read_files(inputs, sources, needs_of(metrics), scored=scored)
    if sources.runs:
        runs = {system: {run: name_run(system, run) for run in listed} for system, listed in sources.runs.items()}
        table = datasets.gather_runs(table, runs)
    if sources.ids_table is not None:
        table = datasets.with_labels(
            table,
            sources.ids_table,
            id_column=inputs.segment_id or "id",
            cluster=inputs.cluster or "",
            groups=inputs.groups or [],
            encoding=inputs.encoding,
        )
    if not inputs.annotations:
        return table
    entries = [entry if "=" in entry else f"references={entry}" for entry in inputs.annotations]
    files = named_values(entries, option=setting("annotations"), expected="FILE or NAME=FILE")
    return datasets.annotate(table, {name: Path(file) for name, file in files.items()}, encoding=inputs.encoding)


def _read_table(inputs: Inputs, sources: Sources) -> SegmentTable:
    from misread.data import read_table
    from misread.data.formats.asr_log import read_log_rows
    from misread.data.formats.tables import read_rows

    assert sources.table is not None and sources.columns is not None  # noqa: S101, PT018  a table has columns
    return read_table(
        sources.table,
        sources.columns,
        sources.systems,
        missing=cast("MissingPolicy", inputs.missing),
        encoding=inputs.encoding,
        read=read_log_rows if inputs.format == ASR_LOG else read_rows,
    )


def _read_paths_table(inputs: Inputs, sources: Sources, needs: Needs, *, scored: bool) -> SegmentTable:
    from misread.data import read_paths_table

    assert sources.paths_table is not None  # noqa: S101  the caller looked
    return read_paths_table(
        sources.paths_table,
        sources.reference,
        sources.systems,
        segment_id=inputs.ids,
        cluster=inputs.cluster or "",
        groups=inputs.groups or [],
        options=_folder_options(inputs, _with_needs(sources.formats, needs), scored=scored),
        encoding=inputs.encoding,
    )


def _read_files(inputs: Inputs, sources: Sources, needs: Needs, *, scored: bool) -> SegmentTable:
    """Read texts that are files or folders."""
    from misread import data as datasets

    path, paths = Path(sources.reference), {name: Path(file) for name, file in sources.systems.items()}
    formats = sources.choose_formats(verbatim=needs.verbatim, resegment=inputs.resegment)
    reference, hypothesis = formats
    if reference and hypothesis and hypothesis.kind != "pages":
        return _read_segments(inputs, sources, needs, formats=(reference, hypothesis), scored=scored)
    pages = {file: form for file, form in sources.recognised.items() if form and form.kind == "pages"}
    if not (any(formats) or sources.are_folders or (pages and not needs.verbatim)):
        return datasets.read_files(path, paths, verbatim=needs.verbatim, encoding=inputs.encoding)
    options = _folder_options(inputs, _with_needs(formats, needs), scored=scored)
    guessed = {file: pages.get(file) for file in sources.recognised}
    return datasets.read_folders(path, paths, options, encoding=inputs.encoding, guessed=guessed)


def _with_needs(formats: Formats, needs: Needs) -> Formats:
    """Formats of pages: under metrics of answers text may look like anything, and no format is guessed."""
    if not needs.verbatim:
        return formats
    reference, hypothesis = ((form or FORMATS["text"]).given(verbatim=True) for form in formats)
    return reference, hypothesis


def _read_segments(
    inputs: Inputs, sources: Sources, needs: Needs, *, formats: tuple[Format, Format], scored: bool
) -> SegmentTable:
    from misread import data as datasets
    from misread.data.formats.recognition import describe_recognised

    reference, hypothesis = formats
    sessions = needs.sessions and reference.has_turns and hypothesis.has_turns
    if sessions and inputs.resegment:
        raise ConfigurationError(
            f"metrics of speakers count whole sessions, in which {setting('resegment')} changes nothing: leave "
            "it out, or name other metrics."
        )
    if not (sessions or inputs.resegment):
        implied = {"verbatim": True} if needs.verbatim else {}
        implied |= {"optional_words": True} if needs.optional_words else {}
        reference, hypothesis = reference.given(**implied), hypothesis.given(**implied)
    options = _folder_options(inputs, (None, None), scored=scored)
    table = datasets.read_segment_files(
        Path(sources.reference),
        {name: Path(file) for name, file in sources.systems.items()},
        reference,
        hypothesis,
        sessions=sessions,
        cut_again=inputs.resegment,
        cluster=options.cluster,
        # Words are compared as they are scored.
        key=inputs.chosen_normalizer if inputs.resegment else None,
        encoding=inputs.encoding,
        options=options,
    )
    sides = zip((sources.reference, *sources.systems.values()), formats, sources.formats, strict=False)
    # A format of both sides is said once.
    first_files = {str(form): file for file, form, chosen in reversed([*sides]) if not chosen and form.recognise}
    notes = [describe_recognised(file, form) for form, file in reversed(first_files.items())]
    return replace(table, facts=table.facts.with_notes(*notes))


def _folder_options(inputs: Inputs, formats: Formats, *, scored: bool) -> FolderOptions:
    from misread.data import FolderOptions

    has_labels = inputs.sources.have_labels
    return FolderOptions(
        patterns=inputs.patterns or [],
        reference_pattern=inputs.reference_pattern,
        hypothesis_pattern=inputs.hypothesis_pattern,
        format=formats[0] or "",
        hypothesis_format=formats[1] or "",
        cluster="" if has_labels else inputs.cluster or "",
        groups=[] if has_labels else inputs.groups or [],
        missing=None if inputs.missing == "error" and not scored else cast("MissingPolicy", inputs.missing),
    )

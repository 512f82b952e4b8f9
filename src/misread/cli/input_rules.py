"""Which options of texts go together; looks at names and folders, and reads no text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from misread.data.segment_table import MissingPolicy
from misread.errors import ConfigurationError, setting
from misread.io.checks.choices import check_choice

if TYPE_CHECKING:
    from misread.cli.input_sources import Formats
    from misread.cli.inputs import Inputs
    from misread.metrics import Metric


class Needs(NamedTuple):
    """Needs of chosen metrics."""

    verbatim: bool  # they may be JSON or XML
    sessions: bool
    optional_words: bool


def needs_of(metrics: Sequence[Metric]) -> Needs:
    """Needs of the metrics."""
    kinds = {metric.input_kind for metric in metrics}
    return Needs(
        verbatim="markup" in kinds,
        sessions="sessions" in kinds,
        optional_words=any(getattr(metric, "alignment", "") == "sclite" for metric in metrics),
    )


class Rule(NamedTuple):
    """Options that need other options: whether they fit the rest, and the message if they do not."""

    options: tuple[str, ...]
    fits: Callable[[Inputs, Formats], bool]
    refusal: str


_NAME_COLUMNS: Final = (
    f"{setting('segment_id')}, {setting('cluster')} and {setting('groups')} name columns of "
    f"{setting('table', 'FILE')}, {setting('paths_table', 'FILE')} or {setting('ids_table', 'FILE')}. With folders, "
    f"{setting('cluster')} and {setting('groups')} are regular expressions on paths; with {setting('format', 'trn')} "
    f"and others that have ids, {setting('cluster')} is one on ids."
)
RULES: Final = (
    Rule(
        ("resegment",),
        lambda inputs, _: inputs.sources.are_files,
        f"{setting('resegment')} is for files of segments; rows of a table or a log are paired as they are.",
    ),
    Rule(
        ("further_runs",),
        lambda inputs, _: (
            not (inputs.sources.columns and (inputs.sources.columns.system or inputs.sources.columns.run))
        ),
        f"{setting('further_runs')} is for systems with a file or column for each run: leave it out, as the table "
        "names runs or systems by rows.",
    ),
    Rule(
        ("paths_table",),
        lambda _, formats: all(form is None or form.kind == "pages" for form in formats),
        f"{setting('paths_table')} pairs files that are one text or page each: name a {setting('format')} of these, or "
        "none.",
    ),
    Rule(
        ("patterns", "reference_pattern", "hypothesis_pattern"),
        lambda inputs, _: inputs.sources.are_folders,
        f"{setting('patterns')}, {setting('reference_pattern')} and {setting('hypothesis_pattern')} choose files in "
        "folders: give folders.",
    ),
    Rule(
        ("ids_table",),
        lambda inputs, _: bool(inputs.cluster or inputs.groups),
        f"{setting('ids_table')} needs {setting('cluster', 'COLUMN')} or {setting('groups', 'COLUMN')}: the columns "
        "to take from it.",
    ),
    Rule(
        ("ids_table",),
        lambda inputs, _: not inputs.table,
        f"{setting('ids_table')} is for files without columns; with {setting('table')}, name columns of that table.",
    ),
    Rule(
        ("segment_id", "ids_table", "further_runs"),
        lambda inputs, _: not inputs.logs,
        f"{setting('segment_id')}, {setting('ids_table')} and {setting('further_runs')} are not for logs, which have "
        "ids and runs of their own.",
    ),
    Rule(("segment_id",), lambda inputs, _: inputs.sources.have_labels, _NAME_COLUMNS),
    Rule(("groups",), lambda inputs, _: inputs.sources.have_labels or inputs.sources.are_folders, _NAME_COLUMNS),
    Rule(
        ("cluster",),
        lambda inputs, formats: inputs.sources.have_labels or inputs.sources.are_folders or _have_ids(inputs, formats),
        _NAME_COLUMNS,
    ),
)


def check_inputs(inputs: Inputs, needs: Needs) -> None:
    """Refuse options that do not go together, before anything is read for what metrics need."""
    check_choice("policy for missing hypotheses", inputs.missing, MissingPolicy)
    formats = inputs.sources.choose_formats(verbatim=needs.verbatim, resegment=inputs.resegment)
    for rule in RULES:
        if any(map(inputs.has, rule.options)) and not rule.fits(inputs, formats):
            raise ConfigurationError(rule.refusal)
    hypothesis = formats[1]
    if hypothesis is not None and hypothesis.kind == "lines" and inputs.sources.are_folders:
        raise ConfigurationError(
            f"folders are paired file by file; use {setting('format', 'text')} (the default) or nlp."
        )


def _have_ids(inputs: Inputs, formats: Formats) -> bool:
    """Whether the cluster is an expression on ids."""
    from misread.data.segment_files import takes_cluster

    form = formats[1]
    return inputs.resegment or (form is not None and form.kind != "lines" and takes_cluster(form))

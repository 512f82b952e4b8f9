"""Tables with one row per segment: references, recorded outputs of systems, and images or audio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from misread.data.base import below, digest_segments, path_below
from misread.data.formats.annotations import annotate
from misread.data.formats.asr_log import read_log_rows
from misread.data.formats.tables import Rows, read_rows
from misread.data.run_columns import RunColumns, name_run, record_runs, spread_runs, spread_systems
from misread.data.segment_table import EFFORT, Annotations, MissingPolicy, SegmentTable, TextFacts
from misread.errors import ConfigurationError, InputFileError, InputTypeError, setting
from misread.io.checks.choices import check_choice, check_choices
from misread.io.text import UTF_8

EmptyCells = Literal["text", "missing"]
"""What an empty cell of CSV or TSV is."""

_WITHOUT_REFERENCE: Final = f" {setting('missing', 'drop')} or empty leaves such rows out."


@dataclass(frozen=True)
class Table:
    """Data set in one CSV, TSV, JSON Lines or Parquet file.

    Parameters
    ----------
    root : str
        Folder of the data set.
    file : str
        The table, relative to `root`.
    segment_id : list of str
        Columns that together name a segment.
    reference : str
        Column of reference texts.
    cluster : str, optional
        Column of clusters; segments of one cluster (page, book, writer, speaker) are not independent.
    groups : list of str
        Columns by which results are broken down.
    media : str, optional
        Column of image or audio paths, relative to `root`.
    medium : {"line_image", "page_image", "audio"}
        Kind of the media.
    times : list of str
        Two columns, begin and end in seconds, where a segment is an utterance of a longer recording.
    recorded : list of str
        Columns of outputs recorded earlier, one per system.
    empty : {"text", "missing"}
        What an empty cell is in a format that has no other sign for a missing text (CSV, TSV).
    annotations : mapping of str to str
        Files (JSON Lines), relative to `root`, with what is known of segments beside their texts: by name of recorded
        outputs, or "references".
    ocr : str, optional
        Column of recognized text that the systems corrected.
    provenance : str
        Source of the data and its licence.
    run : str, optional
        Column that numbers the run of a row, from 1, of a table with one row per segment and run. Outputs of a column
        `text` are then recorded as `text.1`, `text.2` and so on: a system takes them as `name: text.{run}`.
    request : str, optional
        Column with the id of the request that a row answers; two rows with one id are refused.
    system : str, optional
        Column that names the system of a row, of a table with one row per segment and system; `recorded` then names
        systems, and `hypothesis` the column of their texts.
    hypothesis : str, optional
        Column of all texts of such a table.
    measured : mapping of str to str
        Columns of such a table with what a text took, by "latency_seconds", "input_tokens", "output_tokens" or "usd";
        they come to the tables of latencies and costs.

    Raises
    ------
    ConfigurationError
        If no column of segment ids is named, one of requests and none of runs, one of systems and none of their texts,
        or `times` are not two columns of recordings.
    """

    root: str
    file: str
    segment_id: list[str]
    reference: str
    cluster: str = ""
    groups: Sequence[str] = ()
    media: str = ""
    medium: Literal["line_image", "page_image", "audio"] = "line_image"
    times: Sequence[str] = ()
    recorded: Sequence[str] = ()
    empty: EmptyCells = "text"
    annotations: Mapping[str, str] = field(default_factory=dict)
    ocr: str = ""
    provenance: str = ""
    run: str = ""
    request: str = ""
    system: str = ""
    hypothesis: str = ""
    measured: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")
        if not self.segment_id:
            raise ConfigurationError(f"segment_id names no column of {self.file}; name those that identify a segment.")
        if self.times and not (len(self.times) == 2 and self.media and self.medium == "audio"):
            raise ConfigurationError(
                f"times of {self.file} are {', '.join(self.times)}; expected two columns, begin and end of a segment "
                "in the recording that `media` names, with medium: audio."
            )
        if self.request and not self.run:
            raise ConfigurationError(f"request names a column of {self.file}, and run none: name the runs, too.")
        if bool(self.system) != bool(self.hypothesis):
            raise ConfigurationError(
                f"a table with a row per system needs both columns, {setting('system')} and {setting('hypothesis')}: "
                f"name them for {self.file}, or neither."
            )
        if self.measured and not self.system:
            raise ConfigurationError(
                f"{setting('measured')} is of rows with one system each: name {setting('system')} for {self.file}, too."
            )

    @property
    def offers(self) -> frozenset[str]:
        recorded = {f"recorded:{name_run(name, '1') if self.run else name}" for name in self.recorded}
        return frozenset(recorded | ({self.medium} if self.media else set()))

    def segments(self) -> SegmentTable:
        """Read the table, in its order; `below` and `read_table` say what is refused."""
        root = Path(self.root)
        table = read_table(
            below(root, self.file, setting("file")),
            self.reference,
            {self.hypothesis: self.hypothesis} if self.system else {name: name for name in self.recorded},
            segment_id=self.segment_id,
            cluster=self.cluster,
            groups=self.groups,
            media=self.media,
            times=self.times,
            root=root,
            empty=self.empty,
            runs=RunColumns(self.run, self.request) if self.run else None,
            ocr=self.ocr,
            system=self.system,
            measured=self.measured,
        )
        if self.system:
            for name in self.recorded:
                check_choice("system", name, table.hypotheses, where=f"column {self.system} of {self.file}")
            table = _take_systems(table, self.recorded)
        files = {name: below(root, file, f"setting annotations.{name}") for name, file in self.annotations.items()}
        return annotate(record_runs(table, self.file) if self.run else table, files)


def _take_systems(table: SegmentTable, systems: Sequence[str]) -> SegmentTable:
    """The table with these systems alone."""
    return replace(
        table,
        hypotheses={name: table.hypotheses[name] for name in systems},
        runs={name: by_run for name, by_run in table.runs.items() if name in systems},
        annotations_of={name: known for name, known in table.annotations_of.items() if name in systems},
        annotations_of_runs={name: by_run for name, by_run in table.annotations_of_runs.items() if name in systems},
    )


def read_table(
    path: Path,
    reference: str,
    hypotheses: Mapping[str, str],
    *,
    segment_id: Sequence[str] = (),
    cluster: str = "",
    groups: Sequence[str] = (),
    media: str = "",
    times: Sequence[str] = (),
    root: Path = Path(),
    empty: EmptyCells = "text",
    missing: MissingPolicy = "error",
    encoding: str = UTF_8,
    is_asr_log: bool = False,
    runs: RunColumns | None = None,
    ocr: str = "",
    system: str = "",
    measured: Mapping[str, str] | None = None,
) -> SegmentTable:
    """Read a file as `table_of_rows` does; `media` is a column of paths of images or audio, relative to `root`.

    `times` are two columns, at which seconds of the audio a segment begins and ends. `ocr` is a column of text that the
    systems corrected, an annotation of the references.
    A log of a recognizer is a JSON array, JSON Lines, or has columns separated by ";", whatever the file is called.
    `encoding` is that of a text format, and `empty` says what an empty cell is where the format leaves it open. A row
    without a reference is refused under `missing` "error", else left out. Notes say how many of both there are.
    With `runs` the file has one row per segment and run, with `system` one per segment and system. `measured` maps
    annotations of the hypotheses, such as "latency_seconds", to columns of numbers.

    Raises InputFileError if the file is missing, empty or broken, a segment has no id, reference or media file, or two
    segments share an id; names file and line.
    """
    check_choice("rule for empty cells", empty, EmptyCells)
    require_measures(measured or {})
    rows, notes = (read_log_rows if is_asr_log else read_rows)(path, encoding=encoding), []
    texts = dict.fromkeys([reference, *hypotheses.values()])
    counts = {column: rows.texts(column).count("") for column in texts} if rows.ambiguous else {}
    if empty_cells := {column: count for column, count in counts.items() if count}:
        notes.append(_describe_empty(rows, empty_cells, empty))
        if empty == "missing":
            rows = rows.without_empty(empty_cells)
    row_numbers = [row for row, text in enumerate(rows.texts(reference)) if text is not None]
    if missing != "error" and 0 < len(row_numbers) < len(rows):
        notes.append(_describe_left_out(rows, reference, row_numbers))
        rows = rows.take(row_numbers)
    rows.present_texts(reference, advice=_WITHOUT_REFERENCE)
    table = table_of_rows(
        rows.with_amounts((measured or {}).values()),
        reference,
        hypotheses,
        name=path.stem,
        segment_id=segment_id,
        cluster=cluster,
        groups={name: name for name in groups},
        runs=runs,
        system=system,
        beside=measured or {},
    )
    table = replace(table, facts=TextFacts(notes=notes, empty_cells=empty if empty_cells else ""))
    if ocr:
        table = replace(table, annotations={**table.annotations, "ocr": rows.present_texts(ocr)})
    if not media:
        return table
    names = rows.present_texts(media)
    table = replace(table, media=[path_below(root, name, rows.location(row)) for row, name in enumerate(names)])
    return replace(table, times=_read_times(rows, *times)) if times else table


def require_measures(measured: Mapping[str, str]) -> None:
    """Refuse what no table of what a reading took would show."""
    if not isinstance(measured, Mapping):
        kind = type(measured).__name__
        raise InputTypeError(f"{setting('measured')} is of type {kind}, expected columns by what they measure.")
    for name in measured:
        check_choice("measure", name, EFFORT, where=setting("measured"))


def _read_times(rows: Rows, start: str, end: str) -> list[tuple[float, float]]:
    """Start and end of every row in seconds; the start must be before the end."""
    times = list(zip(rows.present_seconds(start), rows.present_seconds(end), strict=True))
    for row, (first, last) in enumerate(times):
        if not first < last:
            raise InputFileError(
                f"{rows.location(row)}: the segment ends at {last:g} s ({end}) and begins at {first:g} s ({start})."
            )
    return times


def table_of_rows(
    rows: Rows,
    reference: str,
    hypotheses: Mapping[str, str],
    *,
    name: str,
    segment_id: Sequence[str] = (),
    cluster: str = "",
    cluster_name: str = "",
    groups: Mapping[str, str],
    runs: RunColumns | None = None,
    system: str = "",
    beside: Mapping[str, str] | None = None,
) -> SegmentTable:
    """Take segments from columns; `hypotheses` and `groups` map systems and names of groups to columns.

    A hypothesis without a value is missing, unlike an empty text. Segment ids join the columns `segment_id`; without
    these, rows are numbered from 1. Clusters are called `cluster_name`, else as their column. With `runs` there is one
    row per segment and run. With `system` there is one per segment and system (and run): all texts are in the one
    column of `hypotheses`, and `beside` maps annotations of theirs to columns.
    """
    columns = {name: {"1": column} for name, column in hypotheses.items()}
    annotations: Mapping[str, Mapping[str, Annotations]] = {}
    if runs or system:
        same = [column for column in (reference, cluster, *groups.values()) if column]
        texts = list(dict.fromkeys(hypotheses.values()))
        for column in (*same, *texts):
            check_choice("column", column, rows.columns, where=rows.source)
        if system:
            rows, columns, annotations = spread_systems(
                rows, system, runs, segment_id=segment_id, same=same, text=texts[0], beside=beside or {}
            )
        elif runs:
            rows, spread = spread_runs(rows, runs, segment_id=segment_id, same=same, texts=texts)
            columns = {name: spread[column] for name, column in hypotheses.items()}
    ids = rows.ids(segment_id)
    references = rows.present_texts(reference)
    return SegmentTable(
        name=name,
        digest=digest_segments(ids, references),
        segment_id=ids,
        references=references,
        cluster=rows.labels([cluster]) if cluster else None,
        cluster_name=cluster_name or cluster,
        groups={group: rows.labels([column]) for group, column in groups.items()},
        hypotheses={name: rows.texts(next(iter(run_columns.values()))) for name, run_columns in columns.items()},
        runs={
            name: {run: rows.texts(column) for run, column in run_columns.items()}
            for name, run_columns in columns.items()
            if len(run_columns) > 1
        },
        annotations_of={name: next(iter(by_run.values())) for name, by_run in annotations.items() if len(by_run) == 1},
        annotations_of_runs={name: by_run for name, by_run in annotations.items() if len(by_run) > 1},
    )


def _describe_empty(rows: Rows, numbers: Mapping[str, int], empty: EmptyCells) -> str:
    counted = ", ".join(f"{number:,} in {column}" for column, number in numbers.items())
    taken, other = ("empty", "missing") if empty == "text" else ("missing", "empty")
    option = "missing" if empty == "text" else "text"
    return (
        f"{rows.ambiguous} does not distinguish an empty text from a missing one: empty cells ({counted}, of "
        f"{len(rows):,}) are taken for {taken} texts; the setting empty: {option} takes them for {other} ones."
    )


def _describe_left_out(rows: Rows, reference: str, row_numbers: Sequence[int]) -> str:
    left_out = sorted({*range(len(rows))} - {*row_numbers})
    counted = "1 row is" if len(left_out) == 1 else f"{len(left_out):,} rows are"
    first = f"{'' if len(left_out) == 1 else 'the first on '}{rows.unit} {rows.lines[left_out[0]]}"
    return f"{counted} left out, as {reference} has no value there ({first})."

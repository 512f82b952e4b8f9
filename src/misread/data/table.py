"""Tables with one row per segment: references, recorded outputs of systems, and images or audio."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from misread.data.base import below, digest_segments, path_below
from misread.data.formats.annotations import annotate
from misread.data.formats.tables import Rows, read_rows
from misread.data.formats.text_folder import name_first
from misread.data.run_columns import name_run, record_runs, spread_runs, spread_systems
from misread.data.segment_table import Annotations, MissingPolicy, SegmentTable, TextFacts
from misread.data.table_columns import EmptyCells, TableColumns
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.checks.choices import check_choice, check_choices
from misread.io.text import UTF_8

_WITHOUT_REFERENCE: Final = f" {setting('missing', 'drop')} or empty leaves such rows out."


@dataclass(frozen=True, kw_only=True)
class Table(TableColumns):
    """Data set in one CSV, TSV, JSON Lines or Parquet file, with its columns as in `TableColumns`.

    Parameters
    ----------
    root : str
        Folder of the data set.
    file : str
        The table, relative to `root`.
    recorded : list of str
        Columns of outputs recorded earlier, one per system; with `system` the names of systems. Outputs of runs, which
        are numbered from 1, are recorded as `text.1`, `text.2` and so on: a system takes them as `name: text.{run}`.
    medium : {"line_image", "page_image", "audio"}
        Kind of the media, whose paths are relative to `root`.
    annotations : mapping of str to str
        Files (JSON Lines), relative to `root`, with annotations of segments: by name of recorded
        outputs, or "references".
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    ConfigurationError
        If no column of segment ids is named, or `times` are not two columns of recordings.
    """

    root: str
    file: str
    recorded: Sequence[str] = ()
    medium: Literal["line_image", "page_image", "audio"] = "line_image"
    annotations: Mapping[str, str] = field(default_factory=dict)
    provenance: str = ""

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")
        super().__post_init__()
        if not self.segment_id:
            raise ConfigurationError(f"segment_id names no column of {self.file}; name those that identify a segment.")
        if self.times and not (len(self.times) == 2 and self.media and self.medium == "audio"):
            raise ConfigurationError(
                f"times of {self.file} are {', '.join(self.times)}; expected two columns, begin and end of a segment "
                "in the recording that `media` names, with medium: audio."
            )

    @property
    def offers(self) -> frozenset[str]:
        recorded = {f"recorded:{name_run(name, '1') if self.run else name}" for name in self.recorded}
        return frozenset(recorded | ({self.medium} if self.media else set()))

    def segments(self) -> SegmentTable:
        """Read the table, in its order; `below` and `read_table` say what they refuse."""
        root = Path(self.root)
        columns = {} if self.system else {name: name for name in self.recorded}
        table = read_table(below(root, self.file, setting("file")), self, columns, root=root)
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
    columns: TableColumns,
    hypotheses: Mapping[str, str] = MappingProxyType({}),
    *,
    root: Path = Path(),
    missing: MissingPolicy = "error",
    encoding: str = UTF_8,
    read: Callable[..., Rows] = read_rows,
) -> SegmentTable:
    """Read a file as `table_of_rows` does; paths of media are relative to `root`, begin and end may be columns.

    `encoding` is that of a text format. A row without a reference is refused under `missing` "error", else left out.
    Notes say how many of these there are, and how many empty cells. `read` is the reader of the file's rows.

    Raises InputFileError if the file is missing, empty or broken, a segment has no id, reference or media file, or two
    segments share an id; names file and line.
    """
    rows, reference = read(path, encoding=encoding), columns.reference
    notes: list[str] = []
    texts = dict.fromkeys([reference, *_text_columns(columns, hypotheses).values()])
    counts = {column: rows.texts(column).count("") for column in texts} if rows.ambiguous else {}
    if empty_cells := {column: count for column, count in counts.items() if count}:
        notes.append(_describe_empty(rows, empty_cells, columns.empty))
        if columns.empty == "missing":
            rows = rows.without_empty(empty_cells)
    row_numbers = [row for row, text in enumerate(rows.texts(reference)) if text is not None]
    if missing != "error" and 0 < len(row_numbers) < len(rows):
        notes.append(_describe_left_out(rows, reference, row_numbers))
        rows = rows.take(row_numbers)
    rows.present_texts(reference, advice=_WITHOUT_REFERENCE)
    others = [name for name in rows.columns if name not in {*columns.names, *hypotheses.values()}]
    table = table_of_rows(rows.with_amounts(columns.measured.values()), columns, hypotheses, name=path.stem)
    remarks = [f"{path.name}: columns that are not read: {name_first(others)}."] if others else []
    table = replace(
        table, facts=TextFacts(notes=notes, remarks=remarks, empty_cells=columns.empty if empty_cells else "")
    )
    if columns.ocr:
        table = replace(table, annotations={**table.annotations, "ocr": rows.present_texts(columns.ocr)})
    if not columns.media:
        return table
    names = rows.present_texts(columns.media)
    table = replace(table, media=[path_below(root, name, rows.location(row)) for row, name in enumerate(names)])
    return replace(table, times=_read_times(rows, *columns.times)) if columns.times else table


def _text_columns(columns: TableColumns, hypotheses: Mapping[str, str]) -> Mapping[str, str]:
    """Columns of texts by system or, where rows have one system each, the one that all have."""
    return {columns.hypothesis: columns.hypothesis} if columns.system else hypotheses


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
    columns: TableColumns,
    hypotheses: Mapping[str, str] = MappingProxyType({}),
    *,
    name: str,
    cluster_name: str = "",
    group_names: Sequence[str] = (),
    annotated: Sequence[str] = (),
) -> SegmentTable:
    """Take segments from columns; `hypotheses` maps systems to columns where a row has all of them.

    A hypothesis without a value is missing, unlike an empty text. Clusters are called `cluster_name`, else as their
    column, and groups `group_names`. With `system`, columns `annotated` are annotations of texts, as are those of
    `measured`.
    """
    groups = dict(zip(group_names or columns.groups, columns.groups, strict=True))
    reference, segment_id, cluster = columns.reference, columns.segment_id, columns.cluster
    texts = _text_columns(columns, hypotheses)
    by_run = {name: {"1": column} for name, column in texts.items()}
    annotations: Mapping[str, Mapping[str, Annotations]] = {}
    if columns.run or columns.system:
        same = [column for column in (reference, cluster, *columns.groups) if column]
        for column in (*same, *texts.values()):
            check_choice("column", column, rows.columns, where=rows.source)
        if columns.system:
            measured = {**{name: name for name in annotated}, **columns.measured}
            rows, by_run, annotations = spread_systems(rows, columns, same=same, measured=measured)
        else:
            rows, spread = spread_runs(rows, columns, same=same, texts=list(dict.fromkeys(texts.values())))
            by_run = {name: spread[column] for name, column in texts.items()}
    ids = rows.ids(segment_id, advice="" if columns.run or columns.system else rows.advice_on_ids)
    references = rows.present_texts(reference)
    return SegmentTable(
        name=name,
        digest=digest_segments(ids, references),
        segment_id=ids,
        references=references,
        cluster=rows.labels([cluster]) if cluster else None,
        cluster_name=cluster_name or cluster,
        groups={group: rows.labels([column]) for group, column in groups.items()},
        hypotheses={name: rows.texts(next(iter(run_columns.values()))) for name, run_columns in by_run.items()},
        runs={
            name: {run: rows.texts(column) for run, column in run_columns.items()}
            for name, run_columns in by_run.items()
            if len(run_columns) > 1
        },
        annotations_of={name: next(iter(known.values())) for name, known in annotations.items() if len(known) == 1},
        annotations_of_runs={name: known for name, known in annotations.items() if len(known) > 1},
    )


def _describe_empty(rows: Rows, numbers: Mapping[str, int], empty: EmptyCells) -> str:
    counted = ", ".join(f"{number:,} in {column}" for column, number in numbers.items())
    taken, other = ("empty", "missing") if empty == "text" else ("missing", "empty")
    option = "missing" if empty == "text" else "text"
    return (
        f"{rows.ambiguous} does not distinguish an empty text from a missing one: empty cells ({counted}, of "
        f"{len(rows):,}) are taken for {taken} texts; the setting empty={option} takes them for {other} ones."
    )


def _describe_left_out(rows: Rows, reference: str, row_numbers: Sequence[int]) -> str:
    left_out = sorted({*range(len(rows))} - {*row_numbers})
    counted = "1 row is" if len(left_out) == 1 else f"{len(left_out):,} rows are"
    first = f"{'' if len(left_out) == 1 else 'the first on '}{rows.unit} {rows.lines[left_out[0]]}"
    return f"{counted} left out, as {reference} has no value there ({first})."

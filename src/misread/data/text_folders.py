"""Folders of texts or pages, one of references and one per system that ran elsewhere, with a table of their labels."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from misread.data.base import below
from misread.data.folders import read_folders
from misread.data.formats.paired_files import FOLDER, FileOptions, FolderOptions
from misread.data.formats.tables import Rows, read_rows
from misread.data.formats.text_folder import name_first
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.checks.choices import check_choices
from misread.io.text import UTF_8
from misread.text.patterns import compile_pattern


def with_labels(
    table: SegmentTable,
    path: Path,
    *,
    id_column: str = "id",
    cluster: str = "",
    groups: Sequence[str] = (),
    encoding: str = UTF_8,
) -> SegmentTable:
    """A table of segments with the cluster and groups that columns of another table have for each.

    Parameters
    ----------
    table : SegmentTable
        Segments; ids that differ only in Unicode normal form are the same.
    path : Path
        CSV, TSV, JSON Lines or Parquet with one row per segment. A row for a file, by its name with or without the
        ending, is that of all its parts (`FILE#ID`) as well.
    id_column : str
        Column of ids in that file.
    cluster : str
        Column of clusters.
    groups : sequence of str
        Columns by which results are broken down.
    encoding : str
        Encoding of CSV, TSV and JSON Lines.

    Raises
    ------
    InputFileError
        If the file is broken, two rows share an id, or a segment has no row; names it.
    UnknownNameError
        If there is no such column; lists them.
    ConfigurationError
        If neither a cluster nor a group is named.
    """
    if not cluster and not groups:
        raise ConfigurationError(f"{path}: give {setting('cluster')} or {setting('groups')}, columns of this table.")
    rows = read_rows(path, encoding=encoding)
    by_id = {unicodedata.normalize("NFC", key): row for row, key in enumerate(rows.ids([id_column]))}
    by_name = {**_without_endings(by_id), **by_id}
    rows_of_segments = [_find(by_name, segment) for segment in table.segment_id]
    lacking = [segment for segment, row in zip(table.segment_id, rows_of_segments, strict=True) if row is None]
    if lacking:
        raise InputFileError(
            f"{path}: column {id_column!r} has no row for {len(lacking):,} of {len(table):,} segments "
            f"({name_first(lacking)}); it has {name_first(list(by_id))}."
        )
    row_numbers = [row for row in rows_of_segments if row is not None]
    return replace(
        table,
        cluster=_take(rows, cluster, row_numbers) if cluster else table.cluster,
        cluster_name=cluster or table.cluster_name,
        groups={**table.groups, **{name: _take(rows, name, row_numbers) for name in groups}},
    )


def _without_endings(by_id: Mapping[str, int]) -> dict[str, int]:
    """Rows by their ids without endings; beginnings that several ids share are left out."""
    beginnings = Counter(beginning for name in by_id for beginning in _beginnings(name))
    return {
        beginning: row for name, row in by_id.items() for beginning in _beginnings(name) if beginnings[beginning] == 1
    }


def _find(by_name: Mapping[str, int], segment: str) -> int | None:
    """Row of a segment, else of the file that it is part of."""
    name = unicodedata.normalize("NFC", segment)
    file = name.rpartition("#")[0]
    ways = (name, *_beginnings(name), file, *_beginnings(file))
    return next((by_name[way] for way in ways if way in by_name), None)


def _beginnings(name: str) -> list[str]:
    """Beginnings of a name up to each dot of its last part, the longest first."""
    start = name.rfind("/") + 2
    return [name[:dot] for dot in range(len(name) - 1, start - 1, -1) if name[dot] == "."]


def _take(rows: Rows, column: str, row_numbers: Sequence[int]) -> list[str]:
    labels = rows.labels([column])
    return [labels[row] for row in row_numbers]


@dataclass(frozen=True)
class TextFolders(FileOptions):
    """Data set of files of text or with layout; those of a system are paired with the references by their names.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        Folder of references, relative to `root`.
    recorded : mapping of str to str
        Folder of each system's outputs.
    cluster : str
        Regular expression on paths of references, whose one group is the cluster, or "folder"; with `ids_table` a
        column of it.
    cluster_name : str
        Name of a cluster (page, writer), else that of the expression's group.
    provenance : str
        Source of the data and its licence.
    groups : sequence of str
        Regular expressions on paths of references with named groups, or columns of `ids_table`.
    ids_table : str
        Table with one row per segment or file, by its id, relative to `root`.
    id_column : str
        Column of ids in that table.
    patterns, reference_pattern, hypothesis_pattern, format, hypothesis_format
        As in `FileOptions`.
    encoding : str
        Encoding of formats that do not name their own.

    Raises
    ------
    ConfigurationError
        If the cluster pattern is not a regular expression.
    UnknownNameError
        If there is no such format or setting; lists them.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    cluster: str = ""
    cluster_name: str = ""
    provenance: str = ""
    groups: Sequence[str] = ()
    ids_table: str = ""
    id_column: str = "id"
    encoding: str = UTF_8

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")
        super().__post_init__()
        if self.cluster and not self.ids_table and self.cluster != FOLDER:
            compile_pattern(self.cluster, name=setting("cluster"))

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all folders; `below`, `read_folders` and `with_labels` say what they refuse."""
        root = Path(self.root)
        folders = {
            name: self._folder(root, folder, f"setting recorded.{name}") for name, folder in self.recorded.items()
        }
        reference = self._folder(root, self.reference, setting("reference"))
        table = read_folders(reference, folders, self._options(), encoding=self.encoding)
        if self.ids_table:
            path = below(root, self.ids_table, setting("ids_table"))
            table = with_labels(table, path, id_column=self.id_column, cluster=self.cluster, groups=self.groups)
        if table.cluster is None:
            return table
        return replace(table, cluster_name=self.cluster_name or table.cluster_name or "cluster")

    def _options(self) -> FolderOptions:
        if self.ids_table:
            # They are columns of the table.
            return FolderOptions.of(self, cluster="", groups=())
        return FolderOptions.of(self, cluster=self.cluster, groups=self.groups)

    def _folder(self, root: Path, name: str, location: str) -> Path:
        folder = below(root, name, location)
        if not folder.is_dir():
            raise InputFileError(f"{location}: there is no folder {folder}.")
        return folder

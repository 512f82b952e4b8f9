"""Files of texts or pages that a table pairs: one row per file of references, with the files of each system."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from misread.data.base import path_below
from misread.data.folders import read_pairs
from misread.data.formats.paired_files import DEFAULT, FolderOptions, PairedFolders
from misread.data.formats.tables import Rows, read_rows
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError, list_choices, setting
from misread.io.text import UTF_8


def read_paths_table(
    path: Path,
    reference: str,
    hypotheses: Mapping[str, str],
    *,
    segment_id: Sequence[str] = (),
    cluster: str = "",
    groups: Sequence[str] = (),
    options: FolderOptions = DEFAULT,
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read the files whose paths are in columns of a table, relative to its folder.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSON Lines or Parquet.
    reference : str
        Column of files of references.
    hypotheses : mapping of str to str
        Columns of files, by system; an empty cell is a missing hypothesis.
    segment_id : sequence of str
        Columns that together name a file; by default the path of its reference does.
    cluster : str
        Column of clusters.
    groups : sequence of str
        Columns by which results are broken down.
    options : FolderOptions
        Formats and level; what it says of paths is of folders.
    encoding : str
        Encoding of formats that do not name their own.

    Raises
    ------
    InputFileError
        If the table or a file is broken, a file is missing, or one is in two rows or belongs to two systems; names line
        and column.
    UnknownNameError
        If there is no such column; lists them.
    """
    rows = read_rows(path, encoding=encoding)
    references = rows.present_texts(reference)
    if "" in references:
        raise InputFileError(f"{rows.cell(references.index(''), reference)} names no file; a reference needs one.")
    files = _Files(rows, path.parent)
    pairs = PairedFolders(
        references=[file for file in files.find(reference) if file is not None],
        hypotheses={system: files.find(column) for system, column in hypotheses.items()},
        segment_id=rows.ids(segment_id) if segment_id else references,
        cluster=rows.labels([cluster]) if cluster else None,
        cluster_name=cluster,
        groups={name: rows.labels([name]) for name in groups},
    )
    return read_pairs(pairs, path, options, encoding=encoding)


def name_columns(path: Path, *, encoding: str = UTF_8) -> tuple[str, dict[str, str]]:
    """The columns of a table that has two alone: of references, and of the system that is called like its column."""
    columns = list(read_rows(path, encoding=encoding).columns)
    if len(columns) != 2:
        raise ConfigurationError(
            f"{path} has {len(columns):,} columns: name those of paths, {setting('ref', 'COLUMN')} and "
            f"{setting('hyp', 'NAME=COLUMN')}. {list_choices(columns)}"
        )
    return columns[0], {columns[1]: columns[1]}


class _Files:
    """Files that cells name, each only once."""

    def __init__(self, rows: Rows, folder: Path) -> None:
        self._rows = rows
        self._folder = folder
        self._cells: dict[Path, str] = {}

    def find(self, column: str) -> list[Path | None]:
        """Files of a column; None for an empty cell."""
        return [self._find(row, column, name) for row, name in enumerate(self._rows.texts(column))]

    def _find(self, row: int, column: str, name: str | None) -> Path | None:
        if not name:
            return None
        cell = self._rows.cell(row, column)
        path = path_below(self._folder, name, cell)
        before = self._cells.setdefault(path.resolve(), cell)
        if before != cell:
            raise InputFileError(f"{cell}: {name} is in {before} already; every file has one place.")
        return path

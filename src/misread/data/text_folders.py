"""Folders of texts or pages, one of references and one per system that ran elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from misread.data.base import below
from misread.data.folders import read_folders
from misread.data.formats.paired_files import FOLDER, FileOptions, FolderOptions
from misread.data.ids_table import with_labels
from misread.errors import InputFileError
from misread.io.checks.choices import check_choices
from misread.io.text import UTF_8
from misread.records import SegmentTable
from misread.text.patterns import compile_pattern


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
    verbatim : bool
        Whether to accept texts that look like a format other than plain text.
    provenance : str
        Source of the data and its licence.
    groups : sequence of str
        Regular expressions on paths of references with named groups, or columns of `ids_table`.
    ids_table : str
        Table with one row per segment or file, by its id, relative to `root`.
    id_column : str
        Column of ids in that table.
    patterns, reference_suffix, hypothesis_suffix, reference_format, hypothesis_format, level, text_of, hyphens
        As in `FileOptions`.
    encoding : str
        Encoding of formats that do not name their own.

    Raises
    ------
    ConfigurationError
        If the cluster pattern is not a regular expression.
    UnknownNameError
        If there is no such format, level or rule; lists them.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    cluster: str = ""
    cluster_name: str = ""
    verbatim: bool = False
    provenance: str = ""
    groups: Sequence[str] = ()
    ids_table: str = ""
    id_column: str = "id"
    encoding: str = UTF_8

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")
        super().__post_init__()
        if self.cluster and not self.ids_table and self.cluster != FOLDER:
            compile_pattern(self.cluster, name="setting cluster")

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all folders; `below`, `read_folders` and `with_labels` say what is refused."""
        root = Path(self.root)
        folders = {name: self._folder(root, folder, f"recorded.{name}") for name, folder in self.recorded.items()}
        reference = self._folder(root, self.reference, "reference")
        table = read_folders(reference, folders, self._options(), verbatim=self.verbatim, encoding=self.encoding)
        if self.ids_table:
            path = below(root, self.ids_table, "setting ids_table")
            table = with_labels(table, path, id_column=self.id_column, cluster=self.cluster, groups=self.groups)
        if table.cluster is None:
            return table
        return replace(table, cluster_name=self.cluster_name or table.cluster_name or "cluster")

    def _options(self) -> FolderOptions:
        if self.ids_table:
            # They are columns of the table.
            return FolderOptions.of(self, cluster="", groups=())
        return FolderOptions.of(self, cluster=self.cluster, groups=self.groups)

    def _folder(self, root: Path, name: str, setting: str) -> Path:
        folder = below(root, name, f"setting {setting}")
        if not folder.is_dir():
            raise InputFileError(f"setting {setting}: there is no folder {folder}.")
        return folder

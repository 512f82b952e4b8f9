"""Folders of texts, one of references and one per system that ran elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from misread.datasets.base import below
from misread.datasets.text_files import read_folders
from misread.errors import ConfigurationError, InputFileError
from misread.records import SegmentTable


@dataclass(frozen=True)
class TextFolders:
    """Data set of text files; those of a system are paired with the references by their names.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        Folder of references, relative to `root`.
    recorded : mapping of str to str
        Folder of each system's outputs.
    cluster : str
        Regular expression searched in the id of a segment; its one group is the cluster.
    cluster_name : str
        Name of a cluster (page, writer).
    verbatim : bool
        Whether to accept texts that look like a format other than plain text.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    ConfigurationError
        If the cluster pattern is not a regular expression with one group.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    cluster: str = ""
    cluster_name: str = ""
    verbatim: bool = False
    provenance: str = ""

    def __post_init__(self) -> None:
        try:
            groups = re.compile(self.cluster).groups
        except re.error as error:
            raise ConfigurationError(
                f"cluster pattern {self.cluster!r} is not a regular expression: {error}."
            ) from None
        if self.cluster and groups != 1:
            raise ConfigurationError(f"cluster pattern {self.cluster!r} has {groups} groups, expected one: (...).")

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all folders; `below` and `read_folders` say what is refused."""
        root = Path(self.root)
        folders = {name: self._folder(root, folder, f"recorded.{name}") for name, folder in self.recorded.items()}
        reference = self._folder(root, self.reference, "reference")
        table = read_folders(reference, folders, verbatim=self.verbatim)
        if not self.cluster:
            return table
        clusters = [self._cluster_of(segment) for segment in table.segment_id]
        return replace(table, cluster=clusters, cluster_name=self.cluster_name or "cluster")

    def _folder(self, root: Path, name: str, setting: str) -> Path:
        folder = below(root, name, f"setting {setting}")
        if not folder.is_dir():
            raise InputFileError(f"setting {setting}: there is no folder {folder}.")
        return folder

    def _cluster_of(self, segment: str) -> str:
        match = re.search(self.cluster, segment)
        if match is None or match.group(1) is None:
            raise ConfigurationError(f"cluster pattern {self.cluster!r} finds no cluster in {segment!r}.")
        return str(match.group(1))

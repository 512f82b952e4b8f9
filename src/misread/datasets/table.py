"""Tables with one row per segment: references, recorded outputs of systems, and images or audio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from misread.checks.choices import check_choices
from misread.datasets.base import below, path_below, require_distinct
from misread.datasets.formats.tables import Rows, read_rows
from misread.errors import ConfigurationError
from misread.records import Segment, Source


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
    recorded : list of str
        Columns of outputs recorded earlier, one per system.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    ConfigurationError
        If no column of segment ids is named.
    """

    root: str
    file: str
    segment_id: list[str]
    reference: str
    cluster: str = ""
    groups: Sequence[str] = ()
    media: str = ""
    medium: Literal["line_image", "page_image", "audio"] = "line_image"
    recorded: Sequence[str] = ()
    provenance: str = ""

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")
        if not self.segment_id:
            raise ConfigurationError(f"segment_id names no column of {self.file}; name those that identify a segment.")

    @property
    def cluster_name(self) -> str:
        return self.cluster

    @property
    def offers(self) -> frozenset[str]:
        recorded = {f"recorded:{name}" for name in self.recorded}
        return frozenset(recorded | ({self.medium} if self.media else set()))

    def segments(self) -> list[Segment]:
        """Read the table.

        Returns
        -------
        list of Segment
            In the order of the file.

        Raises
        ------
        InputFileError
            If the file does not lie below the data set's folder, is missing, empty or broken, a segment has no id, no
            reference or no media file, or two segments share an id; names file and line.
        UnknownNameError
            If a column does not exist; lists those of the file.
        """
        rows = read_rows(below(Path(self.root), self.file, "setting file"))
        segment_ids = rows.labels(self.segment_id)
        require_distinct(segment_ids, rows.places())
        references = rows.present_texts(self.reference)
        clusters = rows.labels([self.cluster]) if self.cluster else [None] * len(references)
        groups = {name: rows.labels([name]) for name in self.groups}
        recorded = {name: rows.texts(name) for name in self.recorded}
        media = self._media(rows)
        return [
            Segment(
                Source(segment_ids[row], media[row], {name: texts[row] for name, texts in recorded.items()}),
                references[row],
                clusters[row],
                {name: labels[row] for name, labels in groups.items()},
            )
            for row in range(len(references))
        ]

    def _media(self, rows: Rows) -> list[Path] | list[None]:
        if not self.media:
            return [None] * len(rows.values)
        names = rows.present_texts(self.media)
        return [path_below(Path(self.root), name, rows.place(row)) for row, name in enumerate(names)]

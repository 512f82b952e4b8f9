"""The IAM database of handwriting: lines or words of English in a list, with an image of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from misread.data.base import below, digest_segments, path_below, require_distinct
from misread.data.segment_table import SegmentTable, TextFacts
from misread.errors import InputFileError, setting
from misread.io.checks.choices import check_choices
from misread.io.text import read_text, split_lines

_COMMENT: Final = "#"
# The id of a line is FORM-LINE, that of a word FORM-LINE-WORD.
_ID: Final = re.compile(r"(?P<form>[a-z]\d\d-\d{3}[a-z]?)-(?:s\d\d-)?\d\d(?P<word>-\d\d)?")
_SEGMENTED: Final = {"ok": "ok", "err": "err", "er": "err"}
_FORMS: Final = "forms.txt"


@dataclass(frozen=True)
class IamFolder:
    """Data set of the IAM handwriting database, by its `lines.txt` or `words.txt`.

    Parameters
    ----------
    root : str
        Folder of the data set.
    file : str
        The list, relative to `root`, such as "ascii/lines.txt". Its words, joined by "|", become words with a space
        between them.
    images : str
        Folder of images, relative to `root`, as in the archives: `a01/a01-000u/a01-000u-00.png`; "" for none.
    segmentation : {"any", "ok"}
        Whether to take all, or only those whose segmentation the list calls "ok"; it is also a group.
    cluster : {"form", "writer"}
        Whether segments of one form, or of one writer (by `forms.txt` in the same folder), are a cluster.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    UnknownNameError
        If `segmentation` or `cluster` is not one of its choices; lists them.

    References
    ----------
    Marti and Bunke (2002), The IAM-database: an English sentence database for offline handwriting recognition.
    """

    root: str
    file: str = "lines.txt"
    images: str = ""
    segmentation: Literal["any", "ok"] = "any"
    cluster: Literal["form", "writer"] = "form"
    provenance: str = ""

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({"line_image"} if self.images else ())

    def segments(self) -> SegmentTable:
        """Read the list, in its order.

        Raises InputFileError with file and line if a row is broken, an id occurs twice, or an image or writer lacks.
        """
        root = Path(self.root)
        path = below(root, self.file, setting("file"))
        rows = [_Row(line, f"{path}, line {number}") for number, line in _rows(path)]
        left_out = sum(row.segmentation != "ok" for row in rows) if self.segmentation == "ok" else 0
        rows = [row for row in rows if self.segmentation == "any" or row.segmentation == "ok"]
        if not rows:
            raise InputFileError(f"{path} has no {'segment' if not left_out else 'segment whose segmentation is ok'}.")
        ids = [row.segment_id for row in rows]
        require_distinct(ids, [row.location for row in rows])
        references = [row.text for row in rows]
        clusters = [row.form for row in rows]
        if self.cluster == "writer":
            writers = _read_writers(path.with_name(_FORMS))
            clusters = [_writer_of(writers, row) for row in rows]
        return SegmentTable(
            name=root.name,
            digest=digest_segments(ids, references),
            segment_id=ids,
            references=references,
            cluster=clusters,
            cluster_name=self.cluster,
            groups={"segmentation": [row.segmentation for row in rows]},
            media=[path_below(root, self._image_of(row), row.location) for row in rows] if self.images else None,
            facts=TextFacts(
                notes=[f"References: {left_out:,} are left out, as their segmentation is not ok."] if left_out else []
            ),
        )

    def _image_of(self, row: _Row) -> str:
        return f"{self.images}/{row.form[:3]}/{row.form}/{row.segment_id}.png"


class _Row:
    """A row of the list: 8 fields, the last a grammatical tag in a list of words, and the text."""

    def __init__(self, line: str, location: str) -> None:
        self.location = location
        fields = line.split(" ", 8)
        match = _ID.fullmatch(fields[0])
        if match is None:
            raise InputFileError(f"{location}: {fields[0]!r} is not the id of a line or word, such as a01-000u-00.")
        if len(fields) < 9 or fields[1] not in _SEGMENTED or not fields[8].strip():
            raise InputFileError(
                f"{location}: expected ID ok|err GRAY COMPONENTS X Y W H TEXT of a line, or ID ok|err GRAY X Y W H TAG "
                "TEXT of a word."
            )
        self.segment_id, self.form, self.segmentation = fields[0], match["form"], _SEGMENTED[fields[1]]
        self.text = fields[8] if match["word"] else fields[8].replace("|", " ")


def _rows(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(split_lines(read_text(path)), start=1):
        if line.strip() and not line.startswith(_COMMENT):
            yield number, line


def _read_writers(path: Path) -> dict[str, str]:
    """Writers by their forms."""
    writers = {}
    for number, line in _rows(path):
        fields = line.split(" ")
        if len(fields) < 2:
            raise InputFileError(f"{path}, line {number}: expected FORM WRITER and more fields.")
        writers[fields[0]] = fields[1]
    return writers


def _writer_of(writers: dict[str, str], row: _Row) -> str:
    if row.form not in writers:
        raise InputFileError(f"{row.location}: {_FORMS} has no form {row.form!r}, and so no writer.")
    return writers[row.form]

"""Data outside of the repository: found through one setting, checked against the list in its card's folder.

`data/ID/files.sha256` names every file of the data set with its hash, in the format of sha256sum. Results thus belong
to one content of the data: other content is an error, never another number.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from misread.data.base import Dataset, collecting_files
from misread.data.segment_table import SegmentTable
from misread.errors import InputFileError, MisreadError, MissingDataError
from misread.io.file_lists import (
    LIST_NAME,
    differing_files,
    is_inside,
    is_listed,
    list_files,
    not_as_pinned,
    note_files,
    read_list,
)
from misread.io.json_files import write_text
from misread.io.text import read_text


@dataclass(frozen=True)
class WatchedFolder:
    """The folder in which DVC looks for changes of a data set; a setting of the data set."""

    watched: str | None = None


def read_pinned(
    dataset_id: str,
    dataset: Dataset,
    card: Path,
    *,
    data_root: str,
    watched: Path | None = None,
    record: Path | None = None,
) -> SegmentTable:
    """Read a data set, and check that the files that it uses are those that its card lists; others may change.

    Parameters
    ----------
    dataset_id : str
        Id in the configuration.
    dataset : Dataset
        Reader of the data set.
    card : Path
        Folder of the data set in the repository.
    data_root : str
        Setting of that name.
    watched : Path, optional
        Folder that Git tracks, whose files may change; that of the card by default.
    record : Path, optional
        File in which sizes and times are noted for `changed_files`, where the data lies outside of it.

    Returns
    -------
    SegmentTable
        The segments, with a digest of the names and contents of the files, 64 hexadecimal digits.

    Raises
    ------
    MissingDataError
        If the folder does not exist; names the setting and the source.
    InputFileError
        If files are missing, new or changed, and names them.
    """
    root = Path(dataset.root)
    if not root.is_dir():
        raise MissingDataError(_say_missing(dataset_id, dataset, card, data_root))
    is_pinned = not is_inside(root, watched or card)
    expected = _read_pins(dataset_id, card) if is_pinned else {}
    try:
        with collecting_files() as paths:
            table = dataset.segments()
    except MisreadError:
        if is_pinned:
            # What changed says more than what cannot be read because of it.
            _require_equal(dataset_id, root, card, expected, list_files(root))
        raise
    # A reader of somebody else's, which asks nobody, may have read any file.
    listing = list_files(root, _files_among(root, paths)) if paths else list_files(root)
    if is_pinned:
        digests = read_list(listing, card / LIST_NAME)
        _require_equal(dataset_id, root, card, _without_unread(expected, digests, root), listing)
        if record is not None:
            note_files(root, record, digests)
    return replace(table, name=dataset_id, digest=hashlib.sha256(listing.encode()).hexdigest())


def _without_unread(expected: Mapping[str, str], digests: Mapping[str, str], root: Path) -> dict[str, str]:
    """Of files that nobody reads it counts only whether they are there."""
    return {name: digest for name, digest in expected.items() if name in digests or not (root / name).is_file()}


def _say_missing(dataset_id: str, dataset: Dataset, card: Path, data_root: str) -> str:
    """Source of a data set whose folder does not exist, and how to get it."""
    remedy = f"Run `misread data fetch {dataset_id}`" if (card / "source.yaml").is_file() else "Put it there"
    return (
        f"data set {dataset_id!r} is not at {dataset.root} (setting data_root: {data_root}). It is: "
        f"{dataset.provenance or 'of unnamed source'}. {remedy}, or name the folder that has it: "
        "dvc exp run -S data_root=FOLDER ..."
    )


def _files_among(root: Path, paths: Iterable[Path]) -> list[Path]:
    """Files of a data set among paths, and all those in folders among them, by their names in it."""
    files = {file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()}
    names = (path.relative_to(os.path.normpath(root)) for path in files)
    return sorted(name for name in names if is_listed(name))


def pin(dataset: Dataset, card: Path) -> Path:
    """Accept the data set's current content: write the list of its files into its card's folder.

    Parameters
    ----------
    dataset : Dataset
        Reader of the data set.
    card : Path
        Folder of the data set in the repository.

    Returns
    -------
    Path
        The list.

    Raises
    ------
    MissingDataError
        If the data set's folder does not exist.
    """
    root = Path(dataset.root)
    if not root.is_dir():
        raise MissingDataError(f"there is no folder {root} to list.")
    path = card / LIST_NAME
    write_text(path, list_files(root))
    return path


def _read_pins(dataset_id: str, card: Path) -> dict[str, str]:
    path = card / LIST_NAME
    if not path.is_file():
        raise InputFileError(
            f"data set {dataset_id!r} lies outside the repository and {path} does not list its files; "
            f"run `misread pin {dataset_id}` and commit the list."
        )
    return read_list(read_text(path), path)


def _require_equal(dataset_id: str, root: Path, card: Path, expected: Mapping[str, str], listing: str) -> None:
    if differing := differing_files(expected, read_list(listing, card / LIST_NAME)):
        raise InputFileError(not_as_pinned(dataset_id, root, card / LIST_NAME, differing))

"""Data outside of the repository: found through one setting, checked against the list in its card's folder.

`data/ID/files.sha256` names every file of the data set with its hash, in the format of sha256sum. Results thus belong
to one content of the data: other content is an error, never another number.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from misread.data.base import Dataset
from misread.errors import InputFileError, MissingDataError
from misread.io.file_lists import (
    LIST_NAME,
    differing_files,
    is_inside,
    list_files,
    not_as_pinned,
    note_files,
    read_list,
)
from misread.io.json_files import write_text
from misread.io.text import read_text


def locate(
    dataset_id: str,
    dataset: Dataset,
    card: Path,
    *,
    data_root: str,
    watched: Path | None = None,
    record: Path | None = None,
) -> str:
    """Check that the data set's files exist and are those that its card lists.

    Parameters
    ----------
    dataset_id : str
        Id in the configuration.
    dataset : Dataset
        Reader of the data set.
    card : Path
        Folder of the data set in the repository.
    data_root : str
        Value of the setting of that name, for the message.
    watched : Path, optional
        Folder that Git tracks and DVC looks at, whose files may change; by default it is that of the card.
    record : Path, optional
        File in which sizes and times are noted for `changed_files`, where the data lies outside the repository.

    Returns
    -------
    str
        Digest of all file names and contents, 64 hexadecimal digits.

    Raises
    ------
    MissingDataError
        If the folder does not exist; names the setting and the source.
    InputFileError
        If files are missing, new or changed; names them.
    """
    root = Path(dataset.root)
    if not root.is_dir():
        remedy = f"Run `misread data fetch {dataset_id}`" if (card / "source.yaml").is_file() else "Put it there"
        raise MissingDataError(
            f"data set {dataset_id!r} is not at {root} (setting data_root: {data_root}). "
            f"It is: {dataset.provenance or 'of unnamed source'}. {remedy}, or name the folder that has it: "
            f"dvc exp run -S data_root=FOLDER ..."
        )
    listing = list_files(root)
    if not is_inside(root, watched or card):
        _require_equal(dataset_id, root, card / LIST_NAME, listing)
        if record is not None:
            note_files(root, record, read_list(listing, card / LIST_NAME))
    return hashlib.sha256(listing.encode()).hexdigest()


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


def _require_equal(dataset_id: str, root: Path, list_path: Path, listing: str) -> None:
    if not list_path.is_file():
        raise InputFileError(
            f"data set {dataset_id!r} lies outside the repository and {list_path} does not list its files; "
            f"run `misread pin {dataset_id}` and commit the list."
        )
    differing = differing_files(read_list(read_text(list_path), list_path), read_list(listing, list_path))
    if differing:
        raise InputFileError(not_as_pinned(dataset_id, root, list_path, differing))

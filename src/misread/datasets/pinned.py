"""Data outside of the repository: found through one setting, checked against the list in its card's folder.

`data/ID/files.sha256` names every file of the data set with its hash, in the format of sha256sum. Results thus belong
to one content of the data: other content is an error, never another number.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from misread.datasets.base import Dataset, is_listed
from misread.errors import InputFileError, MissingDataError
from misread.files.json_files import write_text
from misread.files.text import read_text, split_lines

LIST_NAME = "files.sha256"


def locate(dataset_id: str, dataset: Dataset, card: Path, *, data_root: str) -> str:
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
    if not is_inside(root, card):
        _require_equal(dataset_id, root, card / LIST_NAME, listing)
    return hashlib.sha256(listing.encode()).hexdigest()


def is_inside(root: Path, card: Path) -> bool:
    """Whether the data set's files lie in its folder of the repository, where Git tracks them."""
    return root.resolve().is_relative_to(card.resolve())


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


def list_files(root: Path) -> str:
    """List the files below a folder as lines `SHA256  NAME` sorted by name, without hidden ones."""
    files = sorted(
        path.relative_to(root) for path in root.rglob("*") if path.is_file() and is_listed(path.relative_to(root))
    )
    return "".join(f"{_sha256(root / name)}  {name.as_posix()}\n" for name in files)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _require_equal(dataset_id: str, root: Path, list_path: Path, listing: str) -> None:
    if not list_path.is_file():
        raise InputFileError(
            f"data set {dataset_id!r} lies outside the repository and {list_path} does not list its files; "
            f"run `misread pin {dataset_id}` and commit the list."
        )
    differing = sorted(_differences(listing, list_path))
    if differing:
        shown = ", ".join(differing[:5]) + (f" and {len(differing) - 5} more" if len(differing) > 5 else "")
        raise InputFileError(
            f"data set {dataset_id!r} at {root} is not what {list_path} lists: {shown} missing, new or changed. "
            f"Restore them, or accept them with `misread pin {dataset_id}` and commit the list."
        )


def compare_with_list(root: Path, list_path: Path) -> dict[str, tuple[str, str]]:
    """Compare the files below a folder with a list: for each that differs, the listed and the found hash, or ""."""
    return _differences(list_files(root), list_path)


def listed_names(list_path: Path) -> list[str]:
    """Names of the files that a list has."""
    return list(_entries(read_text(list_path), list_path))


def _differences(listing: str, list_path: Path) -> dict[str, tuple[str, str]]:
    expected = _entries(read_text(list_path), list_path)
    found = _entries(listing, list_path)
    names = sorted(expected.keys() | found.keys())
    return {
        name: (expected.get(name, ""), found.get(name, "")) for name in names if expected.get(name) != found.get(name)
    }


def _entries(listing: str, list_path: Path) -> dict[str, str]:
    entries = {}
    for number, line in enumerate(split_lines(listing), start=1):
        digest, separator, name = line.partition("  ")
        if not separator:
            raise InputFileError(f"{list_path}, line {number}: expected `SHA256  NAME`, as sha256sum writes it.")
        entries[name] = digest
    return entries

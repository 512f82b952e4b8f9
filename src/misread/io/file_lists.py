"""Files of a folder with their hashes, and which of them changed; only files that may have changed are read again."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from misread.errors import InputFileError
from misread.io.checks.choices import require_utf8
from misread.io.json_files import read_json, write_json
from misread.io.layouts import stamp
from misread.io.text import read_text, split_lines
from misread.provenance.digests import digest_file

LIST_NAME = "files.sha256"

# A file that was written twice within one tick of the clock has the same time; younger ones are hashed again.
_SETTLED: Final = 2_000_000_000

# Size, time of the last change in ns and SHA-256 of files by name, as they were when they were last read.
_Seen = Mapping[str, tuple[int, int, str]]
_UNKNOWN: Final = (-1, -1, "")


def list_files(root: Path, names: Sequence[Path] | None = None) -> str:
    """List files below a folder as lines `SHA256  NAME` sorted by name: these or, without hidden ones, all.

    Raises InputFileError if a name is not UTF-8.
    """
    names = _names(root) if names is None else names
    for name in names:
        require_utf8(root / name)
    return "".join(f"{digest_file(root / name)}  {name.as_posix()}\n" for name in names)


def is_listed(name: Path) -> bool:
    """Whether a file belongs to a data set; hidden ones and caches do not."""
    return not any(part.startswith((".", "__pycache__")) for part in name.parts)


def _names(root: Path) -> list[Path]:
    return sorted(
        path.relative_to(root) for path in root.rglob("*") if path.is_file() and is_listed(path.relative_to(root))
    )


def changed_files(root: Path, card: Path, record: Path) -> list[str]:
    """Names of files of an external data set that are missing, new or changed since they were pinned.

    A file with the size and time noted in `record` counts as unchanged since then; others are hashed and noted. Where
    the last reading noted the files that it used, others count only if they are new and end as one of these. Empty
    if nothing is pinned, or the data is not there.
    """
    list_path = card / LIST_NAME
    if not root.is_dir() or is_inside(root, card) or not list_path.is_file():
        return []
    seen = _read_record(root, record)
    pinned = read_list(read_text(list_path), list_path)
    endings = {Path(name).suffix for name in seen}
    digests = {}
    for name in _names(root):
        if seen and name.as_posix() not in seen and (name.as_posix() in pinned or name.suffix not in endings):
            pinned.pop(name.as_posix(), None)
            continue
        status = (root / name).stat()
        size, changed, digest = seen.get(name.as_posix(), _UNKNOWN)
        is_known = (size, changed) == (status.st_size, status.st_mtime_ns)
        digests[name.as_posix()] = digest if is_known else digest_file(root / name)
    note_files(root, record, digests)
    return differing_files(pinned, digests)


def note_files(root: Path, record: Path, digests: Mapping[str, str]) -> None:
    """Write sizes and times with the hashes that were just computed."""
    settled = time.time_ns() - _SETTLED
    seen: dict[str, tuple[int, int, str]] = {}
    for name, digest in digests.items():
        status = (root / name).stat()
        is_settled = status.st_mtime_ns < settled
        seen[name] = (status.st_size, status.st_mtime_ns, digest) if is_settled else _UNKNOWN
    write_json(record, {**stamp("pins"), "root": str(root.resolve()), "files": seen})


def _read_record(root: Path, record: Path) -> _Seen:
    """Notes on the files of this folder; empty if there is no record, or one that is not understood."""
    try:
        content = read_json(record) if record.is_file() else {}
        if content.get("root") != str(root.resolve()) or not stamp("pins").items() <= content.items():
            return {}
        return {
            name: (int(size), int(changed), str(digest)) for name, (size, changed, digest) in content["files"].items()
        }
    except (InputFileError, AttributeError, KeyError, TypeError, ValueError):
        # It only saves time.
        return {}


def is_inside(root: Path, card: Path) -> bool:
    """Whether the data set's files lie in its folder of the repository, where Git tracks them."""
    # Unlike `Path.resolve`, this accepts a loop of links; its reader reports the error.
    return Path(os.path.realpath(root)).is_relative_to(os.path.realpath(card))


def not_as_pinned(dataset_id: str, root: Path, list_path: Path, differing: Sequence[str]) -> str:
    """Say which files are not those of the list, and what to do."""
    shown = ", ".join(differing[:5]) + (f" and {len(differing) - 5} more" if len(differing) > 5 else "")
    return (
        f"data set {dataset_id!r} at {root} is not what {list_path} lists: {shown} missing, new or changed. "
        f"Restore them, or accept them with `misread pin {dataset_id}` and commit the list."
    )


def differing_files(expected: Mapping[str, str], actual: Mapping[str, str]) -> list[str]:
    """Sorted names that have different hashes, or are on one side only."""
    return sorted(name for name in expected.keys() | actual.keys() if expected.get(name) != actual.get(name))


def read_list(listing: str, list_path: Path) -> dict[str, str]:
    """Hashes by name of lines `SHA256  NAME`; `list_path` is for messages.

    Raises InputFileError, with the line, for a line of another form or a name that leads out of the folder.
    """
    entries = {}
    for number, line in enumerate(split_lines(listing), start=1):
        digest, separator, name = line.partition("  ")
        if not separator:
            raise InputFileError(f"{list_path}, line {number}: expected `SHA256  NAME`, as sha256sum writes it.")
        if not stays_below(name):
            raise InputFileError(
                f"{list_path}, line {number}: {name!r} leads out of the data set's folder; name a file in it, by its "
                "path from there."
            )
        entries[name] = digest
    return entries


def stays_below(name: str) -> bool:
    """Whether a path, wherever it is joined to a folder, names something in that folder by its plain name."""
    parts = name.split("/")
    return "\0" not in name and not Path(name).is_absolute() and not {"", ".", ".."} & set(parts)

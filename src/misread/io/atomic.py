"""Atomic writing of a file, or of a new folder; clears away what a killed process left behind."""

import errno
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from misread.errors import OutputFileError

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be renamed
    fcntl = None  # type: ignore[assignment]

ENDING: Final = ".part"
"""Ending of files that are being written, which .dvcignore leaves out of the hashes of folders."""

DISK_REMEDIES: Final = {
    errno.ENOSPC: "make room on that disk and run the command again",
    errno.EDQUOT: "make room within your quota and run the command again",
    errno.EIO: "check that disk, which may be damaged, or work on another one, and run the command again",
    errno.EROFS: "make that folder writable, or work in another one, and run the command again",
}
"""Advice on errors of a disk, by their numbers."""

_REMEDIES: Final = {
    **DISK_REMEDIES,
    errno.EACCES: "get permission to write there, or work in another folder, and run the command again",
}
_MADE: Final = "made"
_PARTS: Final = re.compile(rf"\.(.+)\.{_MADE}\.\d+{re.escape(ENDING)}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Temporary path next to `path`, moved into place only if the block ends without an error; makes the folder.

    What is not a regular file, such as a pipe, is written directly. What a killed process left behind of the same file
    is written over. Raises OutputFileError, which names the file and the reason, if the system refuses.
    """
    with naming(path):
        if path.exists() and not path.is_file():
            # A device or a pipe has no content to lose and must not be replaced by a file.
            yield path
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with _claimed(path) as temporary:
            try:
                yield temporary
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)


@contextmanager
def _claimed(path: Path) -> Iterator[Path]:
    """Path of a temporary file that no other process writes; it is locked, and a lock ends with its process.

    Without such locks the path names the process, and what ended processes left behind is removed before.
    """
    if fcntl is None:
        for abandoned in _abandoned(path.parent, path.name):
            abandoned.unlink(missing_ok=True)
        yield _temporary(path.parent, path.name)
        return
    temporary = path.with_name(f".{path.name}{ENDING}")
    with temporary.open("ab") as claim:
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_mine = temporary.stat().st_ino == os.fstat(claim.fileno()).st_ino
        except OSError:
            is_mine = False
        yield temporary if is_mine else _temporary(path.parent, path.name)


@contextmanager
def temporary_folder(path: Path) -> Iterator[Path]:
    """Folder next to a file for its parts, removed afterwards; one that a killed process left is removed before.

    Raises OutputFileError if it cannot be made.
    """
    name = f"{path.name}.{_MADE}"
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        for abandoned in _abandoned(path.parent, name):
            shutil.rmtree(abandoned)
        folder = _temporary(path.parent, name)
        folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files that belong together, by name, into a new or empty folder, which appears with all of them.

    Raises OutputFileError if one cannot be written.
    """
    with temporary_folder(folder) as made, naming(folder):
        for name, content in contents.items():
            (made / name).write_bytes(content)
        made.replace(folder)


def _temporary(folder: Path, name: str) -> Path:
    """Hidden path that names the process that writes it."""
    return folder / f".{name}.{os.getpid()}{ENDING}"


def _abandoned(folder: Path, name: str) -> list[Path]:
    """Temporary paths of a file whose processes have ended."""
    if not folder.is_dir():
        return []
    written = re.compile(rf"\.{re.escape(name)}\.(\d+){re.escape(ENDING)}")
    matches = ((path, written.fullmatch(path.name)) for path in folder.iterdir())
    return [path for path, match in matches if match and not _is_running(int(match[1]))]


def _is_running(process: int) -> bool:
    """Whether another process has this number; files with the number of this one are from an earlier process."""
    # Only after a process was killed.
    import psutil

    try:
        # One that nobody has waited for yet, as in a container without a process for it, has ended.
        return process != os.getpid() and psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn an OSError into an OutputFileError that names the file, or the one whose part it is."""
    try:
        yield
    except OSError as error:
        if made := _PARTS.fullmatch(path.parent.name):
            path = path.parent.with_name(made[1])
        reason = os.strerror(error.errno) if error.errno else str(error)
        if isinstance(error, FileExistsError):
            reason = f"{error.filename} is a file, not a folder"
        remedy = f"; {_REMEDIES[error.errno]}" if error.errno in _REMEDIES else ""
        raise OutputFileError(f"{path} cannot be written: {reason}{remedy}.") from None

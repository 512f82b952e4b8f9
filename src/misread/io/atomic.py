"""Atomic writing of a file, or of files that belong together; clears away what a killed process left behind."""

import errno
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
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
_NEW: Final = "new"
_OLD: Final = "old"


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


def replace_together(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files that belong together, by name: all of them, or none; other files in the folder stay.

    A new folder appears with all of them. In an existing one the last file is removed first and written last, so a
    folder that has it has files of one call, even after a kill, which `undo_interrupted` undoes. Raises OutputFileError
    if one cannot be written; older files are then as they were.
    """
    with naming(folder):
        undo_interrupted(folder, list(contents)[-1])
        is_new = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = _temporary(folder.parent, folder.name) if is_new else _temporary(folder, _NEW)
        new.mkdir()
    old = _temporary(folder, _OLD)
    try:
        for name, content in contents.items():
            with naming(folder / name):
                (new / name).write_bytes(content)
        with naming(folder):
            if is_new:
                new.replace(folder)
            else:
                old.mkdir()
                _swap(folder, list(contents), new, old)
    finally:
        for temporary in (new, old):
            shutil.rmtree(temporary, ignore_errors=True)


def undo_interrupted(folder: Path, last: str) -> None:
    """Put older files back that a killed `replace_together` had moved away, and remove what it left behind.

    `last` is the name of its last file, which says that all are there.
    """
    for old in _abandoned(folder, _OLD):
        for path in old.iterdir() if not (folder / last).exists() else ():
            path.replace(folder / path.name)
    for abandoned in (*_abandoned(folder.parent, folder.name), *_abandoned(folder, _NEW), *_abandoned(folder, _OLD)):
        shutil.rmtree(abandoned)


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


def _swap(folder: Path, names: Sequence[str], new: Path, old: Path) -> None:
    """Move files of the folder to `old` and those of `new` into it; undo all if one cannot be moved."""
    try:
        for name in reversed(names):
            if (folder / name).is_file():
                (folder / name).rename(old / name)
        for name in names:
            (new / name).rename(folder / name)
    except BaseException:
        for name in names:
            if (old / name).exists():
                (old / name).replace(folder / name)
            elif not (new / name).exists():
                (folder / name).unlink()
        raise


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

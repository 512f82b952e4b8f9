"""Atomic writing of a file, or of files that belong together."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from misread.errors import OutputFileError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Temporary path beside `path`, moved into place only if the block ends without an error; makes the folder.

    What is not a regular file, such as a pipe, is written directly. Raises OutputFileError, which names the file and
    the reason, if the system refuses.
    """
    with _naming(path):
        if path.exists() and not path.is_file():
            # A device or a pipe has no content to lose and must not be replaced by a file.
            yield path
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def replace_together(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files that belong together, by name: all of them, or none; other files in the folder stay.

    The last file is removed first and written last, so a folder that has it has files of one writing, even after a
    kill. Raises OutputFileError if one cannot be written; older files are then as they were.
    """
    with _naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
        new, old = (Path(mkdtemp(prefix=f".{which}.", dir=folder)) for which in ("new", "old"))
    try:
        for name, content in contents.items():
            with _naming(folder / name):
                (new / name).write_bytes(content)
        with _naming(folder):
            _swap(folder, list(contents), new, old)
    finally:
        for each in (new, old):
            shutil.rmtree(each, ignore_errors=True)


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
def _naming(path: Path) -> Iterator[None]:
    """Turn an OSError into an OutputFileError that names the file."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        if isinstance(error, FileExistsError):
            reason = f"{error.filename} is a file, not a folder"
        raise OutputFileError(f"{path} cannot be written: {reason}.") from None

"""Outputs of systems that ran elsewhere, attached to images: a file next to each, in a folder, or in one JSON file."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

from misread.data.base import below
from misread.data.formats.plain_text import read_plain_text
from misread.errors import ConfigurationError, InputFileError
from misread.io.file_lists import is_listed
from misread.io.json_files import decode_json
from misread.io.text import join_lines, read_text

_TEXT: Final = ".txt"
Value = TypeVar("Value")


def read_recorded(
    root: Path, recorded: Mapping[str, str], images: Sequence[Path], *, verbatim: bool
) -> dict[str, list[str | None]]:
    """Texts of every system in the order of the images, None where it has none.

    A source is an ending added to each image (".one.txt"), a folder of text files named as the images (page1.txt or
    page1.png.txt), or a JSON object of texts by image name; all below `root`. Raises InputFileError if a source is not
    there, has no text for any image, or has one for no image.
    """
    return {
        system: _read_source(root, system, source, images, verbatim=verbatim) for system, source in recorded.items()
    }


def check_sources(recorded: Mapping[str, str], *, transcription: Sequence[str] | None) -> None:
    """Raise ConfigurationError for a source that is empty, or the references; None means no files next to images."""
    kinds = "a folder or a .json file" if transcription is None else "an ending, a folder or a .json file"
    for system, source in recorded.items():
        if not source or (transcription is None and _is_ending(source)):
            raise ConfigurationError(f"recorded.{system} is {source!r}, expected {kinds}.")
        if source in (transcription or ()):
            raise ConfigurationError(f"recorded.{system} is {source!r}, where the transcriptions are, too.")


def _read_source(root: Path, system: str, source: str, images: Sequence[Path], *, verbatim: bool) -> list[str | None]:
    where = f"setting recorded.{system}"
    if _is_ending(source):
        paths = [image.with_name(f"{image.stem}{source}") for image in images]
        texts = [_read_text(path, verbatim=verbatim) if path.is_file() else None for path in paths]
    elif source.endswith(".json"):
        texts = _read_json(below(root, source, where), where, images)
    else:
        texts = _read_folder(below(root, source, where), where, images, verbatim=verbatim)
    if all(text is None for text in texts):
        raise InputFileError(f"{where}: {source!r} has no text for any of the {len(images)} images in {root}.")
    return texts


def _read_text(path: Path, *, verbatim: bool) -> str:
    return join_lines(read_plain_text(path, verbatim=verbatim))


def _read_folder(folder: Path, where: str, images: Sequence[Path], *, verbatim: bool) -> list[str | None]:
    if not folder.is_dir():
        raise InputFileError(f"{where}: there is no folder {folder}.")
    paths = sorted(folder.rglob(f"*{_TEXT}"))
    paths = [path for path in paths if path.is_file() and is_listed(path.relative_to(folder))]
    entries = [(path.name.removesuffix(_TEXT), str(path), path) for path in paths]
    by_row = _match(entries, where, images)
    return [_read_text(by_row[row], verbatim=verbatim) if row in by_row else None for row in range(len(images))]


def _read_json(path: Path, where: str, images: Sequence[Path]) -> list[str | None]:
    content = decode_json(read_text(path), path)
    if not isinstance(content, dict):
        raise InputFileError(f"{where}: {path} is of type {type(content).__name__}, expected texts by image.")
    for name, text in content.items():
        if not isinstance(text, str | None):
            raise InputFileError(
                f"{where}: {name!r} in {path} is of type {type(text).__name__}, expected a text, or null for none."
            )
    by_row = _match([(name, repr(name), text) for name, text in content.items()], f"{where}: {path}", images)
    return [by_row.get(row) for row in range(len(images))]


def _match(entries: Iterable[tuple[str, str, Value]], where: str, images: Sequence[Path]) -> dict[int, Value]:
    """Values by the rows of their images; an entry is the name of an image, what messages call it, and a value."""
    rows = _rows_by_name(images)
    taken: dict[int, str] = {}
    by_row: dict[int, Value] = {}
    for name, shown, value in entries:
        row = rows.get(_composed(name))
        if row is None:
            raise InputFileError(f"{where}: {shown} has the name of none of the images, or of several.")
        if row in taken:
            raise InputFileError(f"{where}: {taken[row]} and {shown} are both for {images[row].name}.")
        taken[row], by_row[row] = shown, value
    return by_row


def _rows_by_name(images: Sequence[Path]) -> dict[str, int]:
    """Row of every image by its name, and by its stem where only one has it."""
    stems = [_composed(image.stem) for image in images]
    times = Counter(stems)
    rows = {stem: row for row, stem in enumerate(stems) if times[stem] == 1}
    return {**rows, **{_composed(image.name): row for row, image in enumerate(images)}}


def _is_ending(source: str) -> bool:
    return source.startswith(".") and "/" not in source


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)

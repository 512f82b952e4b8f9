"""Outputs of systems that ran elsewhere, attached to images: beside each, in a folder, or in one JSON file."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from misread.data.base import below
from misread.data.formats.plain_text import read_plain_text
from misread.errors import ConfigurationError, InputFileError
from misread.io.file_lists import is_listed
from misread.io.json_files import decode_json
from misread.io.text import join_lines, read_text

_TEXT: Final = ".txt"


def read_recorded(
    root: Path, recorded: Mapping[str, str], images: Sequence[Path], *, verbatim: bool
) -> dict[str, list[str | None]]:
    """Texts of every system in the order of the images, None where it has none.

    A source is an ending beside each image (".one.txt"), a folder of text files named as the images (page1.txt or
    page1.png.txt), or a JSON object of texts by image name; all below `root`. Raises InputFileError if a source is not
    there, has no text for any image, or has one for no image.
    """
    return {
        system: _read_source(root, system, source, images, verbatim=verbatim) for system, source in recorded.items()
    }


def check_sources(recorded: Mapping[str, str], *, transcription: Sequence[str] | None) -> None:
    """Raise ConfigurationError for a source that is empty, or where the references are; None for no files beside."""
    kinds = "a folder or a .json file" if transcription is None else "an ending, a folder or a .json file"
    for system, source in recorded.items():
        if not source or (transcription is None and _is_ending(source)):
            raise ConfigurationError(f"recorded.{system} is {source!r}, expected {kinds}.")
        if source in (transcription or ()):
            raise ConfigurationError(f"recorded.{system} is {source!r}, where the transcriptions are, too.")


def _read_source(root: Path, system: str, source: str, images: Sequence[Path], *, verbatim: bool) -> list[str | None]:
    setting = f"setting recorded.{system}"
    if _is_ending(source):
        beside = [image.with_name(f"{image.stem}{source}") for image in images]
        files = [path if path.is_file() else None for path in beside]
        texts = [None if path is None else _read_text(path, verbatim=verbatim) for path in files]
    elif source.endswith(".json"):
        texts = _read_json(below(root, source, setting), setting, images)
    else:
        texts = _read_folder(below(root, source, setting), setting, images, verbatim=verbatim)
    if all(text is None for text in texts):
        raise InputFileError(f"{setting}: {source!r} has no text for any of the {len(images)} images in {root}.")
    return texts


def _read_text(path: Path, *, verbatim: bool) -> str:
    return join_lines(read_plain_text(path, verbatim=verbatim))


def _read_folder(folder: Path, setting: str, images: Sequence[Path], *, verbatim: bool) -> list[str | None]:
    if not folder.is_dir():
        raise InputFileError(f"{setting}: there is no folder {folder}.")
    rows = _rows_by_name(images)
    texts: list[str | None] = [None] * len(images)
    taken: dict[int, Path] = {}
    for path in sorted(folder.rglob(f"*{_TEXT}")):
        if not (path.is_file() and is_listed(path.relative_to(folder))):
            continue
        row = rows.get(_composed(path.name.removesuffix(_TEXT)))
        if row is None:
            raise InputFileError(f"{setting}: {path} has the name of none of the images, or of several.")
        if row in taken:
            raise InputFileError(f"{setting}: {taken[row]} and {path} are both for {images[row].name}.")
        taken[row] = path
        texts[row] = _read_text(path, verbatim=verbatim)
    return texts


def _read_json(path: Path, setting: str, images: Sequence[Path]) -> list[str | None]:
    content = decode_json(read_text(path), path)
    if not isinstance(content, dict):
        raise InputFileError(f"{setting}: {path} is of type {type(content).__name__}, expected texts by image.")
    rows = _rows_by_name(images)
    texts: list[str | None] = [None] * len(images)
    taken: dict[int, str] = {}
    for name, text in content.items():
        row = rows.get(_composed(name))
        if row is None:
            raise InputFileError(f"{setting}: {name!r} in {path} is the name of none of the images, or of several.")
        if row in taken:
            raise InputFileError(f"{setting}: {taken[row]!r} and {name!r} in {path} are the same image.")
        if text is not None and not isinstance(text, str):
            raise InputFileError(
                f"{setting}: {name!r} in {path} is of type {type(text).__name__}, expected a text, or null for none."
            )
        taken[row] = name
        texts[row] = text
    return texts


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

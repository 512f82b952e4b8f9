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

    A place is an ending beside each image (".one.txt"), a folder of text files named as the images (page1.txt or
    page1.png.txt), or a JSON object of texts by image name; all below `root`. Raises InputFileError if a place is not
    there, has no text for any image, or has one for no image.
    """
    return {system: _read_place(root, system, place, images, verbatim=verbatim) for system, place in recorded.items()}


def check_places(recorded: Mapping[str, str], *, transcription: Sequence[str] | None) -> None:
    """Raise ConfigurationError for a place that is empty, or where the references are; None for no files beside."""
    kinds = "a folder or a .json file" if transcription is None else "an ending, a folder or a .json file"
    for system, place in recorded.items():
        if not place or (transcription is None and _is_ending(place)):
            raise ConfigurationError(f"recorded.{system} is {place!r}, expected {kinds}.")
        if place in (transcription or ()):
            raise ConfigurationError(f"recorded.{system} is {place!r}, where the transcriptions are, too.")


def _read_place(root: Path, system: str, place: str, images: Sequence[Path], *, verbatim: bool) -> list[str | None]:
    setting = f"setting recorded.{system}"
    if _is_ending(place):
        beside = [image.with_name(f"{image.stem}{place}") for image in images]
        found = [path if path.is_file() else None for path in beside]
        texts = [None if path is None else _read_text(path, verbatim=verbatim) for path in found]
    elif place.endswith(".json"):
        texts = _read_json(below(root, place, setting), setting, images)
    else:
        texts = _read_folder(below(root, place, setting), setting, images, verbatim=verbatim)
    if all(text is None for text in texts):
        raise InputFileError(f"{setting}: {place!r} has no text for any of the {len(images)} images in {root}.")
    return texts


def _read_text(path: Path, *, verbatim: bool) -> str:
    return join_lines(read_plain_text(path, verbatim=verbatim))


def _read_folder(folder: Path, setting: str, images: Sequence[Path], *, verbatim: bool) -> list[str | None]:
    if not folder.is_dir():
        raise InputFileError(f"{setting}: there is no folder {folder}.")
    places = _places(images)
    texts: list[str | None] = [None] * len(images)
    taken: dict[int, Path] = {}
    for path in sorted(folder.rglob(f"*{_TEXT}")):
        if not (path.is_file() and is_listed(path.relative_to(folder))):
            continue
        place = places.get(_composed(path.name.removesuffix(_TEXT)))
        if place is None:
            raise InputFileError(f"{setting}: {path} has the name of none of the images, or of several.")
        if place in taken:
            raise InputFileError(f"{setting}: {taken[place]} and {path} are both for {images[place].name}.")
        taken[place] = path
        texts[place] = _read_text(path, verbatim=verbatim)
    return texts


def _read_json(path: Path, setting: str, images: Sequence[Path]) -> list[str | None]:
    content = decode_json(read_text(path), path)
    if not isinstance(content, dict):
        raise InputFileError(f"{setting}: {path} is of type {type(content).__name__}, expected texts by image.")
    places = _places(images)
    texts: list[str | None] = [None] * len(images)
    taken: dict[int, str] = {}
    for name, text in content.items():
        place = places.get(_composed(name))
        if place is None:
            raise InputFileError(f"{setting}: {name!r} in {path} is the name of none of the images, or of several.")
        if place in taken:
            raise InputFileError(f"{setting}: {taken[place]!r} and {name!r} in {path} are the same image.")
        if text is not None and not isinstance(text, str):
            raise InputFileError(
                f"{setting}: {name!r} in {path} is of type {type(text).__name__}, expected a text, or null for none."
            )
        taken[place] = name
        texts[place] = text
    return texts


def _places(images: Sequence[Path]) -> dict[str, int]:
    """Places of images by name, and by stem where only one has it."""
    stems = [_composed(image.stem) for image in images]
    times = Counter(stems)
    found = {stem: place for place, stem in enumerate(stems) if times[stem] == 1}
    return {**found, **{_composed(image.name): place for place, image in enumerate(images)}}


def _is_ending(place: str) -> bool:
    return place.startswith(".") and "/" not in place


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)

"""Interface of data sets, and checks of their ids and of where their files lie."""

import hashlib
import os
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from misread.data.segment_table import SegmentTable
from misread.errors import InputFileError, MisreadError, setting
from misread.io.file_lists import is_listed
from misread.io.pointers import absence
from misread.text.arrow import ArrowTexts

# Bytes of a name and of a path, on Linux.
_LONGEST_NAME: Final = 255
_LONGEST_PATH: Final = 4000
_AT_A_TIME: Final = 4096  # segments in a block of a digest


@runtime_checkable
class Dataset(Protocol):
    """A reader of one format of data sets, with its settings."""

    @property
    def root(self) -> str:
        """Folder of its files."""

    @property
    def provenance(self) -> str:
        """Source and licence of the data."""

    @property
    def offers(self) -> frozenset[str]:
        """Kinds of source: "line_image", "page_image", "audio", or "recorded:NAME" for recorded outputs."""

    def segments(self) -> SegmentTable:
        """Read all segments, in the order of the data set."""


def digest_text(text: str) -> str:
    """SHA-256 of a text, which may have halves of surrogate pairs."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_segments(segment_ids: Sequence[str], references: Sequence[str]) -> str:
    """SHA-256 of segments; does not depend on the format that they were read from."""
    digest, separator = hashlib.sha256(), ""
    written = (f"{segment}\x1f{text}" for segment, text in zip(segment_ids, references, strict=True))
    while part := [*islice(written, _AT_A_TIME)]:
        digest.update((separator + "\x1e".join(part)).encode("utf-8", "surrogatepass"))
        separator = "\x1e"
    return digest.hexdigest()


def number_turns(names: Iterable[str]) -> list[str]:
    """Make ids NAME-NNN for segments without ids; NAME is the speaker or recording, and each name counts from 0.

    NIST's sclite calls utterances so, and Kaldi wants ids to begin with the speaker. Without a name it is a number
    alone, from 1, as lines are counted.
    """
    numbers: defaultdict[str, Iterator[int]] = defaultdict(count)
    return [f"{name}-{next(numbers[name]):03d}" if name else str(next(numbers[name]) + 1) for name in names]


def require_distinct(
    segment_ids: Sequence[str],
    locations: Iterable[str],
    *,
    error: type[MisreadError] = InputFileError,
    advice: str = "",
) -> None:
    """Refuse segment ids that are blank or occur twice; the message has their `locations` (file and line).

    Ids that differ only in Unicode normal form count as equal, because nobody can see the difference.
    """
    if _are_distinct(segment_ids) and all(map(str.strip, segment_ids)) and all(map(str.isascii, segment_ids)):
        return
    seen: dict[str, str] = {}
    for segment_id, location in zip(segment_ids, locations, strict=True):
        if not segment_id.strip():
            raise error(f"{location}: no segment id; every segment needs its own.")
        composed = segment_id if segment_id.isascii() else unicodedata.normalize("NFC", segment_id)
        if composed in seen:
            raise error(f"{location}: segment id {segment_id!r} was taken by {seen[composed]} already{advice}.")
        seen[composed] = location


def _describe_alike(name: str, known: Iterable[str]) -> str:
    """Point out a known id that differs only in case or Unicode normal form, for the end of an error message."""
    folded = unicodedata.normalize("NFC", name).casefold()
    alike = next((key for key in known if unicodedata.normalize("NFC", key).casefold() == folded), None)
    if alike is None:
        return ""
    if alike.casefold() == name.casefold():
        return f"; it has {alike!r}, and ids that differ by case are different"
    return f"; it has {alike!r} in another Unicode normal form ({alike!a} there, {name!a} here): write both alike"


def require_known_ids(
    rows: Mapping[str, int], known: Container[str], ids: Sequence[str], segments: Sequence[Any], where: str
) -> None:
    """Refuse segments whose ids are not known. `rows` has the row of every id, and `where` begins the sentence."""
    if strange := [row for key, row in rows.items() if key not in known]:
        segment = segments[min(strange)]
        advice = _describe_alike(segment.segment_id, ids)
        raise InputFileError(f"{segment.location}: {where} {segment.segment_id!r} to compare with{advice}.")


def _are_distinct(texts: Sequence[str]) -> bool:
    return texts.are_distinct() if isinstance(texts, ArrowTexts) else len({*texts}) == len(texts)


def path_below(root: Path, name: str, location: str) -> Path:
    """Path of a file that a data set names; raises InputFileError if it is missing, or refused by `below`."""
    path = below(root, name, location)
    if not path.is_file():
        raise InputFileError(f"{location}: {absence(path)}.")
    return path


def below(root: Path, name: str, location: str) -> Path:
    """Path of a file that a data set names. Raises InputFileError if a change of it could go unnoticed.

    It must lie below the data set's folder, and neither behind a hidden name nor in a linked folder. The data set's
    folder itself may be a link, and files may be links to anywhere, which is how large files are kept elsewhere.
    """
    path = Path(os.path.normpath(root / name))
    lengths = [len(part.encode(errors="replace")) for part in path.parts]
    if max(lengths, default=0) > _LONGEST_NAME or sum(lengths) + len(lengths) > _LONGEST_PATH:
        raise InputFileError(f"{location}: {name[:40]!r}... is longer than the name of a file can be.")
    inner = Path(os.path.relpath(path, root))
    if ".." in inner.parts:
        raise InputFileError(
            f"{location}: {name!r} leads out of the data set's folder {root}, so that no change of it would be "
            "noticed; move or link the file into the folder."
        )
    if not is_listed(inner):
        raise InputFileError(f"{location}: {name!r} is hidden, so that no change of it would be noticed; rename it.")
    for ancestor in (inner, *inner.parents)[:-1]:
        if (root / ancestor).is_symlink() and (root / ancestor).is_dir():
            raise InputFileError(
                f"{location}: {root / ancestor} is a link to a folder, so that no change in it would be noticed; "
                "link its files one by one."
            )
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputFileError(
            f"{location}: {path} is a pipe or device, which a data set cannot be read from; make it a file."
        )
    if (paths := _paths_in_use.get()) is not None:
        paths.add(path)
    return path


_paths_in_use: ContextVar[set[Path] | None] = ContextVar("_paths_in_use", default=None)


@contextmanager
def collecting_files() -> Iterator[set[Path]]:
    """Collect the paths that go through `below` meanwhile: the files and folders that a data set uses."""
    paths: set[Path] = set()
    before = _paths_in_use.set(paths)
    try:
        yield paths
    finally:
        _paths_in_use.reset(before)


def matching_files(root: Path, patterns: Iterable[str], name: str, what: str) -> list[Path]:
    """Sorted files of a data set that match the glob patterns of a setting; raises InputFileError if there is none."""
    for pattern in patterns:
        below(root, pattern, setting(name))
    matching = {path.relative_to(root) for pattern in patterns for path in root.glob(pattern)}
    files = sorted(below(root, str(path), setting(name)) for path in matching if is_listed(path))
    if not files:
        raise InputFileError(f"{root} has no {what} that matches {', '.join(patterns)}.")
    return files


def recorded_below(root: Path, recorded: Mapping[str, str]) -> dict[str, Path]:
    """Paths of the outputs of systems, as the setting `recorded` of a data set names them; raises as `below`."""
    return {name: below(root, path, f"setting recorded.{name}") for name, path in recorded.items()}

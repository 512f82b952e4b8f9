"""Texts of a folder: which of its files they are, and by which ids."""

import os
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from misread.errors import ConfigurationError, InputFileError, setting

_SHOWN: Final = 3
# Names of files about a folder, whatever their ending.
_ABOUT: Final = frozenset(
    {"authors", "changelog", "citation", "copying", "copyright", "license", "licence", "notice", "readme"}
    | {"metadata", "mets"}
)
# Images, audio and archives often lie in folders of texts.
_MEDIA: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp", ".jp2", ".pdf", ".djvu", ".zip", ".gz"}
    | {".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".mp4", ".webm"}
)


class NameAround(NamedTuple):
    """Prefix and suffix around the part of a file name that identifies the page."""

    prefix: str = ""
    suffix: str = ""

    @property
    def is_given(self) -> bool:
        """Whether it was given."""
        return bool(self.prefix or self.suffix)

    def __str__(self) -> str:
        return f"{self.prefix}*{self.suffix}"

    def fits(self, name: str) -> bool:
        """Whether a name has both, and something of its own between."""
        own = name.rpartition("/")[2]
        return (
            len(own) > len(self.prefix) + len(self.suffix) and own.startswith(self.prefix) and own.endswith(self.suffix)
        )


ANY_NAME: Final = NameAround()


@dataclass(frozen=True)
class TextFolder:
    """Files that are taken, by their path below the folder (with slashes, NFC), sorted."""

    path: Path
    files: Mapping[str, Path]
    left_out: Sequence[str]
    rule: str  # files that are taken, for notes: ".txt files" or "files that match *.txt"
    around: NameAround = ANY_NAME  # what does not belong to the names, where it was given

    @property
    def name(self) -> str:
        """Name of the folder, wherever it lies."""
        return self.path.resolve().name

    @cached_property
    def ending(self) -> str:
        """The suffix, else what all names share from a dot on, such as ".gt.txt"; empty if they share none."""
        return self.around.suffix or self._shared(".")

    @cached_property
    def tail(self) -> str:
        """The suffix, else what all names share from a dot, an underscore or a hyphen on, such as "_ocr.xml"."""
        return self.around.suffix or self._shared("._-")

    def _shared(self, starts: str) -> str:
        """The longest end of all names from one of some characters on; empty if there is only one name."""
        names = [PurePosixPath(name).name for name in self.files]
        if len(names) < 2:
            return ""
        ways = [
            {name[position:] for position, letter in enumerate(name) if letter in starts and position} for name in names
        ]
        return max(set.intersection(*ways), key=len, default="")

    @cached_property
    def ids(self) -> dict[str, str]:
        """Files by the ids of their segments: the path without the shared ending, or without the last.

        Raises InputFileError if two files share an id.
        """
        names: dict[str, str] = {}
        for name in self.files:
            own = self.ending or PurePosixPath(name).suffix
            segment = self.without_prefix(name.removesuffix(own))
            if segment in names:
                raise InputFileError(
                    f"{self.path / name} and {self.path / names[segment]} share the name {segment!r}: keep one of "
                    f"them, or choose with {setting('patterns')}."
                )
            names[segment] = name
        return dict(sorted(names.items()))

    def without_prefix(self, name: str) -> str:
        """A path without the prefix of its file name."""
        folder, slash, own = name.rpartition("/")
        return f"{folder}{slash}{own.removeprefix(self.around.prefix)}"

    def notes(self, side: str) -> list[str]:
        """A sentence on files that are not taken, if there are any."""
        if not self.left_out:
            return []
        counted = "1 file is" if len(self.left_out) == 1 else f"{len(self.left_out):,} files are"
        return [
            f"{side}: {counted} left out of {self.name} ({name_first(self.left_out)}); its texts are the {self.rule} "
            "(patterns choose others)."
        ]


def name_first(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else shown


def list_texts(
    folder: Path, patterns: Sequence[str] = (), *, around: NameAround = ANY_NAME, endings: Collection[str] = ()
) -> TextFolder:
    """Find the texts of a folder and of all below it; hidden files are none.

    Those are the files that match one of the glob patterns: on the name, or on the path below the folder where the
    pattern has a slash (`**` matches any folders). Without a pattern, they are those whose names `around` fits;
    without both, those of the most frequent ending, of `endings` where there are any, but no image, audio, archive or
    README. Raises InputFileError if there is none or two endings are as frequent, and ConfigurationError on a pattern
    that leads out of the folder.
    """
    if not folder.is_dir():
        reason = "is not a folder" if folder.exists() else "does not exist"
        raise InputFileError(f"{folder} {reason}; references and hypotheses are both files or both folders.")
    files: dict[str, Path] = {}
    for path in _walk(folder):
        name = unicodedata.normalize("NFC", path.relative_to(folder).as_posix())
        if name in files:
            raise InputFileError(f"{path} and {files[name]} share the name {name!r}: keep one of them.")
        files[name] = path
    names = [name for name in files if around.fits(name)]
    if around.is_given and not names:
        wanted = f"is as {str(around)!r}" if around.prefix else f"ends with {around.suffix!r}"
        raise InputFileError(f"{folder} has no file whose name {wanted}. It has: {name_first(list(files))}.")
    if patterns:
        rule, taken = _match(folder, names, patterns)
    elif around.is_given:
        rule = f"files that are called {around}" if around.prefix else f"files that end with {around.suffix}"
        taken = {*names}
    else:
        expected = [name for name in names if PurePosixPath(name).suffix.casefold() in endings]
        rule, taken = _choose(folder, expected or names)
    left_out = [name for name in files if name not in taken]
    return TextFolder(folder, {name: path for name, path in files.items() if name in taken}, left_out, rule, around)


def _walk(folder: Path) -> Iterator[Path]:
    """Files that are not hidden, sorted; a folder that several links lead to is read once."""
    seen = {os.path.realpath(folder)}
    files = []
    for parent, folders, names in os.walk(folder, followlinks=True):
        subfolders = [name for name in folders if not name.startswith((".", "__pycache__"))]
        locations = {os.path.realpath(Path(parent, name)): name for name in reversed(subfolders)}
        folders[:] = [name for real, name in locations.items() if real not in seen]
        seen.update(locations)
        files += [Path(parent, name) for name in names if not name.startswith(".")]
    return iter(sorted(path for path in files if path.is_file()))


def _match(folder: Path, names: Sequence[str], patterns: Sequence[str]) -> tuple[str, set[str]]:
    taken = set()
    for pattern in patterns:
        parts = pattern.split("/")
        if not pattern or pattern.startswith("/") or ".." in parts:
            raise ConfigurationError(
                f"{setting('patterns')} {pattern!r}: expected a name such as '*.txt', or a path below the folder such "
                "as '*/page_*.txt'."
            )
        matching = {name for name in names if _fits(name.split("/")[-len(parts) if len(parts) == 1 else 0 :], parts)}
        taken |= matching
    rule = f"files that match {' or '.join(patterns)}"
    if not taken:
        choices = f" It has: {name_first(names)}." if names else ""
        raise InputFileError(f"{folder} has no file that matches {' or '.join(patterns)}.{choices}")
    return rule, taken


def _fits(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the parts of a path match those of a pattern, one by one; `**` matches any number."""
    reached = {0}
    for part in pattern:
        if part == "**":
            reached = set(range(min(reached, default=len(path) + 1), len(path) + 1))
        else:
            reached = {index + 1 for index in reached if index < len(path) and fnmatchcase(path[index], part)}
    return len(path) in reached


def _choose(folder: Path, names: Sequence[str]) -> tuple[str, set[str]]:
    """Files of the most frequent ending."""
    endings = {
        name: suffix
        for name in names
        if (suffix := PurePosixPath(name).suffix.casefold()) not in _MEDIA
        and PurePosixPath(name).stem.casefold() not in _ABOUT
    }
    counted = Counter(endings.values()).most_common()
    if not counted:
        contents = f" of text, only {name_first(names)}" if names else " in it"
        raise InputFileError(f"{folder} has no file{contents}.")
    if len(counted) > 1 and counted[0][1] == counted[1][1]:
        first, second = (repr(ending or "no ending") for ending, _ in counted[:2])
        example = next(name for name, ending in endings.items() if ending == counted[0][0])
        raise InputFileError(
            f"{folder} has as many files of {first} as of {second} ({counted[0][1]:,} each), and one of the two may "
            f"be no texts, such as {example}: choose with {setting('patterns')} '*{counted[0][0]}' or "
            f"'*{counted[1][0]}'."
        )
    ending = counted[0][0]
    return f"{ending} files" if ending else "files without ending", {
        name for name, own in endings.items() if own == ending
    }

"""Segments from folders, or single files, of texts and pages, whose formats may differ between the two sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from misread.data.base import digest_segments, digest_text, require_distinct
from misread.data.formats import FORMATS
from misread.data.formats.account import Accounts, collecting_accounts, refuse_unknown, with_accounts
from misread.data.formats.annotations import annotate_hypotheses
from misread.data.formats.base import Format
from misread.data.formats.layout import Confidence, Layout
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.paired_files import DEFAULT, FolderOptions, PairedFolders, pair_folders
from misread.data.formats.recognition import guess_format
from misread.data.formats.text_folder import name_first
from misread.data.segment_table import SegmentTable, TextFacts
from misread.data.transcript_notes import REFERENCES
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.text import UTF_8

_BETWEEN: Final = "#"


def read_folders(
    reference: Path,
    hypotheses: Mapping[str, Path],
    options: FolderOptions = DEFAULT,
    *,
    encoding: str = UTF_8,
    guessed: Mapping[Path, Format | None] | None = None,
) -> SegmentTable:
    """Read folders of texts or pages, paired by path or stem, or one file of each side.

    With the level "page" a file is a segment, and a missing file a missing hypothesis. With another level segments are
    regions, lines or words, paired by their ids within the files of one page; their ids are FILE#ID.

    Parameters
    ----------
    reference : Path
        Folder of references, or one file.
    hypotheses : mapping of str to Path
        Folder or file of each system.
    options : FolderOptions
        Formats, level, rules of pairing, and what paths say.
    encoding : str
        Encoding of formats that do not name their own.
    guessed : mapping of Path to str or None, optional
        What `guess_format` has said of files already, so that they are not looked at again.

    Returns
    -------
    SegmentTable
        In the order of paths and, within a file, in reading order.

    Raises
    ------
    InputFileError
        If a file is broken, or it or a part of it has no partner (see `FolderOptions.missing`); names file and line.
    ConfigurationError
        If a pattern does not fit, or a format has no parts of this level.
    """
    pairs = _pair(reference, hypotheses, options)
    return read_pairs(pairs, reference, options, encoding=encoding, guessed=guessed)


@with_accounts
def read_pairs(
    pairs: PairedFolders,
    source: Path,
    options: FolderOptions = DEFAULT,
    *,
    encoding: str = UTF_8,
    guessed: Mapping[Path, Format | None] | None = None,
) -> SegmentTable:
    """Read files that are paired already; the data is called like `source`. The rest is as for `read_folders`."""
    how = _How(options, encoding, guessed or {})
    reference_format, hypothesis_format = options.formats()
    references = how.side(REFERENCES, reference_format, pairs.references)
    systems = {
        system: how.side(system, hypothesis_format, [path for path in paths if path is not None])
        for system, paths in pairs.hypotheses.items()
    }
    parts = {system: _Partners(system, options) for system in systems}
    rows: list[int] = []
    ids: list[str] = []
    texts: list[str] = []
    outputs: dict[str, list[str | None]] = {system: [] for system in systems}
    confidences: dict[str, list[Confidence]] = {system: [] for system in systems}
    for row, path in enumerate(pairs.references):
        pieces = references.read(path)
        if not any(pieces.values()):
            refuse_unknown(references.accounts, path)
        present = references.take_present(pieces, path)
        rows += [row] * len(present)
        ids += present if pairs.is_one_file else [_join(pairs.segment_id[row], name) for name in present]
        texts += present.values()
        for system, side in systems.items():
            if (file := pairs.hypotheses[system][row]) is None:
                outputs[system] += [None] * len(present)
                confidences[system] += [None] * len(present)
            else:
                theirs = side.read(file)
                outputs[system] += map(theirs.get, present)
                confidences[system] += map(side.confidences().get, present)
                parts[system].compare(pairs.segment_id[row], pieces, theirs)
    # One file may be empty by mistake, unless it is called a text.
    is_doubtful = pairs.is_one_file and not (reference_format and reference_format.name == "text")
    if not ids or (is_doubtful and not any(texts)):
        raise InputFileError(f"{source} is empty, expected references: it has no text of a {options.level}.")
    if options.level == "page":
        ids, digest = list(pairs.segment_id), digest_text("\x1e".join(texts))
    else:
        require_distinct(ids, (str(pairs.references[row]) for row in rows))
        digest = digest_segments(ids, texts)
        for partners in parts.values():
            partners.require()
    table = SegmentTable(
        name=source.resolve().name if source.is_dir() else source.stem,
        digest=digest,
        segment_id=ids,
        references=texts,
        hypotheses=outputs,
        annotations_of=annotate_hypotheses({name: {"confidence": column} for name, column in confidences.items()}),
        facts=TextFacts(notes=references.notes()),
        notes_on_hypotheses={system: [*side.notes(), *parts[system].notes()] for system, side in systems.items()},
    )
    return pairs.describe(table, rows)


def _pair(reference: Path, hypotheses: Mapping[str, Path], options: FolderOptions) -> PairedFolders:
    """Files of folders, or the one file of each side."""
    if reference.is_dir() or any(path.is_dir() for path in hypotheses.values()):
        return pair_folders(reference, hypotheses, options)
    return PairedFolders(
        segment_id=[reference.name],
        references=[reference],
        hypotheses={system: [path] for system, path in hypotheses.items()},
        is_one_file=True,
    )


def _join(file: str, part: str) -> str:
    return f"{file}{_BETWEEN}{part}"


@dataclass(frozen=True)
class _How:
    """Settings for reading all files."""

    options: FolderOptions
    encoding: str
    guessed: Mapping[Path, Format | None]

    def side(self, name: str, choice: Format | None, paths: Sequence[Path]) -> _Side:
        """Reader of one side, in the given format or else in the one that the content of the first file shows."""
        guess = None if choice or not paths else self._guess(paths[0])
        # Both sides are cut into the same parts.
        form = (choice or guess or FORMATS["text"]).given(level=self.options.level)
        if form.level != self.options.level:
            raise ConfigurationError(
                f"{name}: {paths[0].name if paths else 'its file'} is plain text, whose parts have no ids to be paired "
                f"by; leave level={self.options.level} out of {setting('format')}."
            )
        reader = LayoutReader(format=form, encoding=self.encoding)
        note = ""
        if guess:
            note = f"{name}: read as {form.label} (format {form}), as the content of {paths[0].name} says."
        return _Side(name, reader, self.options, note)

    def _guess(self, path: Path) -> Format | None:
        return self.guessed[path] if path in self.guessed else guess_format(path, kinds=["pages"])


@dataclass
class _Side:
    """Files of references or of one system, and the notes on them."""

    name: str
    reader: LayoutReader
    options: FolderOptions
    guess: str  # a sentence on the format, if it was guessed
    left_out: list[str] = field(default_factory=list)  # parts of references without a text
    last: Layout | None = None  # of the last file, if its format has one
    accounts: Accounts = field(default_factory=dict)  # of the last file

    def read(self, path: Path) -> dict[str, str | None]:
        """Texts of a file by the ids of its parts."""
        with collecting_accounts(self.name) as self.accounts:
            pieces, self.last = self.reader.read(path)
        return pieces

    def confidences(self) -> dict[str, Confidence]:
        """Confidences of the parts of the last file."""
        if self.last is None:
            return {}
        if self.options.level == "page":
            return {"": self.last.confidence}
        return {part.name: part.confidence for part in self.last.parts(self.options.level)}

    def take_present(self, pieces: Mapping[str, str | None], path: Path) -> dict[str, str]:
        """Parts of references that have a text; others are refused, unless the policy leaves them out."""
        present = {name: text for name, text in pieces.items() if text is not None}
        if len(present) < len(pieces):
            lacking = [name for name in pieces if name not in present]
            if self.options.missing not in ("drop", "empty"):
                raise InputFileError(
                    f"{path}: {len(lacking):,} of {len(pieces):,} {self.options.level}s of references have no text "
                    f"({name_first(lacking)}). {setting('missing', 'drop')} or empty leaves them out."
                )
            self.left_out += [f"{path.name}{_BETWEEN}{name}" for name in lacking]
        return present

    def notes(self) -> list[str]:
        """Whole sentences on the format, and on files that are left out."""
        notes = [self.guess] if self.guess else []
        if self.left_out:
            counted = f"{len(self.left_out):,} {self.options.level}s"
            notes.append(f"{self.name}: {counted} without a text are left out ({name_first(self.left_out)}).")
        return notes


@dataclass
class _Partners:
    """Regions, lines or words of references and of one system: how many there are, and which have no partner."""

    system: str
    options: FolderOptions
    numbers: list[int] = field(default_factory=lambda: [0, 0])  # of references and of the system
    lacking: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)

    def compare(self, file: str, references: Mapping[str, str | None], hypotheses: Mapping[str, str | None]) -> None:
        """Note which parts of one file are on one side only."""
        self.numbers[0] += len(references)
        self.numbers[1] += len(hypotheses)
        if references.keys() != hypotheses.keys():
            self.lacking += [_join(file, name) for name in references if name not in hypotheses]
            self.strays += [_join(file, name) for name in hypotheses if name not in references]

    def require(self) -> None:
        """Raise InputFileError for a part without a partner, as for files, and if the sides share no id."""
        level, missing = self.options.level, self.options.missing
        if self.numbers[1] and len(self.lacking) == self.numbers[0]:
            raise InputFileError(
                f"{self.system}: {level}s are paired by their ids, and none has a partner: references have "
                f"{name_first(self.lacking)}, {self.system} has {name_first(self.strays)}. Score whole files: "
                f"leave level={level} out of {setting('format')}."
            )
        if missing in ("drop", "empty") or not (self.strays or (missing and self.lacking)):
            return
        raise InputFileError(
            f"{self._counts()} {level.capitalize()}s are paired by their ids. Choose "
            f"{setting('missing', 'drop')} ({level}s without partner are left out) or empty (missing ones count as "
            f"empty texts; {level}s without reference are left out), or score whole files: "
            f"leave level={level} out of {setting('format')}."
        )

    def notes(self) -> list[str]:
        """A whole sentence on files without partner."""
        return [self._counts()] if self.lacking or self.strays else []

    def _counts(self) -> str:
        level, paired = self.options.level, self.numbers[0] - len(self.lacking)
        alone = [f"{len(self.lacking):,} only in references ({name_first(self.lacking)})"] if self.lacking else []
        alone += [f"{len(self.strays):,} only in {self.system} ({name_first(self.strays)})"] if self.strays else []
        return (
            f"{self.system}: references have {self.numbers[0]:,} {level}s and {self.system} has {self.numbers[1]:,}: "
            f"{', '.join([f'{paired:,} paired', *alone])}."
        )

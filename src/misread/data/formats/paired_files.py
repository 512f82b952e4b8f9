"""Texts of two folders, paired by their places below the folders or by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Final

from misread.data.formats import find_format
from misread.data.formats.base import Format, Level
from misread.data.formats.text_folder import NameAround, TextFolder, list_texts, name_first
from misread.data.segment_table import MissingPolicy, SegmentTable
from misread.errors import ConfigurationError, InputFileError, setting
from misread.text.nouns import count_of
from misread.text.patterns import take_group, take_groups


@dataclass(frozen=True)
class FolderPairs:
    """Files of references by segment id, each with the file of one system, or None where it has none."""

    references: TextFolder
    hypotheses: TextFolder
    files: Mapping[str, tuple[Path, Path | None]]
    strays: Sequence[str]  # files of the system that have no reference
    by_name: bool  # whether places were left out of account, as no other way pairs more
    ends: tuple[str, str] = ("", "")  # of names of both sides, which do not belong to them; "" for what follows a dot

    @cached_property
    def lacking(self) -> list[str]:
        """Ids of references that the system has no file for."""
        return [segment for segment, (_, hypothesis) in self.files.items() if hypothesis is None]

    def notes(self, system: str) -> list[str]:
        """Whole sentences on files without partner and on the pairing of files."""
        notes = []
        if self.lacking or self.strays:
            notes.append(f"{system}: {self._counts()}.")
        if self.by_name:
            notes.append(
                f"{system}: files are paired by their names alone, since its folders have other names than those "
                "of references."
            )
        if any(end and not end.startswith(".") for end in self.ends):
            notes.append(
                f"{system}: files are paired without the ends {' and '.join(map(repr, self.ends))} of their names."
            )
        return notes

    def require_partners(self, system: str, missing: MissingPolicy | None) -> None:
        """Refuse files without partner under "error"; without a policy, only those that no record can hold."""
        if missing in ("drop", "empty") or not (self.strays or (missing and self.lacking)):
            return
        raise InputFileError(
            f"{system}: {self._counts()}. Files are paired by their path or name without the ending. Name or move them "
            f"alike, choose them with {setting('patterns')} or {setting('reference_pattern')} and "
            f"{setting('hypothesis_pattern')}, or choose {setting('missing', 'drop')} (texts without partner "
            "are left out) or empty (missing hypotheses count as empty texts; files without reference are left out)."
        )

    def _counts(self) -> str:
        sides = ((self.references, self.lacking), (self.hypotheses, self.strays))
        has = " and ".join(f"{folder.name} has {count_of(len(folder.files), 'file')}" for folder, _ in sides)
        alone = [f"{len(names):,} only in {folder.name} ({name_first(names)})" for folder, names in sides if names]
        return f"{has}: {', '.join([f'{len(self.files) - len(self.lacking):,} paired', *alone])}"


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """Files that are taken from folders, and settings for reading them.

    Parameters
    ----------
    patterns : sequence of str
        Glob patterns of the files that are taken.
    reference_pattern, hypothesis_pattern : str
        Names of files with one `*`, such as "gt_*.txt" and "*_ocr.xml": files are paired by the part that it is for,
        and by their folders; other files are left out.
    format : str or Format
        Format of pages with its settings, "page(level=line)", as `misread score --format` calls it, or your own; ""
        takes what the content of the first file says, else plain text.
    hypothesis_format : str or Format
        Format of the hypotheses, where theirs is another one.

    Raises
    ------
    UnknownNameError
        If there is no such format or setting; lists them.
    ConfigurationError
        If a name has not one `*`, or the formats cut pages into different parts.
    """

    patterns: Sequence[str] = ()
    reference_pattern: str = ""
    hypothesis_pattern: str = ""
    format: str | Format = ""
    hypothesis_format: str | Format = ""

    def __post_init__(self) -> None:
        self.names()
        reference, hypothesis = self.formats()
        if reference and hypothesis and reference.level != hypothesis.level:
            raise ConfigurationError(
                f"references of {reference} are cut into {reference.level}s and outputs of {hypothesis} into "
                f"{hypothesis.level}s: give both one level, such as page(level=line) and alto(level=line)."
            )

    def names(self) -> tuple[NameAround, NameAround]:
        """Prefixes and suffixes of the names of references, and of hypotheses."""
        reference, hypothesis = (
            _read_name(side, getattr(self, f"{side}_pattern")) for side in ("reference", "hypothesis")
        )
        return reference, hypothesis

    def formats(self) -> tuple[Format | None, Format | None]:
        """Formats of references and of hypotheses; None where the content of the first file decides."""
        reference, hypothesis = (
            find_format(side, kinds=["pages"]) if side else None
            for side in (self.format, self.hypothesis_format or self.format)
        )
        return reference, hypothesis

    @property
    def level(self) -> Level:
        """Unit of a segment: a file, or a part of it that has an id."""
        return next((form.level for form in self.formats() if form), "page")


@dataclass(frozen=True, kw_only=True)
class FolderOptions(FileOptions):
    """What is taken from folders, how it is read, and what paths say; the rest is as in `FileOptions`.

    Parameters
    ----------
    cluster : str
        Regular expression on paths of references whose group is the cluster, or "folder" for the folder of a file.
        Without one, parts of a file are in the cluster of that file.
    groups : sequence of str
        Regular expressions on paths of references with named groups.
    missing : {"error", "drop", "empty"}, optional
        What becomes of files without partner; None if records hold missing outputs.
    """

    cluster: str = ""
    groups: Sequence[str] = ()
    missing: MissingPolicy | None = None

    @classmethod
    def of(cls, options: FileOptions, *, cluster: str, groups: Sequence[str]) -> FolderOptions:
        """The same options with what paths say; missing ones stay missing."""
        return cls(
            **{option.name: getattr(options, option.name) for option in fields(FileOptions)},
            cluster=cluster,
            groups=groups,
        )


def _read_name(side: str, pattern: str) -> NameAround:
    if not pattern:
        return NameAround("", "")
    if pattern.count("*") != 1 or "/" in pattern:
        raise ConfigurationError(
            f"{setting(f'{side}_pattern')} {pattern!r}: expected the name of a file with one *, such as 'gt_*.txt', "
            "for the part that files are paired by; folders count by themselves."
        )
    return NameAround(*pattern.split("*"))


DEFAULT: Final = FolderOptions()

FOLDER: Final = "folder"
"""In place of an expression: the cluster of a file is the folder that it is in."""


@dataclass(frozen=True, kw_only=True)
class PairedFolders:
    """Files of all systems and of references, one entry per file of references in every column."""

    segment_id: Sequence[str]
    references: Sequence[Path]
    hypotheses: Mapping[str, Sequence[Path | None]]  # by system
    cluster: Sequence[str] | None = None
    cluster_name: str = ""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    notes_on_hypotheses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_one_file: bool = False  # of each side: its parts are known by their own ids

    def describe(self, table: SegmentTable, rows: Sequence[int] | None = None) -> SegmentTable:
        """The table of their texts with what paths say of them; `rows` are numbers of files by segment."""
        rows = range(len(self.references)) if rows is None else rows
        return replace(
            table,
            cluster=None if self.cluster is None else [self.cluster[row] for row in rows],
            cluster_name=self.cluster_name,
            groups={name: [labels[row] for row in rows] for name, labels in self.groups.items()},
            facts=replace(table.facts, notes=[*self.notes, *table.facts.notes]),
            notes_on_hypotheses={
                system: [*self.notes_on_hypotheses.get(system, ()), *table.notes_on_hypotheses.get(system, ())]
                for system in self.hypotheses
            },
        )


def pair_folders(reference: Path, hypotheses: Mapping[str, Path], options: FolderOptions) -> PairedFolders:
    """Pair the files of a folder of references with those of each system's folder.

    Raises as `list_texts`, `pair_files`, `FolderPairs.require_partners` and `take_groups`.
    """
    ours, theirs = (form.endings if form else frozenset() for form in options.formats())
    name, other_name = options.names()
    references = list_texts(reference, options.patterns, around=name, endings=ours)
    pairs = {
        system: pair_files(references, list_texts(folder, options.patterns, around=other_name, endings=theirs))
        for system, folder in hypotheses.items()
    }
    for system, pairing in pairs.items():
        pairing.require_partners(system, options.missing)
    paths = list(references.ids.values())
    cluster_name, cluster = "", None
    if options.cluster == FOLDER:
        cluster_name, cluster = FOLDER, _folders_of(reference, paths)
    elif options.cluster:
        cluster_name, cluster = take_group(options.cluster, paths, name=setting("cluster"), what="cluster")
    elif options.level != "page" and len(paths) > 1:
        cluster_name, cluster = "file", list(references.ids)
    return PairedFolders(
        segment_id=list(references.ids),
        references=[references.files[path] for path in paths],
        hypotheses={system: [file for _, file in pairing.files.values()] for system, pairing in pairs.items()},
        cluster=cluster,
        cluster_name=cluster_name,
        groups=_take_groups(options.groups, paths),
        notes=references.notes("References"),
        notes_on_hypotheses={
            system: [*pairing.hypotheses.notes(system), *pairing.notes(system)] for system, pairing in pairs.items()
        },
    )


def _folders_of(root: Path, paths: Sequence[str]) -> list[str]:
    folders = [PurePosixPath(path).parent.as_posix() for path in paths]
    if "." in folders:
        raise ConfigurationError(
            f"{setting('cluster', FOLDER)}: {paths[folders.index('.')]} is in no folder below {root}; move files "
            "into one folder per cluster, or give a regular expression."
        )
    return folders


def _take_groups(patterns: Sequence[str], paths: Sequence[str]) -> dict[str, list[str]]:
    name, groups = setting("groups"), dict[str, list[str]]()
    for pattern in patterns:
        for group, labels in take_groups(pattern, paths, name=name, what="group").items():
            if not group:
                raise ConfigurationError(f"{name} {pattern!r} gives no name to its group: write (?P<NAME>...).")
            if group in groups:
                raise ConfigurationError(f"{name}: {group!r} is named twice; give every group a name of its own.")
            groups[group] = labels
    return groups


def pair_files(references: TextFolder, hypotheses: TextFolder) -> FolderPairs:
    """Pair files by path without ending, else by name without ending: whichever way pairs most, in this order.

    An ending is the folder's suffix, or what follows the last dot of a name, or what all names of a folder share from a
    dot on, as `.gt.txt`, or from an underscore or hyphen on, as `_ocr.xml`.
    Names count alone only if each folder has every name once. Raises InputFileError if no file has a partner.
    """
    ids = references.ids
    best: tuple[dict[str, str], bool, tuple[str, str]] = {}, False, ("", "")
    most = min(len(references.files), len(hypotheses.files))
    for ends, by_name in product(product(_ends(references), _ends(hypotheses)), (False, True)):
        paired = _match(_keys(references, ends[0], by_name), _keys(hypotheses, ends[1], by_name))
        if len(paired) > len(best[0]):
            best = paired, by_name, ends
        if len(paired) == most:
            break
    paired, by_name, ends = best
    if not paired:
        for folder, other in ((hypotheses, references), (references, hypotheses)):
            _require_one_candidate(folder, other)
        raise InputFileError(
            "files are paired by their path or name without the ending, and none has a partner: "
            f"{len(references.files):,} only in {references.path} ({name_first(list(references.files))}) and "
            f"{len(hypotheses.files):,} only in {hypotheses.path} ({name_first(list(hypotheses.files))}). Name them "
            f"alike, choose the part of their names with {setting('reference_pattern', 'gt_*.txt')} and "
            f"{setting('hypothesis_pattern', '*_ocr.xml')}, or name one file of each side."
        )
    taken = set(paired.values())
    return FolderPairs(
        references,
        hypotheses,
        {
            segment: (references.files[name], hypotheses.files[paired[name]] if name in paired else None)
            for segment, name in ids.items()
        },
        [name for name in hypotheses.files if name not in taken],
        by_name,
        ends,
    )


def _require_one_candidate(folder: TextFolder, other: TextFolder) -> None:
    """Refuse files of a folder that share the name of one in the other, so that none of them is its partner."""
    stems = {PurePosixPath(name).name.partition(".")[0] for name in other.files}
    first: dict[str, str] = {}
    for name in folder.files:
        stem = PurePosixPath(name).name.partition(".")[0]
        if stem in stems and stem in first:
            raise InputFileError(
                f"{folder.path} has {first[stem]} and {name}, and {other.path} has one file of the name {stem!r}: "
                f"give the folder of each run or system by itself, or name the files that belong together in "
                f"{setting('paths_table', 'FILE')}."
            )
        first[stem] = name


def _ends(folder: TextFolder) -> list[str]:
    """What may end the names of a folder, without belonging to them, in the order that it is tried."""
    return list(dict.fromkeys([folder.around.suffix, folder.ending, folder.tail]))


def _match(references: Mapping[str, str], hypotheses: Mapping[str, str]) -> dict[str, str]:
    """Files of references with those of hypotheses that have the same key."""
    return {name: hypotheses[key] for key, name in references.items() if key in hypotheses}


def _keys(folder: TextFolder, ending: str, by_name: bool) -> dict[str, str]:
    """Files by the compared key: the path or name without `ending`, "" for its own; none where two have the same."""
    keys = {}
    for name in folder.files:
        key = folder.without_prefix(name.removesuffix(ending or PurePosixPath(name).suffix))
        keys[PurePosixPath(key).name if by_name else key] = name
    return keys if len(keys) == len(folder.files) else {}

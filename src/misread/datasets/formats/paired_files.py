"""Texts of two folders, paired by their places below the folders or by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Final

from misread.datasets.formats.text_folder import TextFolder, list_texts, name_first
from misread.errors import ConfigurationError, InputFileError
from misread.records import MissingPolicy, SegmentTable
from misread.text.patterns import take_group, take_groups


@dataclass(frozen=True)
class FolderPairs:
    """Files of references by segment id, each with the file of one system, or None where it has none."""

    references: TextFolder
    hypotheses: TextFolder
    files: Mapping[str, tuple[Path, Path | None]]
    strays: Sequence[str]  # files of the system that have no reference
    by_name: bool  # whether places were left out of account, as no other way pairs more

    @cached_property
    def lacking(self) -> list[str]:
        """Ids of references that the system has no file for."""
        return [segment for segment, (_, hypothesis) in self.files.items() if hypothesis is None]

    def notes(self, system: str) -> list[str]:
        """Whole sentences on what has no partner and how files were paired."""
        notes = []
        if self.lacking or self.strays:
            notes.append(f"{system}: {self._counts()}.")
        if self.by_name:
            notes.append(f"{system}: files are paired by their names alone: its folders are not those of references.")
        return notes

    def require_partners(self, system: str, missing: MissingPolicy | None) -> None:
        """Refuse files without partner under "error"; without a policy, only those that no record can hold."""
        if missing in ("drop", "empty") or not (self.strays or (missing and self.lacking)):
            return
        raise InputFileError(
            f"{system}: {self._counts()}. Files are paired by their path or name without the ending. Name or move them "
            "alike, choose them with --pattern, or choose --missing drop (texts without partner are left out) or empty "
            "(missing hypotheses count as empty texts; files without reference are left out)."
        )

    def _counts(self) -> str:
        sides = ((self.references, self.lacking), (self.hypotheses, self.strays))
        has = " and ".join(
            f"{folder.name} has {len(folder.files):,} file{'' if len(folder.files) == 1 else 's'}"
            for folder, _ in sides
        )
        alone = [f"{len(names):,} only in {folder.name} ({name_first(names)})" for folder, names in sides if names]
        return f"{has}: {', '.join([f'{len(self.files) - len(self.lacking):,} paired', *alone])}"


@dataclass(frozen=True, kw_only=True)
class FolderOptions:
    """What is taken from folders, and what their paths say.

    `patterns` are glob patterns of the files that are taken. `cluster` and `groups` are regular expressions on paths of
    references; groups are called as those of the expressions. `missing` is None where records hold what is missing.
    """

    patterns: Sequence[str] = ()
    cluster: str = ""
    groups: Sequence[str] = ()
    missing: MissingPolicy | None = None


DEFAULT: Final = FolderOptions()


@dataclass(frozen=True, kw_only=True)
class PairedFolders:
    """Files of all systems beside those of references, one entry per segment in every column."""

    segment_id: Sequence[str]
    references: Sequence[Path]
    hypotheses: Mapping[str, Sequence[Path | None]]  # by system
    cluster: Sequence[str] | None
    cluster_name: str
    groups: Mapping[str, Sequence[str]]
    notes: Sequence[str]
    notes_on_hypotheses: Mapping[str, Sequence[str]]

    def describe(self, table: SegmentTable) -> SegmentTable:
        """The table of their texts with what paths say of them."""
        return replace(
            table,
            cluster=self.cluster,
            cluster_name=self.cluster_name,
            groups=self.groups,
            notes=[*self.notes, *table.notes],
            notes_on_hypotheses=self.notes_on_hypotheses,
        )


def pair_folders(reference: Path, hypotheses: Mapping[str, Path], options: FolderOptions) -> PairedFolders:
    """Pair the files of a folder of references with those of each system's folder.

    Raises as `list_texts`, `pair_files`, `FolderPairs.require_partners` and `take_groups`.
    """
    references = list_texts(reference, options.patterns)
    pairs = {
        system: pair_files(references, list_texts(folder, options.patterns)) for system, folder in hypotheses.items()
    }
    for system, of in pairs.items():
        of.require_partners(system, options.missing)
    paths = list(references.ids.values())
    cluster_name, cluster = "", None
    if options.cluster:
        cluster_name, cluster = take_group(options.cluster, paths, name="--cluster", what="cluster")
    return PairedFolders(
        segment_id=list(references.ids),
        references=[references.files[path] for path in paths],
        hypotheses={system: [file for _, file in of.files.values()] for system, of in pairs.items()},
        cluster=cluster,
        cluster_name=cluster_name,
        groups=_take_groups(options.groups, paths),
        notes=references.notes("References"),
        notes_on_hypotheses={system: [*of.hypotheses.notes(system), *of.notes(system)] for system, of in pairs.items()},
    )


def _take_groups(patterns: Sequence[str], paths: Sequence[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for pattern in patterns:
        for name, labels in take_groups(pattern, paths, name="--group", what="group").items():
            if not name:
                raise ConfigurationError(f"--group {pattern!r} gives no name to its group: write (?P<NAME>...).")
            if name in groups:
                raise ConfigurationError(f"--group names {name!r} twice; give every group a name of its own.")
            groups[name] = labels
    return groups


def pair_files(references: TextFolder, hypotheses: TextFolder) -> FolderPairs:
    """Pair files by path without ending, else by name without ending: whichever way pairs most, in this order.

    An ending is what follows the last dot of a name, or what all names of a folder share from a dot on, as `.gt.txt`.
    Names count alone only if each folder has every name once. Raises InputFileError if no file has a partner.
    """
    ids = references.ids
    best: tuple[dict[str, str], bool] = {}, False
    for ends in product(("", references.ending), ("", hypotheses.ending)):
        for by_name in (False, True):
            ways = zip((references, hypotheses), ends, strict=True)
            paired = _match(*(_keys(folder, ending, by_name) for folder, ending in ways))
            if len(paired) > len(best[0]):
                best = paired, by_name
    paired, by_name = best
    if not paired:
        raise InputFileError(
            "files are paired by their path or name without the ending, and none has a partner: "
            f"{len(references.files):,} only in {references.path} ({name_first(list(references.files))}) and "
            f"{len(hypotheses.files):,} only in {hypotheses.path} ({name_first(list(hypotheses.files))})."
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
    )


def _match(references: Mapping[str, str], hypotheses: Mapping[str, str]) -> dict[str, str]:
    """Files of references with those of hypotheses that have the same key."""
    return {name: hypotheses[key] for key, name in references.items() if key in hypotheses}


def _keys(folder: TextFolder, ending: str, by_name: bool) -> dict[str, str]:
    """Files by what is compared: the path or name without `ending`, "" for its own; none where two have the same."""
    keys = {}
    for name in folder.files:
        key = name.removesuffix(ending or PurePosixPath(name).suffix)
        keys[PurePosixPath(key).name if by_name else key] = name
    return keys if len(keys) == len(folder.files) else {}

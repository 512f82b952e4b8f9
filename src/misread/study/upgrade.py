"""Upgrade of a study: merges what misread wrote, its present state, and what this version would write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from misread.errors import ConfigurationError
from misread.io.atomic import replacing
from misread.io.json_files import record_to_json
from misread.io.text import read_text
from misread.io.yaml_files import read_yaml
from misread.provenance.plugins import STUDY
from misread.study.earlier_config import add_watched, present_config
from misread.study.plan import check_folders
from misread.study.repository import list_uncommitted, run
from misread.study.template import CONFIG, MOVED, RECORD, Record, read_study, render
from misread.version import __version__


@dataclass(frozen=True, kw_only=True)
class Upgrade:
    """New files by path, and their differences from the existing ones.

    Files in `conflicts` were edited where this version has changes: they stay unchanged, and `differences` has the
    changes of this version. Files in `left` were removed or are not misread's, and are left alone.
    """

    files: Mapping[str, str]
    differences: Mapping[str, str]
    conflicts: Sequence[str]
    left: Sequence[str]
    moves: Mapping[str, str]  # folders, moved before files are written
    record: Record


def plan_upgrade(root: Path) -> Upgrade:
    """Merge this version's files into those of a study, keeping edits.

    Raises ConfigurationError if the folder is not a study, is newer than the installed misread, or files that would be
    changed have changes that are not committed; names them.
    """
    record = read_study(root)
    if record is None:
        raise ConfigurationError(f"{root} is not a study of misread (it has no {RECORD}); `misread init` makes one.")
    new = render(record.settings)
    moves = {
        old: to
        for old, to in MOVED.items()
        if (root / old).is_dir() and not (root / to).exists() and (old != STUDY.name or old in _listed_plugins(root))
    }
    back = {to: old for old, to in moves.items()}
    files: dict[str, str] = {}
    differences: dict[str, str] = {}
    conflicts, left = [], []
    written = {_renamed(path, moves): text for path, text in record.written.items()}
    for path, text in new.items():
        before = written.get(path)
        today = root / _renamed(path, back)
        current = read_text(today) if today.is_file() else None
        merged = _merge(_present(path, before, root), _present(path, current, root), text)
        if merged is None and current is not None and before is not None:
            conflicts.append(path)
            differences[path] = _difference(path, before, text)
            continue
        if merged is None:
            left.append(path)
            if before is None:
                continue
        elif merged != current:
            files[path] = merged
            differences[path] = _difference(path, current or "", merged)
        written[path] = text
    for path, (current, watching) in add_watched(root).items():
        files[path] = watching
        differences[path] = _difference(path, current, watching)
    check_folders(root, [*files, *moves.values(), RECORD.as_posix()])
    uncommitted = sorted({_renamed(path, back) for path in files} & {*list_uncommitted(root)})
    if uncommitted:
        raise ConfigurationError(
            f"{', '.join(uncommitted)} in {root} would be changed, and has changes that are not committed; nothing was "
            "written. Commit them first: git commit -a."
        )
    # With an open conflict, the study still belongs to the older version.
    version = record.misread if conflicts else __version__
    after = replace(record, misread=version, written={path: written[path] for path in new if path in written})
    return Upgrade(files=files, differences=differences, conflicts=conflicts, left=left, moves=moves, record=after)


def write_upgrade(root: Path, upgrade: Upgrade) -> None:
    """Move the folders of an upgrade, and write its files and the record of it."""
    for old, to in upgrade.moves.items():
        (root / to).parent.mkdir(parents=True, exist_ok=True)
        (root / old).rename(root / to)
    contents = {path: text.encode() for path, text in upgrade.files.items()}
    for path, content in {**contents, RECORD.as_posix(): record_to_json(upgrade.record, kind="study")}.items():
        with replacing(root / path) as temporary:
            temporary.write_bytes(content)


def _listed_plugins(root: Path) -> list[Any]:
    config = read_yaml(root / CONFIG) if (root / CONFIG).is_file() else {}
    return list(config.get("plugins") or ()) if isinstance(config, Mapping) else []


def _renamed(path: str, folders: Mapping[str, str]) -> str:
    """The path after renaming its folder."""
    return next((new + path.removeprefix(old) for old, new in folders.items() if path.startswith(f"{old}/")), path)


def _present(path: str, text: str | None, root: Path) -> str | None:
    """A file of an earlier version as it would be written today, with what was edited in it."""
    return present_config(text, root / "conf") if text is not None and path == CONFIG else text


def _merge(before: str | None, current: str | None, after: str) -> str | None:
    """Three-way merge of a file; None if it stays unchanged, because it was removed or has a conflict."""
    if current is None:
        return after if before is None else None
    if before is None:
        return current if current == after else None
    if current in (before, after):
        return after
    if before == after:
        return current
    with TemporaryDirectory(prefix="misread-") as folder:
        names = ("there", "before", "after")
        for name, text in zip(names, (current, before, after), strict=True):
            (Path(folder) / name).write_bytes(text.encode())
        done = run("git", "merge-file", "-p", *names, folder=Path(folder))
    return done.stdout if done.returncode == 0 else None


def _difference(path: str, before: str, after: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), f"a/{path}", f"b/{path}", lineterm="")
    return "\n".join(lines)

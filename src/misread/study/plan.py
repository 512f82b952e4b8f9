"""The files that `misread init` would write, checked before anything is written."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError
from misread.io.atomic import replacing
from misread.io.checks.choices import require_utf8
from misread.io.json_files import record_to_json
from misread.study.content import Content
from misread.study.repository import DVC_CONFIG, find_ignored, list_uncommitted, set_up, would_change
from misread.study.template import RECORD, Record, render
from misread.version import __version__

# Lists of patterns: missing lines are added to existing files.
_LISTS: Final = (".dvcignore", ".gitattributes", ".gitignore")
# Left unchanged in a repository that existed before.
_OPTIONAL: Final = ("Makefile", "README.md")
# Files that DVC writes and Git commits.
_MADE: Final = (str(DVC_CONFIG), "dvc.lock", "stages/captures/dvc.lock")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Files by path in the study: new ones, existing ones with added lines, and unchanged ones."""

    files: Mapping[str, bytes]
    added: Mapping[str, bytes]  # complete new contents
    unchanged: Sequence[str]


def check_root(root: Path) -> None:
    """Refuse a folder that cannot be created, or whose path DVC cannot handle."""
    path = root.absolute()
    require_utf8(path)
    for above in (path, *path.parents):
        if above.is_symlink() and not above.exists():
            raise ConfigurationError(f"{above} is a link that leads nowhere; name a folder.")
        if above.exists() and not above.is_dir():
            raise ConfigurationError(f"{above} is a file; name a folder.")
    if strange := {"{", "}"} & {*os.path.realpath(path)}:
        # DVC would substitute the text between them, and fail at every stage.
        raise ConfigurationError(
            f"{path} has {' and '.join(sorted(strange))} in its path, with which DVC cannot run a stage; choose "
            "another folder: `misread init FOLDER`."
        )


def check_folders(root: Path, paths: Iterable[str]) -> None:
    """Refuse folders of a study that are links: files written there would be outside the study."""
    inside = os.path.realpath(root)
    for path in sorted(paths):
        if Path(os.path.realpath((root / path).parent)).is_relative_to(inside):
            continue
        folders = (root / folder for folder in reversed(Path(path).parents))
        link = next(folder for folder in folders if not Path(os.path.realpath(folder)).is_relative_to(inside))
        raise ConfigurationError(
            f"{link} is a link to {os.path.realpath(link)}, outside of the study; nothing was written. "
            "Put a folder in its place."
        )


def plan_study(root: Path, content: Content) -> Plan:
    """Plan a study in a folder, which need not exist; the caller composes params.yaml and adds it.

    Raises ConfigurationError if the folder is already a study.
    """
    if (root / RECORD).is_file():
        raise ConfigurationError(f"{root} is a study already ({RECORD}); name another folder.")
    written = render(content.settings)
    wanted = {path: text.encode() for path, text in written.items()} | dict(content.files)
    existing = [path for path in wanted if (root / path).exists() or (root / path).is_symlink()]
    added = {path: _with_lines(root / path, written[path]) for path in existing if path in _LISTS}
    unchanged = [path for path in existing if path in _OPTIONAL]
    wanted[RECORD.as_posix()] = record_to_json(Record(misread=__version__), kind="study")
    return Plan(
        files={path: content for path, content in wanted.items() if path not in added and path not in unchanged},
        added={path: content for path, content in added.items() if content != (root / path).read_bytes()},
        unchanged=unchanged,
    )


def check_plan(root: Path, plan: Plan) -> None:
    """Refuse a plan that would overwrite something, or whose files Git ignores; names all files."""
    check_folders(root, [*plan.files, *plan.added, str(DVC_CONFIG)])
    others = sorted(path for path, content in plan.files.items() if _is_other(root, path, content))
    if others:
        raise ConfigurationError(
            f"{', '.join(others)} in {root} would be overwritten; nothing was written. Move them, or choose another "
            "folder: `misread init FOLDER`."
        )
    touched = sorted({*plan.added, *would_change(root)} & {*list_uncommitted(root)})
    if touched:
        raise ConfigurationError(
            f"{', '.join(touched)} in {root} would be changed, and has changes that are not committed; nothing was "
            "written. Commit them first: git commit -a."
        )
    needed = [path for path in plan.files if Path(path).parts[0] != "data" and Path(path).name not in _OPTIONAL]
    if ignored := find_ignored(root, [*needed, *_MADE]):
        names, patterns = sorted(ignored), ", ".join(dict.fromkeys(ignored.values()))
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        raise ConfigurationError(
            f"Git ignores {', '.join(names[:3])}{more} in {root} ({patterns}), which a study commits; nothing was "
            "written. Remove the pattern, or choose another folder: `misread init FOLDER`."
        )


def write_plan(root: Path, plan: Plan) -> list[str]:
    """Set up Git and DVC, and write a plan; returns the steps done besides writing files, such as "git init".

    The record of the study is written last, so that an interrupted run can be repeated.
    """
    root.mkdir(parents=True, exist_ok=True)
    done = set_up(root)
    record = RECORD.as_posix()
    files = {**plan.files, **plan.added}
    for path in sorted(files, key=lambda path: path == record):
        with replacing(root / path) as temporary:
            temporary.write_bytes(files[path])
    return done


def _is_other(root: Path, path: str, content: bytes) -> bool:
    """Whether something else exists at the path of a file or of one of its folders."""
    target = root / path
    above = next((parent for parent in target.parents if parent.exists() or parent.is_symlink()), root)
    if not above.is_dir():
        return True
    return (target.exists() or target.is_symlink()) and not (target.is_file() and target.read_bytes() == content)


def _with_lines(path: Path, wanted: str) -> bytes:
    """Content of a file with the missing lines added at its end."""
    content = path.read_bytes()
    known = set(content.decode("utf-8", "replace").splitlines())
    lacking = [line for line in wanted.splitlines() if line not in known]
    if all(line.startswith("#") for line in lacking):
        return content
    end = b"" if content.endswith(b"\n") or not content else b"\n"
    return content + end + "".join(f"{line}\n" for line in lacking).encode()

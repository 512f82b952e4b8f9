"""Changes between two revisions apart from results: settings, engines, version, code, plug-ins and data."""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from misread.errors import MissingDependencyError, RevisionError
from misread.io.text import read_text
from misread.pipeline import paths
from misread.pipeline.params import PARAMS_FILE
from misread.revisions.git import ask_git, run_git
from misread.revisions.store import Revision
from misread.tally.scores import Scores
from misread.version import __version__

# Settings of paths, display and speed change no number.
_WITHOUT_EFFECT = ("report", "executor", "data_root")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference; None for a side that does not have the thing."""

    kind: str  # "params", "code", "plug-in", "file", "engine", "data", "normalizer" or "version"
    name: str  # dotted key of the setting, module, file, or what the value belongs to
    before: str | None
    after: str | None
    group: str = ""  # the stages that run the module, or the data set of the file


def params_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Settings of params.yaml that differ, leaf by leaf, sorted by key, without those that change no number."""
    old, new = dict(_leaves(before)), dict(_leaves(after))
    return [
        Change("params", key, old.get(key), new.get(key))
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key) and key.split(".")[0] not in _WITHOUT_EFFECT
    ]


def origin_changes(system: str, before: Scores, after: Scores) -> list[Change]:
    """Differences between two captures of one system: versions of the engine, and the data it read."""
    old, new = before.origin.engine, after.origin.engine
    changes = [
        Change("engine", f"{system}.{name}", old.get(name), new.get(name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    facts = (
        ("data", after.origin.dataset, before.origin.data_digest[:8], after.origin.data_digest[:8]),
        ("normalizer", after.origin.dataset, before.normalizer, after.normalizer),
        ("version", "misread", _version(before), _version(after)),
    )
    return [
        *changes,
        *(
            Change(kind, name, old_value, new_value)
            for kind, name, old_value, new_value in facts
            if old_value != new_value
        ),
    ]


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{prefix}{key}.")
        elif value is not None:
            # A setting without a value counts as absent.
            yield f"{prefix}{key}", str(value)


def _version(scores: Scores) -> str:
    return next((signature.facts.get("v", "") for signature in scores.signatures.values()), "")


def other_version(scores: Scores) -> str:
    """Version of misread that counted, if it is not the installed one."""
    version = _version(scores)
    return "" if version == __version__ else version


_PIN: Final = "files.sha256"
_SOURCES: Final = Path("src")

# Stages that produce counts; tests are run by the installed code. What `check` looks at, every stage runs.
_BEFORE_COUNTS: Final = ("check", "segments", "capture", "normalize", "score")
# Settings are compared one by one.
_CONFIGURATION: Final = ("conf", str(PARAMS_FILE))


@dataclass(frozen=True)
class _Dependency:
    """A file or folder that stages read and none makes, with DVC's hash."""

    md5: str | None
    stages: tuple[str, ...]


_NOTHING: Final = _Dependency(None, ())


def lock_changes(before: Revision, after: Revision, datasets: Collection[str]) -> list[Change]:
    """Modules, plug-ins and files that differ and that the counts of these data sets depend on.

    Files are named where Git or a list of hashes knows them, else the folder; plug-ins where DVC's cache has what the
    stage `check` noted.
    """
    if before.stages == after.stages:
        return []
    old, new = (_dependencies(side, _BEFORE_COUNTS, datasets) for side in (before, after))
    changes = list(_plugin_changes(before, after))
    for path in {**old, **new}:
        first, second = old.get(path, _NOTHING), new.get(path, _NOTHING)
        if first.md5 != second.md5:
            changes += _file_changes(before, after, path, first, second)
    return changes


def _dependencies(side: Revision, stages: Collection[str], datasets: Collection[str]) -> dict[str, _Dependency]:
    """Inputs of these stages on these data sets that no stage makes, by path."""
    made = {str(result.path) for entry in side.stages.values() for result in entry.outs}
    dependencies: dict[str, _Dependency] = {}
    for name, entry in side.stages.items():
        stage, _, ids = name.partition("@")
        if stage in stages and (stage == "check" or ids.split("-")[0] in datasets):
            for dependency in entry.deps:
                path = str(dependency.path)
                if path not in made and path not in _CONFIGURATION:
                    readers = (*dependencies.get(path, _NOTHING).stages, stage)
                    dependencies[path] = _Dependency(str(dependency.md5), tuple(dict.fromkeys(readers)))
    return dependencies


def _plugin_changes(before: Revision, after: Revision) -> Iterator[Change]:
    """Installed plug-ins whose content differs; none where what the stage `check` noted is not at hand."""
    try:
        first, second = (_noted(side) for side in (before, after))
    except (MissingDependencyError, RevisionError):
        return
    for name in sorted({*first, *second}):
        # Packages of the project are compared by their files, and the version by signatures.
        if "/" not in name and name != "misread" and first.get(name) != second.get(name):
            yield Change("plug-in", name, _short(first.get(name)), _short(second.get(name)))


def _noted(side: Revision) -> dict[str, str]:
    """Digests by name, from lines `NAME SHA256`."""
    lines = (line.partition(" ") for line in read_text(side.fetch(paths.CHECK)).splitlines())
    return {name: digest for name, _, digest in lines}


def _listed(text: str) -> dict[str, str]:
    """Hashes by name, from lines `SHA256  NAME`."""
    return {
        name: digest for digest, separator, name in (line.partition("  ") for line in text.splitlines()) if separator
    }


def _module(name: str) -> str:
    """Dotted name of a module; the path of any other file."""
    if not name.endswith(".py"):
        return name
    parts = Path(name).relative_to(_SOURCES).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _file_changes(before: Revision, after: Revision, path: str, old: _Dependency, new: _Dependency) -> Iterator[Change]:
    """Changed files below a dependency: those that Git knows, and those in a list of hashes among them."""
    kind, group = "file", ""
    if Path(path).is_relative_to(paths.DATA):
        kind, group = "data", Path(path).relative_to(paths.DATA).as_posix()
    elif Path(path).is_relative_to(_SOURCES):
        stages = new.stages or old.stages
        kind, group = "code", "every stage" if "check" in stages else ", ".join(stages)
    names = _differing_files(before, after, path)
    if not names:
        yield Change(kind, path, _short(old.md5), _short(new.md5), group=group if kind == "code" else "")
    for name in names:
        if Path(name).name == _PIN:
            first, second = (_listed(side.read(Path(name)) or "") for side in (before, after))
            for file in sorted({*first, *second}):
                if first.get(file) != second.get(file):
                    yield Change(kind, file, _short(first.get(file)), _short(second.get(file)), group=group)
        else:
            shown = _module(name) if kind == "code" else name
            yield Change(kind, shown, _hash_in_git(before, name), _hash_in_git(after, name), group=group)


def _differing_files(before: Revision, after: Revision, path: str) -> list[str]:
    """Files that differ between two sides according to Git, as sorted paths from the project's folder."""
    first, second = (None if side.commit is None else side.commit.hash for side in (before, after))
    commits = [commit for commit in (first, second) if commit is not None]
    names: list[str] = []
    if commits:
        command = ("diff", "--name-only", "--relative", "--no-renames", "-z", *commits, "--", path)
        names += os.fsdecode(ask_git(before.root, *command)).split("\0")
    if len(commits) < 2:
        command = ("ls-files", "--others", "--exclude-standard", "-z", "--", path)
        names += os.fsdecode(ask_git(before.root, *command)).split("\0")
    return sorted(filter(None, names))


def _hash_in_git(side: Revision, name: str) -> str | None:
    """First digits of Git's hash of the file; None if the side does not have it."""
    if side.commit is not None:
        done = run_git(side.root, "rev-parse", "--verify", "--quiet", f"{side.commit.hash}:./{name}")
    elif (side.root / name).is_file():
        done = run_git(side.root, "hash-object", "--", name)
    else:
        return None
    return None if done.returncode else _short(done.stdout.decode().strip())


def _short(digest: str | None) -> str | None:
    return None if digest is None else digest[:8]

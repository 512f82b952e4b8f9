"""Changes between two revisions beside the results: settings, engines, version, code, plug-ins and data."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from misread.errors import MissingDependencyError, RevisionError
from misread.io.text import read_text
from misread.pipeline import paths
from misread.revisions.git import run_git
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
    """What differs between two captures of one system: versions of the engine, and the data it read."""
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
            # A setting without a value counts as absent: an older configuration does not have it yet.
            yield f"{prefix}{key}", str(value)


def _version(scores: Scores) -> str:
    return next((signature.facts.get("v", "") for signature in scores.signatures.values()), "")


def other_version(scores: Scores) -> str:
    """Version of misread that counted, if it is not the installed one."""
    version = _version(scores)
    return "" if version == __version__ else version


_PLUGIN: Final = "plug-in "
_PIN: Final = "files.sha256"

# Stages that produce counts; tests are run by the installed code.
_BEFORE_CAPTURES: Final = ("segments", "capture")
_BEFORE_COUNTS: Final = (*_BEFORE_CAPTURES, "normalize", "score")

# Hashes by path.
_Hashes = Mapping[str, str]


def lock_changes(before: Revision, after: Revision, datasets: Collection[str], *, rescored: bool) -> list[Change]:
    """Modules, plug-ins and files that differ and that the counts of these data sets depend on.

    If both sides were scored again, only dependencies of captures count. Code is listed by file if the cache or a
    remote has the lists of both sides, else by stage; data by file if Git or a list of hashes knows the files, else by
    data set.
    """
    if before.stages == after.stages:
        return []
    stages = _BEFORE_CAPTURES if rescored else _BEFORE_COUNTS
    old, new = (_dependencies(side, stages, datasets) for side in (before, after))
    lists = {paths.code(stage).as_posix(): stage for stage in stages}
    differing = [path for path in {**old, **new} if old.get(path) != new.get(path)]
    changes = list(_code_changes(before, after, [lists[path] for path in differing if path in lists], old, new))
    for path in differing:
        if path not in lists:
            changes += _file_changes(before, after, path, old.get(path), new.get(path))
    return changes


def _dependencies(side: Revision, stages: Collection[str], datasets: Collection[str]) -> dict[str, str]:
    """Hashes by path of what these stages read on these data sets and no stage makes, and of their lists of code."""
    made = {str(result.path) for entry in side.stages.values() for result in entry.outs}
    code_lists = {paths.code(stage).as_posix() for stage in stages}
    hash_by_path: dict[str, str] = {}
    for name, entry in side.stages.items():
        stage, _, ids = name.partition("@")
        if stage in stages and ids.split("-")[0] in datasets:
            for dependency in entry.deps:
                if (path := str(dependency.path)) in code_lists or path not in made:
                    hash_by_path[path] = str(dependency.md5)
    return hash_by_path


def _code_changes(
    before: Revision, after: Revision, stages: Iterable[str], old: _Hashes, new: _Hashes
) -> Iterator[Change]:
    """Modules and plug-ins, with the stages that run them; only the stage if its list is gone."""
    stages_of: dict[tuple[str, str | None, str | None], list[str]] = {}
    for stage in stages:
        path = paths.code(stage)
        key = path.as_posix()
        try:
            first, second = (_entries(side.fetch(path)) for side in (before, after))
        except (MissingDependencyError, RevisionError):
            yield Change("code", f"of stage {stage}", _short(old.get(key)), _short(new.get(key)))
            continue
        for name in sorted({*first, *second}):
            if first.get(name) != second.get(name):
                stages_of.setdefault((name, first.get(name), second.get(name)), []).append(stage)
    for (name, old_hash, new_hash), stage_names in stages_of.items():
        if name.startswith(_PLUGIN):
            yield Change("plug-in", name.removeprefix(_PLUGIN), _short(old_hash), _short(new_hash))
        else:
            yield Change("code", _module(name), _short(old_hash), _short(new_hash), group=", ".join(stage_names))


def _entries(path: Path) -> dict[str, str]:
    """Hashes by name, from lines `SHA256  NAME`."""
    return _listed(read_text(path))


def _listed(text: str) -> dict[str, str]:
    return {
        name: digest for digest, separator, name in (line.partition("  ") for line in text.splitlines()) if separator
    }


def _module(name: str) -> str:
    """Dotted name of a module; the path of any other file."""
    if not name.endswith(".py"):
        return name
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _file_changes(before: Revision, after: Revision, path: str, old: str | None, new: str | None) -> Iterator[Change]:
    """Changed files below a dependency: those that Git knows, and those in a list of hashes among them."""
    is_data = Path(path).is_relative_to(paths.DATA)
    kind, group = ("data", Path(path).relative_to(paths.DATA).as_posix()) if is_data else ("file", "")
    names = _differing_files(before, after, path)
    if not names:
        yield Change(kind, path, _short(old), _short(new))
    for name in names:
        if Path(name).name == _PIN:
            first, second = (_listed(side.read(Path(name)) or "") for side in (before, after))
            for file in sorted({*first, *second}):
                if first.get(file) != second.get(file):
                    yield Change(kind, file, _short(first.get(file)), _short(second.get(file)), group=group)
        else:
            yield Change(kind, name, _hash_in_git(before, name), _hash_in_git(after, name), group=group)


def _differing_files(before: Revision, after: Revision, path: str) -> list[str]:
    """Files that differ between two sides according to Git, as sorted paths from the project's folder."""
    first, second = (None if side.commit is None else side.commit.hash for side in (before, after))
    commits = [commit for commit in (first, second) if commit is not None]
    names: list[str] = []
    if commits:
        command = ("diff", "--name-only", "--relative", "--no-renames", "-z", *commits, "--", path)
        names += run_git(before.root, *command).stdout.decode("utf-8", "surrogateescape").split("\0")
    if len(commits) < 2:
        command = ("ls-files", "--others", "--exclude-standard", "-z", "--", path)
        names += run_git(before.root, *command).stdout.decode("utf-8", "surrogateescape").split("\0")
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

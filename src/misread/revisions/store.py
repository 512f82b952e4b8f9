"""Files of a revision, from Git and from DVC's cache or remote.

DVC itself never opens a commit: it would take settings from it, such as the server to ask, and follow its stages and
imports. The lock files of a commit say which results it has; cache and remote are those of the working tree. Where Git
has all that is asked for, DVC is not even imported.
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from misread.errors import InputFileError, MissingResultsError, RevisionError, needed_for
from misread.io.json_files import decode_json
from misread.io.text import read_text
from misread.io.yaml_files import parse_yaml
from misread.pipeline.params import PARAMS_FILE, Params
from misread.pipeline.paths import PIPELINES
from misread.provenance.plugins import STUDY, find_study_module
from misread.revisions.git import Commit, find_commit, read_all_at, read_at, require_repository

WORKING_TREE = "the working tree"
"""Name of the files on disk, in place of a commit's name."""

_SETTINGS: Final = (PARAMS_FILE, *PIPELINES, *(path.with_suffix(".lock") for path in PIPELINES))
_DIGEST: Final = re.compile(r"[0-9a-f]{32}(\.dir)?")
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")
# The setting of a project's remote.
_NAMED_REMOTE: Final = re.compile(r"^\s*remote\s*=", re.MULTILINE)
_ADD_REMOTE: Final = "dvc remote add --local --default NAME URL"

Made = TypeVar("Made")


@dataclass(frozen=True)
class LockedFile:
    """A file or folder that a stage read or made, with its hash."""

    # Any YAML value: foreign names and hashes are only looked up, never used as they are.
    path: Any
    md5: Any = None


@dataclass(frozen=True)
class LockedStage:
    """DVC's record of a stage when it ran."""

    deps: Sequence[LockedFile] = ()
    outs: Sequence[LockedFile] = ()


@dataclass(frozen=True)
class _Lock:
    stages: Mapping[str, LockedStage] = field(default_factory=dict)


@dataclass(frozen=True)
class _Stage:
    outs: Sequence[str | Mapping[str, Any]] = ()


@dataclass(frozen=True)
class _Pipeline:
    stages: Mapping[str, _Stage] = field(default_factory=dict)


@dataclass(frozen=True)
class _Member:
    """A file of a folder in DVC's cache."""

    relpath: str
    md5: str


@dataclass(frozen=True)
class Revision:
    """A commit or the working tree, with its files."""

    name: str  # as the user wrote it
    commit: Commit | None  # None for the working tree
    root: Path  # the project's folder
    store: Path  # folder for copies of its files

    @property
    def label(self) -> str:
        """Name for people, with the commit's hash."""
        if self.commit is None:
            return WORKING_TREE
        short = self.commit.short
        return short if self.commit.hash.startswith(self.name) else f"{self.name} ({short})"

    @cached_property
    def _project(self) -> Any:
        """DVC's view of the working tree."""
        return _open_project(self.root)

    def read(self, path: Path) -> str | None:
        """Read a text file from Git or the working tree; None if it does not exist."""
        if self.commit is not None:
            return self._settings[path] if path in _SETTINGS else read_at(self.root, self.commit, path)
        return read_text(self.root / path) if (self.root / path).is_file() else None

    @cached_property
    def _settings(self) -> Mapping[Path, str | None]:
        """Files of a commit that say what it has, which every comparison needs; none of the working tree."""
        return {} if self.commit is None else read_all_at(self.root, self.commit, _SETTINGS)

    def params(self) -> Params:
        """Read the configuration.

        Raises MissingResultsError if there is none, and RevisionError if it cannot be read.
        """
        text = self.read(PARAMS_FILE)
        if text is None:
            raise MissingResultsError(f"{self.label} has no {PARAMS_FILE}: there are no results of misread in it.")
        try:
            content = parse_yaml(text, f"{PARAMS_FILE} of {self.label}")
        except InputFileError as error:
            raise RevisionError(str(error)) from None
        if not isinstance(content, Mapping):
            raise RevisionError(f"{PARAMS_FILE} of {self.label} holds no settings.")
        params = Params(content, PARAMS_FILE, self.root)
        if self.commit is not None:
            self._refuse_unlisted(params)
        return params

    def _refuse_unlisted(self, params: Params) -> None:
        """Refuse modules of the study's folder that only the commit lists: its author would choose what runs."""
        if not params.plugins:
            return
        path = self.root / PARAMS_FILE
        content = parse_yaml(read_text(path), path) if path.is_file() else {}
        listed = Params(content, path, self.root).plugins if isinstance(content, Mapping) else []
        for name in params.plugins:
            if name not in listed and find_study_module(name, self.root / STUDY.parent):
                raise RevisionError(
                    f"{PARAMS_FILE} of {self.label} lists the plug-in {name!r}, which {path} does not: its module in "
                    f"this folder would run; list it in the setting plugins if you trust it."
                )

    @cached_property
    def stages(self) -> Mapping[str, LockedStage]:
        """Records of every stage in DVC's lock files; RevisionError names a file that cannot be read."""
        entries: dict[str, LockedStage] = {}
        for pipeline in PIPELINES:
            entries |= self._parse(pipeline.with_suffix(".lock"), _Lock()).stages
        return entries

    @cached_property
    def _digests(self) -> Mapping[str, str]:
        """Hashes of results by path, for outputs of present stages: DVC keeps records of stages that were removed."""
        outputs: dict[str, Sequence[str | Mapping[str, Any]]] = {}
        for pipeline in PIPELINES:
            outputs |= {name: stage.outs for name, stage in self._parse(pipeline, _Pipeline()).stages.items()}
        patterns = {name: _pattern(stage) for name, stage in outputs.items()}
        return {
            str(result.path): str(result.md5)
            for name, stage in self.stages.items()
            for result in stage.outs
            if (pattern := patterns.get(name.partition("@")[0])) and pattern.fullmatch(str(result.path))
        }

    def _parse(self, path: Path, empty: Made) -> Made:
        """Read one of DVC's files; a missing file reads as `empty`."""
        from msgspec import ValidationError, convert

        text = self.read(path)
        name = f"{path} of {self.label}"
        try:
            content = None if text is None else parse_yaml(text, name)
            return empty if content is None else convert(content, type(empty))
        except InputFileError as error:
            raise RevisionError(str(error)) from None
        except ValidationError as error:
            raise RevisionError(f"{name} is not what DVC writes: {error}.") from None

    def digest(self, path: Path, *, asks_remote: bool = True) -> str | None:
        """DVC's hash of a result; None if the revision has no such result.

        Raises MissingResultsError if it is in a folder whose list is neither in the cache nor in the remote.
        """
        for folder in (path, *path.parents):
            if digest := self._digests.get(folder.as_posix()):
                if folder == path:
                    return digest
                return self._members(folder, digest, asks_remote=asks_remote).get(str(path.relative_to(folder)))
        return None

    def fetch(self, path: Path, *, asks_remote: bool = True) -> Path:
        """Copy a file (path from the project's folder) out of the cache or the remote; returns the copy.

        Raises MissingResultsError if the revision has no such result, or neither the cache nor the remote has it.
        """
        copy = self.store / path
        if copy.is_file():
            return copy
        if self.commit is None and (self.root / path).is_file():
            return self._copy(self.root / path, path, copy)
        digest = self.digest(path, asks_remote=asks_remote)
        if digest is None:
            raise MissingResultsError(f"{self.label} has no results: {path} was never made; {self._how_to_make()}.")
        return self._bring(digest, path, copy, asks_remote=asks_remote)

    def _members(self, folder: Path, digest: str, *, asks_remote: bool) -> Mapping[str, str]:
        """Hashes of the files of a folder in the cache or the remote."""
        from msgspec import ValidationError, convert

        listed = self._bring(digest, folder, self.store / ".folders" / folder, asks_remote=asks_remote)
        try:
            members = convert(decode_json(read_text(listed), folder), list[_Member])
        except (InputFileError, ValidationError):
            raise RevisionError(f"{folder} of {self.label} cannot be read: its list of files is damaged.") from None
        return {member.relpath: member.md5 for member in members}

    def _bring(self, digest: str, path: Path, copy: Path, *, asks_remote: bool) -> Path:
        """Copy an object out of the cache or the remote; `path` is for messages."""
        from dvc.config import NoRemoteError

        if copy.is_file():
            return copy
        if not _DIGEST.fullmatch(digest):
            raise RevisionError(f"{path} of {self.label} has the hash {digest!r}, which is none of DVC's.")
        cached = Path(self._project.cache.local.oid_to_path(digest))
        if cached.is_file():
            return self._copy(cached, path, copy)
        if not asks_remote:
            raise MissingResultsError(f"{path} of {self.label} is not in the cache.")
        copy.parent.mkdir(parents=True, exist_ok=True)
        remedy = f"run `dvc pull {'' if self.commit is None else '--all-commits '}{path}`"
        try:
            remote = self._project.cloud.get_remote_odb(command="pull")
            remote.fs.get_file(remote.oid_to_path(digest), str(copy))
        except NoRemoteError:
            reason = "is not in the cache, and there is no default remote"
            remedy = remedy.replace("run", f"run `{_ADD_REMOTE}` and", 1)
        except FileNotFoundError:
            reason = "is neither in the cache nor in the remote"
            if not self._names_remote():
                reason += ", for the commit names none and `dvc push` left it out"
                remedy = f"run `{_ADD_REMOTE}` and `dvc push --all-commits` where it was made"
        except Exception as error:  # noqa: BLE001  stores have exceptions of their own, of packages that need not be here
            said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
            reason = f"is not in the cache, and the remote cannot be read ({said})"
        else:
            return copy
        copy.unlink(missing_ok=True)
        raise MissingResultsError(f"{path} of {self.label} {reason}; {remedy}, or {self._how_to_make()}.")

    def _copy(self, source: Path, path: Path, copy: Path) -> Path:
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            return Path(shutil.copyfile(source, copy))
        except OSError as error:
            copy.unlink(missing_ok=True)
            raise RevisionError(f"{path} of {self.label} cannot be read: {error}.") from None

    def explain(self, error: InputFileError) -> str:
        """The error message with the revision's name, and the file's path in the project, not that of the copy."""
        return f"{self.label}: {str(error).replace(f'{self.store}/', '')}"

    def _names_remote(self) -> bool:
        """Whether DVC has a remote for this revision, which it takes from the commit itself or `config.local`."""
        local = self.root / ".dvc/config.local"
        texts = (self.read(Path(".dvc/config")), read_text(local) if local.is_file() else None)
        return self.commit is None or any(_NAMED_REMOTE.search(text or "") for text in texts)

    def _how_to_make(self) -> str:
        if self.commit is None:
            return "run `dvc repro` to make it"
        return f"make it with `git checkout {self.commit.short}` and `dvc repro`, and commit what that writes"


def open_revision(root: Path, name: str | None, store: Path) -> Revision:
    """Open a commit or experiment by name, or the working tree (None); `store` is an empty folder for copies.

    Raises RevisionError if `root` is not in a Git repository, or there is no such commit.
    """
    if name is None:
        require_repository(root)
    commit = None if name is None else find_commit(root, name)
    return Revision(name or WORKING_TREE, commit, root, store)


def _open_project(root: Path) -> Any:
    files = (root / ".dvc/config", root / ".dvc/config.local")
    return _open_configured(root.resolve(), *(file.read_bytes() if file.is_file() else b"" for file in files))


# Several revisions of one project are opened.
@lru_cache(maxsize=1)
def _open_configured(root: Path, *_settings: bytes) -> Any:
    with needed_for("reading revisions needs", "DVC", "pipeline"):
        from dvc.exceptions import DvcException, NotDvcRepoError
        from dvc.repo import Repo
    try:
        # Only the location of objects is needed, not DVC's databases.
        with Repo(str(root)) as project:
            return project
    except NotDvcRepoError:
        raise RevisionError(f"{root} is not a DVC repository: run this in the project's folder.") from None
    except DvcException as error:
        raise RevisionError(f"DVC cannot open this project: {' '.join(str(error).split())}.") from None


def _pattern(outputs: Sequence[str | Mapping[str, Any]]) -> re.Pattern[str]:
    """Paths of the outputs of a stage in dvc.yaml, with any name in place of a variable."""
    paths = (path for output in outputs for path in ([output] if isinstance(output, str) else output))
    return re.compile("|".join("[^/]+".join(map(re.escape, _VARIABLE.split(path))) for path in paths))

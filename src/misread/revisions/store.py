"""Files of a revision: what Git holds, and what DVC holds for it in the cache or a remote."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from misread.errors import InputFileError, RevisionError
from misread.extras import needed_for
from misread.files.text import read_text
from misread.files.yaml_files import parse_yaml
from misread.pipeline.params import PARAMS_FILE, Params
from misread.provenance.study_modules import find_study_module
from misread.revisions.git import Commit, find_commit, read_at, require_repository

WORKING_TREE = "the working tree"
"""Name of the files on disk, where a commit would be named."""


@dataclass(frozen=True)
class Revision:
    """A commit, or the working tree, with everything that belongs to it."""

    name: str  # as the user wrote it
    commit: Commit | None  # None for the working tree
    root: Path  # the project's folder
    store: Path  # folder for copies of its files
    _files: Any = field(repr=False)

    @property
    def label(self) -> str:
        """Name for people, with the commit's hash."""
        if self.commit is None:
            return WORKING_TREE
        short = self.commit.short
        return short if self.commit.hash.startswith(self.name) else f"{self.name} ({short})"

    def params(self) -> Params:
        """Read its configuration; raises RevisionError if it has none, or none that can be read."""
        path = self.root / PARAMS_FILE
        if self.commit is None:
            text = read_text(path) if path.is_file() else None
        else:
            text = read_at(self.root, self.commit, PARAMS_FILE)
        if text is None:
            raise RevisionError(f"{self.label} has no {PARAMS_FILE}: there are no results of misread in it.")
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
        """Refuse modules of the study's folder that only the commit lists: whoever wrote it would choose what runs."""
        path = self.root / PARAMS_FILE
        listed = Params(parse_yaml(read_text(path), path) or {}, path, self.root).plugins if path.is_file() else []
        for name in params.plugins:
            if name not in listed and find_study_module(name, self.root):
                raise RevisionError(
                    f"{PARAMS_FILE} of {self.label} lists the plug-in {name!r}, which {path} does not: its module in "
                    f"this folder would run; list it in the setting plugins if you trust it."
                )

    def digest(self, path: Path) -> str | None:
        """Hash by which DVC knows one of its files; None where the revision has no such result."""
        from dvc.exceptions import DvcException

        with suppress(FileNotFoundError, DvcException):
            digest: str | None = self._files.info(path.as_posix()).get("md5")
            return digest
        return None

    def fetch(self, path: Path) -> Path:
        """Copy a file (path from the project's folder) out of the cache or the remote; returns the copy.

        Raises RevisionError if the revision has no such result, or neither the cache nor the remote has it.
        """
        from dvc.exceptions import DvcException

        copy = self.store / path
        if copy.is_file():
            return copy
        if self.digest(path) is None and not (self.commit is None and (self.root / path).is_file()):
            raise RevisionError(f"{self.label} has no results: {path} was never made; {self._how_to_make()}.")
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._files.get_file(path.as_posix(), str(copy))
        except FileNotFoundError:
            copy.unlink(missing_ok=True)
            raise RevisionError(
                f"{path} of {self.label} is neither in the cache nor in the remote; run `{self._pull(path)}`, "
                f"or {self._how_to_make()}."
            ) from None
        except (DvcException, OSError) as error:
            copy.unlink(missing_ok=True)
            raise RevisionError(f"{path} of {self.label} cannot be read: {' '.join(str(error).split())}.") from None
        return copy

    def explain(self, error: InputFileError) -> str:
        """The error with the revision's name, and with the project's path of the file instead of the copy's."""
        return f"{self.label}: {str(error).replace(f'{self.store}/', '')}"

    def _pull(self, path: Path) -> str:
        return f"dvc pull {path}" if self.commit is None else f"dvc pull --all-commits {path}"

    def _how_to_make(self) -> str:
        if self.commit is None:
            return "run `dvc repro` to make it"
        return f"make it with `git checkout {self.commit.short}` and `dvc repro`, and commit dvc.lock"


def open_revision(root: Path, name: str | None, store: Path) -> Revision:
    """Open a commit or experiment by name, or the working tree (None); `store` is an empty folder for copies.

    Raises RevisionError if `root` is not in a Git and DVC repository, or there is no such commit.
    """
    require_repository(root)
    commit = None if name is None else find_commit(root, name)
    return Revision(name or WORKING_TREE, commit, root, store, _open_files(root, commit))


def _open_files(root: Path, commit: Commit | None) -> Any:
    with needed_for("reading revisions needs", "DVC", "pipeline"):
        from dvc.api import DVCFileSystem
        from dvc.exceptions import DvcException, NotDvcRepoError
        from dvc.repo import Repo
    try:
        with Repo(str(root)) as repo:
            # Remotes and cache of today: a commit from before they were set would find nothing.
            config = {section: repo.config[section] for section in ("core", "remote", "cache")}
        # Given a path, the file system would open the repository twice more to look for remotes.
        files = DVCFileSystem(Repo(str(root), rev=commit.hash if commit else None, config=config))
        files.exists("dvc.yaml")
    except NotDvcRepoError:
        raise RevisionError(f"{root.resolve()} is not a DVC repository: run this in the project's folder.") from None
    except DvcException as error:
        raise RevisionError(f"DVC cannot open this project: {' '.join(str(error).split())}.") from None
    return files

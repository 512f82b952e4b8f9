"""A table reproduced at the revision that it comes from, and compared byte by byte."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from misread.errors import MissingResultsError, RevisionError, UnknownNameError, setting
from misread.provenance.environment import git_environment
from misread.revisions.git import Commit, find_commit, is_in_history, require_repository, run_git
from misread.storage.signature_file import SignatureFile, digest_bytes, read_signature_file

_PACKAGE: Final = Path(__file__).resolve().parents[1]


def lend_machine_code(package: Path) -> None:
    """Copy the machine code of this installation to another copy of the package.

    Compiling it again takes a quarter of a minute. It is used only if all its sources are equal.
    """
    for path in _PACKAGE.rglob("__pycache__/*.nb[ic]"):
        folder = package / path.parent.relative_to(_PACKAGE)
        if folder.parent.is_dir():
            folder.mkdir(exist_ok=True)
            shutil.copy2(path, folder)


_DVC_FILE = Path("dvc.yaml")
_LINES_OF_A_LOG = 12


@dataclass(frozen=True, slots=True)
class ReplayedFile:
    """One file of the table; `difference` describes the first difference and is empty if there is none."""

    name: str
    difference: str


@dataclass(frozen=True, slots=True)
class Replay:
    """Result of reproducing a table."""

    commit: Commit
    signature: str
    stages: Sequence[str]
    files: Sequence[ReplayedFile]

    @property
    def is_identical(self) -> bool:
        """Whether every file is the same, byte for byte."""
        return not any(file.difference for file in self.files)


def replay_table(
    root: Path,
    signature_file: Path,
    folder: Path,
    *,
    first_stage: str,
    revision: str | None = None,
    trust: bool = False,
) -> Replay:
    """Check out the revision of a table, run its stages again from DVC's stored results, and compare.

    The revision's own code makes the table, with the packages that are installed now. All stages from `first_stage` on
    run again in `folder`, which is empty and becomes a working tree; results of earlier stages come from the cache or
    the remote. Without a `revision`, the first commit with the signature file is used, in the history of the
    checked-out commit if possible. Code of a commit outside that history runs only with `trust`, since it may be
    anybody's; otherwise RevisionError says so.
    """
    expected = read_signature_file(signature_file)
    top = require_repository(root)
    commit, tables = _find_table(root, signature_file, revision)
    if not trust and not is_in_history(root, commit):
        raise RevisionError(
            f"{commit.short} is not in the history of the commit that is checked out, and its own code would run "
            f"(dvc.yaml, stages/, src/); look at it with `git show {commit.short}`, then add {setting('trust', True)}."
        )
    with _working_tree(root, commit, folder):
        project = folder / root.resolve().relative_to(top.resolve())
        if not (project / _DVC_FILE).is_file():
            raise RevisionError(f"{commit.short} has no {_DVC_FILE}: there is no pipeline to run again.")
        _share_cache(root, project)
        stages = _stages_from(project, first_stage, commit)
        _bring_results(project, commit, besides=stages)
        committed = {name: _content(folder / tables / name) for name in expected.files}
        _run_stages(project, stages, commit)
        made = {name: _content(folder / tables / name) for name in expected.files}
    names = list(dict.fromkeys(map(_name, stages)))
    return Replay(commit, expected.signature, names, _compare(expected, committed, made))


def _find_table(root: Path, signature_file: Path, revision: str | None) -> tuple[Commit, Path]:
    """Find the first commit with a file of this content, and the folder of the file there."""
    blob = run_git(root, "hash-object", "--no-filters", str(signature_file.resolve())).stdout.decode().strip()
    if revision is None:
        # The oldest commit made the table. Authors choose dates, so that a foreign branch could put a commit before all
        # others: search the present history first.
        logs = (_having(root, blob, commits) for commits in ("HEAD", "--all"))
        log = next(filter(None, logs), [])
    else:
        log = [find_commit(root, revision).hash]
    for name in log:
        listed = run_git(root, "ls-tree", "-r", "-z", "--full-tree", name).stdout.decode("utf-8", "surrogateescape")
        for entry in filter(None, listed.split("\0")):
            facts, _, path = entry.partition("\t")
            if facts.split()[2] == blob:
                return find_commit(root, name), Path(path).parent
    where = "no commit" if revision is None else revision
    raise RevisionError(
        f"{where} has a file like {signature_file}: commit the results before they are replayed"
        f"{'' if revision is None else ', or leave out ' + setting('revision')}."
    )


def _having(root: Path, blob: str, commits: str) -> list[str]:
    """Commits that added or removed a file of this content, the oldest first."""
    return run_git(root, "log", commits, "--reverse", "--format=%H", f"--find-object={blob}").stdout.decode().split()


@contextmanager
def _working_tree(root: Path, commit: Commit, folder: Path) -> Iterator[None]:
    done = run_git(root, "worktree", "add", "--detach", "--force", str(folder), commit.hash)
    if done.returncode:
        raise RevisionError(f"{commit.short} cannot be checked out: {_last_line(done.stderr.decode())}.")
    try:
        yield
    finally:
        run_git(root, "worktree", "remove", "--force", "--force", str(folder))


def _stages_from(project: Path, first: str, commit: Commit) -> list[str]:
    """Addresses of the stages of this name and of all that depend on them, in the order in which they run."""
    import networkx as nx
    from dvc.repo import Repo

    with Repo(str(project)) as repo:
        # Edges lead from each stage to its dependencies.
        graph = repo.index.graph
        in_order = list(reversed(list(nx.topological_sort(graph))))
        chosen = {stage for stage in in_order if _name(stage.addressing) == first}
        if not chosen:
            names = dict.fromkeys(_name(stage.addressing) for stage in in_order)
            raise UnknownNameError("stage", first, names, where=f"the pipeline of {commit.short}")
        chosen |= set().union(*(nx.ancestors(graph, stage) for stage in chosen))
        return [_address(stage, repo.root_dir) for stage in in_order if stage in chosen]


def _address(stage: Any, root: str) -> str:
    """A stage as DVC calls it in the project's folder."""
    file = Path(stage.path).relative_to(root)
    if file.suffix == ".dvc":
        # A file of a single stage has no stage name.
        return file.as_posix()
    return str(stage.name) if file == _DVC_FILE else f"{file.as_posix()}:{stage.name}"


def _name(address: str) -> str:
    """Name of a stage, without its file and the ids that it runs for."""
    return address.split(":")[-1].split("@")[0]


def _share_cache(root: Path, project: Path) -> None:
    """Let the working tree use the present cache and remotes of the project."""
    from dvc.repo import Repo

    with Repo(str(root)) as source, Repo(str(project)) as target:
        cache = str(Path(source.cache.local.path).parents[1])
        with target.config.edit("local") as config:
            config["cache"]["dir"] = cache
            config["remote"] = dict(source.config["remote"])
            if source.config["core"].get("remote"):
                config["core"]["remote"] = source.config["core"]["remote"]


def _bring_results(project: Path, commit: Commit, *, besides: Sequence[str]) -> None:
    """Put the results of all stages but these into the working tree."""
    from dvc.exceptions import CheckoutError, DvcException
    from dvc.repo import Repo

    with Repo(str(project)) as repo:
        outputs = [
            (address, str(out.fs_path))
            for stage in repo.index.stages
            if (address := _address(stage, repo.root_dir)) not in besides
            for out in stage.outs
            if out.use_cache
        ]
        if not outputs:
            return
        targets = [path for _, path in outputs]
        try:
            repo.checkout(targets=targets, force=True)
        except DvcException:
            try:
                repo.pull(targets=targets, force=True)
            except DvcException as error:
                path = Path(targets[0]).relative_to(repo.root_dir)
                # The last line of that one is a link.
                reason = "" if isinstance(error, CheckoutError) else f" ({_last_line(str(error))})"
                raise MissingResultsError(
                    f"results of {commit.short} are neither in the cache nor in the remote{reason}; run `dvc pull "
                    f"--all-commits {path}`, or every stage again, engines too, with --from {_name(outputs[0][0])}."
                ) from None


def _run_stages(project: Path, stages: Sequence[str], commit: Commit) -> None:
    scripts = Path(sys.executable).parent
    environment = git_environment()
    environment["PATH"] = f"{scripts}{os.pathsep}{environment.get('PATH', '')}"
    # The code of the revision, not the installed one.
    environment["PYTHONPATH"] = str(project / "src")
    lend_machine_code(project / "src/misread")
    command = [sys.executable, "-m", "dvc", "repro", "--force", "--single-item", "--no-commit", *stages]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        log = " | ".join((done.stdout + done.stderr).strip().splitlines()[-_LINES_OF_A_LOG:])
        raise RevisionError(f"{commit.short} could not be run again from {stages[0]!r}: {log}")


def _compare(
    expected: SignatureFile, committed: dict[str, bytes | None], made: dict[str, bytes | None]
) -> list[ReplayedFile]:
    return [ReplayedFile(name, _difference(expected, name, committed[name], made[name])) for name in expected.files]


def _difference(expected: SignatureFile, name: str, committed: bytes | None, made: bytes | None) -> str:
    if committed is None:
        return "the commit does not have it"
    if digest_bytes(committed) != expected.files[name]:
        return "the committed file is not the one that was signed"
    if made is None:
        return "it was not made again"
    if made == committed:
        return ""
    old, new = committed.splitlines(), made.splitlines()
    line = next((number for number, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
    if line is None:
        return f"{len(old)} lines were committed, {len(new)} made"
    before, after = (lines[line].decode("utf-8", "replace") for lines in (old, new))
    return f"line {line + 1}: {before!r} was committed, {after!r} made"


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no reason was given"

"""Public data sets, made from their source repositories: fetched at one commit, converted, verified, put in place."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import which
from typing import Final

import msgspec

from misread.data.benchmark_folder import TRUTH
from misread.errors import FetchError, InputFileError, MissingDependencyError, UnknownNameError
from misread.io.file_lists import LIST_NAME, differing_files, list_files, read_list, stays_below
from misread.io.text import read_text
from misread.io.yaml_files import read_yaml
from misread.provenance.environment import git_environment


def check_out(repository: str, commit: str, patterns: Sequence[str], target: Path) -> None:
    """Write files of a repository as they are at a commit below `target`: those that match, in the form of .gitignore.

    What an earlier call has brought there is not brought again. Git's progress goes to standard error if that is a
    terminal.

    Raises
    ------
    MissingDependencyError
        If Git is not installed.
    FetchError
        If the repository cannot be reached or does not have the commit; has Git's last line.
    """
    target.mkdir(parents=True, exist_ok=True)
    _git(target, "init", "--quiet")
    settings = {
        "remote.origin.url": repository,
        # Contents are brought at the check-out, of the chosen files alone.
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        # A repository on the same machine is to send no more than that either.
        "remote.origin.uploadpack": (
            "git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack"
        ),
        "core.autocrlf": "false",
        "core.hooksPath": os.devnull,
    }
    for name, value in settings.items():
        _git(target, "config", name, value)
    _git(target, "sparse-checkout", "set", "--no-cone", "--end-of-options", *patterns)
    _git(target, "fetch", "--depth=1", "--filter=blob:none", "--no-tags", "--", "origin", commit)
    _git(target, "checkout", "--force", "--detach", commit)


def _git(folder: Path, *arguments: str) -> None:
    git = which("git")
    if git is None:
        raise MissingDependencyError("data sets are fetched with Git: apt-get install git.")
    # Without a question for a password in the terminal. Other transports, such as ext::, run programs that an address
    # names.
    protocols = {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "https:ssh:file"}
    done = subprocess.run(  # noqa: S603
        [git, *arguments],
        cwd=folder,
        env=git_environment() | protocols | {"LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None if sys.stderr.isatty() else subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        lines = (done.stderr or b"").decode(errors="replace").splitlines()
        last = next((line for line in lines if line.startswith(("fatal:", "error:"))), f"status {done.returncode}")
        raise FetchError((last.partition(":")[2].strip() or last).rstrip("."))


SOURCE_NAME: Final = "source.yaml"
_CONVERTER: Final = "convert.py"
_WORK: Final = ".fetching"
"""Folder next to the data sets in which they are made."""

# A name that Git would take for an option, or an address by which it would run a program (ext::), is neither.
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS: Final = re.compile(r"(?:https|ssh|file)://[^-\s]\S*")

_PACKAGED: Final = Path(__file__).parent / "cards"
"""Cards in an installed package."""

_DEVELOPED: Final = Path(__file__).parents[3] / "data"
"""Cards where the package is used from its repository."""


class PublicSource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Source of a public data set.

    `files` are the patterns, in the form of .gitignore, of what the converter needs of the repository. Without a
    converter the files of the data set are copied as they are from the folder `base`, or from the top of the
    repository. `megabytes` are downloaded.
    """

    repository: str
    commit: str
    licence: str
    megabytes: float
    files: tuple[str, ...] = ()
    base: str = ""


def public_cards(data: Path) -> dict[str, Path]:
    """Folders of the cards of all public data sets, by id: those of a project, then those that the package brings."""
    cards: dict[str, Path] = {}
    for root in (data, _PACKAGED, _DEVELOPED):
        for source in sorted(root.glob(f"*/{SOURCE_NAME}")):
            cards.setdefault(source.parent.name, source.parent)
    return dict(sorted(cards.items()))


def find_card(data: Path, dataset_id: str) -> Path:
    """Find the card of a public data set; raises UnknownNameError, which lists them."""
    cards = public_cards(data)
    if dataset_id not in cards:
        raise UnknownNameError("public data set", dataset_id, cards)
    return cards[dataset_id]


def brought_data(dataset_id: str) -> Path | None:
    """Folder of a data set that the package brings whole, as a benchmark folder; None if it has none of this id."""
    folders = (root / dataset_id for root in (_PACKAGED, _DEVELOPED))
    return next((folder for folder in folders if (folder / TRUTH).is_file()), None)


def read_source(card: Path) -> PublicSource:
    """Read where a data set comes from; raises InputFileError, which names the key that is missing or wrong."""
    path = card / SOURCE_NAME
    try:
        source = msgspec.convert(read_yaml(path), PublicSource)
    except msgspec.ValidationError as error:
        raise InputFileError(f"{path}: {error}.") from None
    if not _COMMIT.fullmatch(source.commit):
        raise InputFileError(f"{path}: commit is {source.commit!r}, expected its whole hash, 40 or 64 digits.")
    if not _ADDRESS.fullmatch(source.repository):
        raise InputFileError(f"{path}: repository is {source.repository!r}, expected https://, ssh:// or file://.")
    if source.base and not stays_below(source.base):
        raise InputFileError(f"{path}: base is {source.base!r}, expected a folder of the repository.")
    return source


def read_listed(card: Path) -> dict[str, str]:
    """Hashes of the files that a card lists, by name."""
    return read_list(read_text(card / LIST_NAME), card / LIST_NAME)


def fetch(card: Path, target: Path, *, copy: Path | None = None) -> int:
    """Make a public data set in a folder that does not exist yet, and return how many files it has.

    Parameters
    ----------
    card : Path
        Folder with the data set's list of files, source, and converter if it needs one.
    target : Path
        Folder of the data set. It appears when everything in it is verified, not before.
    copy : Path, optional
        Check-out at hand, which is read in place of the source's address.

    Raises
    ------
    FetchError
        If the source cannot be reached, does not have the commit, cannot be converted, or gives other files than those
        listed; the first is named with both hashes. What was downloaded is kept for the next try.
    """
    source = read_source(card)
    work = target.parent / _WORK
    checkout, made = work / f"{card.name}.source", work / f"{card.name}.made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    try:
        if copy is None:
            _download(source, _patterns(card, source), checkout, dataset_id=card.name)
        elif copy.is_dir():
            checkout = copy
        else:
            raise FetchError(f"{copy} is not a folder: name a check-out of {source.repository}.")
        _convert(card, source, checkout, made)
        _verify(card, source, made)
        made.replace(target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    shutil.rmtree(work / f"{card.name}.source", ignore_errors=True)
    if not any(work.iterdir()):
        work.rmdir()
    return len(read_listed(card))


def _patterns(card: Path, source: PublicSource) -> tuple[str, ...]:
    """Patterns of the files to check out: those that the converter needs, or the listed files themselves."""
    if (card / _CONVERTER).is_file():
        return source.files
    names = [re.sub(r"([*?\[\]\\ ])", r"\\\1", name) for name in read_listed(card)]
    return tuple(f"/{folder}{name}" for name in names for folder in dict.fromkeys(("", f"{source.base}/".lstrip("/"))))


def _download(source: PublicSource, patterns: Sequence[str], checkout: Path, *, dataset_id: str) -> None:
    try:
        check_out(source.repository, source.commit, patterns, checkout)
    except FetchError as error:
        raise FetchError(
            f"{source.repository} at {source.commit[:7]} could not be fetched ({error}); try again, which goes on "
            f"from what arrived, or use a check-out that you have: misread data fetch {dataset_id} --from FOLDER"
        ) from None


def _convert(card: Path, source: PublicSource, checkout: Path, made: Path) -> None:
    if not (card / _CONVERTER).is_file():
        _copy_files(read_listed(card), checkout, source.base, made)
        return
    script = (card / _CONVERTER).resolve()
    done = subprocess.run(  # noqa: S603
        [sys.executable, script, checkout.resolve(), made.resolve()], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip() or f"status {done.returncode}").split("\n")[-1]
        raise FetchError(f"{card / _CONVERTER} could not convert {checkout}: {last}")


def _copy_files(names: Iterable[str], checkout: Path, base: str, made: Path) -> None:
    """Copy files as they are; those that the folder `base` lacks lie at the top of the repository."""
    for name in names:
        source = next((path for path in (checkout / base / name, checkout / name) if path.is_file()), None)
        if source is None:
            raise FetchError(f"{checkout} has no file {Path(base, name)}, which the data set needs.")
        if not source.resolve().is_relative_to(checkout.resolve()):
            raise FetchError(f"{source} is a link to a file outside of the repository, {source.resolve()}.")
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, made / name)


def _verify(card: Path, source: PublicSource, made: Path) -> None:
    expected, hashes = read_listed(card), read_list(list_files(made), card / LIST_NAME)
    differing = differing_files(expected, hashes)
    if differing:
        name = differing[0]
        more = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
        raise FetchError(
            f"{source.repository} at {source.commit[:7]} does not give the files that {card / LIST_NAME} lists: {name} "
            f"has SHA-256 {hashes.get(name, 'none (missing)')}, expected {expected.get(name, 'no such file')}{more}."
        )

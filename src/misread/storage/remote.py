"""Folders in object stores: what is in them is copied into a cache on this machine, and read there."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from misread.errors import ConfigurationError, InputFileError, MissingDataError, needed_for
from misread.io.checks.choices import require_utf8
from misread.io.file_lists import is_listed
from misread.io.json_files import read_json, write_json

CACHE: Final = "MISREAD_CACHE"
"""Variable of the environment that names the folder of the cache; workers need one that they share."""

_BETWEEN: Final = "://"
# fsspec knows others, and chains of them: they unpack archives (zip), ask any server (http), or do what a file says
# (reference). Addresses stand in configurations of others.
_KINDS: Final = ("s3", "gs")
_CHAIN: Final = "::"
# What tells one content of a file from another, by the names that object stores have for it.
_TOKENS: Final = ("ETag", "etag", "md5Hash", "generation", "size", "mtime", "created", "LastModified", "updated")
_FILES_AT_A_TIME: Final = 64
_GOOGLE: Final = "GOOGLE_APPLICATION_CREDENTIALS"
_SIGN_IN: Final[Mapping[str, str]] = {
    "s3": "set AWS_PROFILE, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY (`aws sso login` renews them)",
    "gs": f"set {_GOOGLE}, or run `gcloud auth application-default login`",
}


def is_remote(root: str) -> bool:
    """Whether a folder is an address such as s3://bucket/folder."""
    return _BETWEEN in root and not root.startswith("file://")


def local_folder(root: str, *, setting: str) -> Path:
    """The folder where the files of a folder are: itself or, of an address, its copy; made if there is none yet.

    `setting` is what errors say the address comes from.
    """
    if root.startswith("file://"):
        return Path(unquote(urlsplit(root).path))
    if not is_remote(root):
        return Path(root)
    return _folder(root) if has_copy(root) else fetch_folder(root, setting=setting)


def has_copy(root: str) -> bool:
    """Whether an address was copied before."""
    return _read_record(root).is_complete


def require_there(root: str, *, setting: str) -> None:
    """Raise as `fetch_folder` if there is nothing at an address, without copying it."""
    with _naming(root, setting):
        store, top = _open(root)
        store.info(top)


def fetch_folder(root: str, *, setting: str) -> Path:
    """As `local_folder`, where a copy is made equal to what is at the address now.

    A file is copied again only where the store says that it changed.
    Hidden files belong to no data set and are left out.

    Raises
    ------
    MissingDataError
        If there is no such bucket or folder, or its store wants other credentials; names the setting.
    ConfigurationError
        If there is no store of that kind.
    MissingDependencyError
        If its package is not installed.
    InputFileError
        If a name in it leads out of the folder.
    """
    if not is_remote(root):
        return local_folder(root, setting=setting)
    folder = _fetch(root, setting=setting)
    if folder.is_file():
        raise MissingDataError(f"{root} (setting {setting}) is a file; name the folder that it is in.")
    return folder


def fetch_path(address: str, *, setting: str) -> Path:
    """The file or folder at an address, as `fetch_folder` copies one; a path of this machine is itself."""
    if address.startswith("file://"):
        return local_folder(address, setting=setting)
    return _fetch(address, setting=setting) if is_remote(address) else Path(address)


def _fetch(root: str, *, setting: str) -> Path:
    require_utf8(root)
    folder, before = _folder(root), _read_record(root).tokens
    with _naming(root, setting):
        store, top = _open(root)
        files = _relative(store.find(top, detail=True, refresh=True), top, root)
        if not files:
            raise FileNotFoundError(root)
        _remove_others(folder, files)
        tokens = {
            name: token for name, (_, token) in files.items() if before.get(name) == token and (folder / name).is_file()
        }
        changed = [name for name in files if name not in tokens]
        _write_record(root, _Copied(tokens, not changed))
        try:
            for first in range(0, len(changed), _FILES_AT_A_TIME):
                names = changed[first : first + _FILES_AT_A_TIME]
                _copy(store, {files[name][0]: folder / name for name in names})
                tokens |= {name: files[name][1] for name in names}
        finally:
            _write_record(root, _Copied(tokens, len(tokens) == len(files)))
    return folder


def _remove_others(folder: Path, files: Container[str]) -> None:
    """Remove from a copy what is not in its store, and a folder where there is a file now."""
    if folder.is_dir() and "" in files:
        shutil.rmtree(folder)
    elif folder.is_file() and "" not in files:
        folder.unlink()
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()


def _copy(store: Any, targets: Mapping[str, Path]) -> None:
    """Copy files; each is whole whenever it is there, and not to be edited."""
    for target in targets.values():
        target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_cache()) as copying:
        copies = [Path(copying, str(number)) for number in range(len(targets))]
        store.get([*targets], [*map(str, copies)])
        for copy, target in zip(copies, targets.values(), strict=True):
            copy.chmod(0o444)
            copy.replace(target)


def _cache() -> Path:
    chosen = os.environ.get(CACHE)
    return Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "misread"


def _folder(root: str) -> Path:
    """Where the copy of a folder lies; its last part is that of the address, which names data sets."""
    digest = hashlib.sha256(root.rstrip("/").encode()).hexdigest()[:16]
    return _cache() / "folders" / digest / PurePosixPath(root).name


def _record(root: str) -> Path:
    return _folder(root).with_name("files.json")


class _Copied(NamedTuple):
    """What a copy has: the tokens of its files, and whether there are others that it lacks."""

    tokens: dict[str, str]
    is_complete: bool


def _read_record(root: str) -> _Copied:
    """What was copied before; a record that is damaged, or of an earlier version, is as good as none."""
    try:
        content = read_json(_record(root))
        return _Copied(dict(content["tokens"]), content["is_complete"] is True)
    except (InputFileError, LookupError, TypeError, ValueError):
        return _Copied({}, is_complete=False)


def _write_record(root: str, copied: _Copied) -> None:
    write_json(_record(root), {"root": root, **copied._asdict()})


def _open(root: str) -> tuple[Any, str]:
    kind = root.partition(_BETWEEN)[0]
    if kind not in _KINDS:
        raise ConfigurationError(f"there is no store of the kind {kind}://; there are s3://, gs:// and file://.")
    if _CHAIN in root:
        raise ConfigurationError(f"an address names one store; leave out {_CHAIN} and what follows it.")
    with needed_for("folders in object stores need", "fsspec", "remote"):
        import fsspec
    # What goes wrong is said in one line, by `_naming`.
    for name in ("aiobotocore", "fsspec", "gcsfs", "google", "s3fs"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    credentials = os.environ.get(_GOOGLE, "") if kind == "gs" else ""
    if credentials and not Path(credentials).is_file():
        # Google's package would go on without any.
        raise MissingDataError(
            f"the credentials are missing: {_GOOGLE} names {credentials}, which is not a file; {_SIGN_IN['gs']}."
        )
    with needed_for(f"folders at {kind}:// need", "their package for fsspec", "remote"):
        store, top = fsspec.core.url_to_fs(root)
    return store, str(top).rstrip("/")


def _relative(listed: Mapping[str, Mapping[str, Any]], top: str, root: str) -> dict[str, tuple[str, str]]:
    """Place in the store and token of each file, by its name from the folder; "" is the address itself, a file."""
    files = {}
    for address, facts in listed.items():
        name = address.removeprefix(top).lstrip("/")
        path = PurePosixPath(name)
        if ".." in path.parts or "\\" in name:
            raise InputFileError(f"{root} has a file {address!r}, whose name leads out of the folder; rename it.")
        if not name or is_listed(Path(name)):
            files[name] = (address, json.dumps({key: str(facts[key]) for key in _TOKENS if key in facts}))
    return files


@contextmanager
def _naming(root: str, setting: str) -> Iterator[None]:
    """Turn what stores raise into one line that names the setting."""
    kind = root.partition(_BETWEEN)[0]
    where = f"{root} (setting {setting})"
    try:
        yield
    except (ConfigurationError, InputFileError, MissingDataError) as error:
        raise type(error)(f"{where}: {error}") from None
    except FileNotFoundError:
        raise MissingDataError(
            f"{where}: there is no such bucket, or no file in that folder; name one that exists, or check whether it "
            "is in another account or region."
        ) from None
    except Exception as error:
        # Each store has exceptions of its own, of packages that need not be installed.
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        if isinstance(error, PermissionError) or _is_refusal(
            type(error).__name__, reason, getattr(error, "code", None)
        ):
            sign_in = _SIGN_IN.get(kind, "set those of the store")
            raise MissingDataError(
                f"{where}: the credentials are missing, have expired, or do not allow to read it ({reason}); {sign_in}."
            ) from None
        if isinstance(error, OSError) or type(error).__module__.split(".")[0] not in ("misread", "builtins"):
            raise MissingDataError(f"{where} cannot be read: {reason}.") from None
        raise


def _is_refusal(name: str, reason: str, code: object) -> bool:
    """Whether a store wants other credentials, by the name of its exception, its words, or the status of HTTP."""
    said = any(word in name for word in ("Credential", "Token", "Refresh", "Auth", "Unauthorized"))
    return said or reason.startswith("Forbidden") or str(code) in ("401", "403")

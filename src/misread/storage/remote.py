"""Folders in object stores: what is in them is copied into a cache on this machine, kept by content, and read there."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from misread.errors import ConfigurationError, InputFileError, MissingDataError, needed_for
from misread.io.checks.choices import require_utf8
from misread.io.file_lists import is_listed
from misread.io.json_files import read_json, write_json
from misread.provenance.digests import digest_file

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
    return _record(root).is_file()


def require_there(root: str, *, setting: str) -> None:
    """Raise as `fetch_folder` if there is nothing at an address, without copying it."""
    with _naming(root, setting):
        store, top = _open(root)
        store.info(top)


def fetch_folder(root: str, *, setting: str) -> Path:
    """As `local_folder`, where a copy is made equal to what is at the address now.

    A file is copied again only where the store says that it changed, and is kept once however many folders have it.
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
    with _naming(root, setting):
        store, top = _open(root)
        found: dict[str, dict[str, Any]] = store.find(top, detail=True, refresh=True)
        files = _relative(found, top, root)
        if not files:
            raise FileNotFoundError(root)
        seen = _read_record(root)
        digests = {name: seen[name][1] for name, (_, token) in files.items() if _is_known(seen, name, token)}
        new = [name for name in files if name not in digests]
        for first in range(0, len(new), _FILES_AT_A_TIME):
            some = new[first : first + _FILES_AT_A_TIME]
            digests |= _copy(store, {name: files[name][0] for name in some})
    folder = _folder(root)
    if folder.is_dir() and "" in files:
        # What was a folder is a file now.
        shutil.rmtree(folder)
    elif folder.is_file() and "" not in files:
        folder.unlink()
    for name, digest in digests.items():
        _link(_object(digest), folder / name)
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    write_json(_record(root), {"root": root, "files": {name: [files[name][1], digests[name]] for name in files}})
    return folder


def _cache() -> Path:
    named = os.environ.get(CACHE)
    return Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "misread"


def _folder(root: str) -> Path:
    """Where the copy of a folder lies; its last part is that of the address, which names data sets."""
    digest = hashlib.sha256(root.rstrip("/").encode()).hexdigest()[:16]
    return _cache() / "folders" / digest / PurePosixPath(root).name


def _record(root: str) -> Path:
    return _folder(root).with_name("files.json")


def _object(digest: str) -> Path:
    return _cache() / "objects" / digest[:2] / digest[2:]


def _read_record(root: str) -> dict[str, tuple[str, str]]:
    """Token and SHA-256 of the files that were copied before; it only saves time, so one that is damaged is empty."""
    try:
        content = read_json(_record(root)) if _record(root).is_file() else {"files": {}}
        return {name: (str(token), str(digest)) for name, (token, digest) in content["files"].items()}
    except (InputFileError, LookupError, AttributeError, TypeError, ValueError):
        return {}


def _is_known(seen: Mapping[str, tuple[str, str]], name: str, token: str) -> bool:
    return name in seen and seen[name][0] == token and _object(seen[name][1]).is_file()


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
    named = os.environ.get(_GOOGLE, "") if kind == "gs" else ""
    if named and not Path(named).is_file():
        # Google's package would go on without any.
        raise MissingDataError(
            f"the credentials are missing: {_GOOGLE} names {named}, which is not a file; {_SIGN_IN['gs']}."
        )
    with needed_for(f"folders at {kind}:// need", "their package for fsspec", "remote"):
        store, top = fsspec.core.url_to_fs(root)
    return store, str(top).rstrip("/")


def _relative(found: Mapping[str, Mapping[str, Any]], top: str, root: str) -> dict[str, tuple[str, str]]:
    """Place in the store and token of each file, by its name from the folder; "" is the address itself, a file."""
    files = {}
    for place, facts in found.items():
        name = place.removeprefix(top).lstrip("/")
        path = PurePosixPath(name)
        if ".." in path.parts or "\\" in name:
            raise InputFileError(f"{root} has a file {place!r}, whose name leads out of the folder; rename it.")
        if not name or is_listed(Path(name)):
            files[name] = (place, json.dumps({key: str(facts[key]) for key in _TOKENS if key in facts}))
    return files


def _copy(store: Any, places: Mapping[str, str]) -> dict[str, str]:
    """Copy files into the cache; their SHA-256 by name."""
    folder = _cache() / "copying" / str(os.getpid())
    folder.mkdir(parents=True, exist_ok=True)
    copies = {name: folder / str(number) for number, name in enumerate(places)}
    store.get([places[name] for name in copies], [str(path) for path in copies.values()])
    digests = {}
    for name, copy in copies.items():
        digests[name] = digest_file(copy)
        kept = _object(digests[name])
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Names of one content are one file: who edits a copy would change all of them.
        copy.chmod(0o444)
        copy.replace(kept)
    return digests


def _link(kept: Path, path: Path) -> None:
    """Let a name be one of a content in the cache."""
    if path.is_file() and path.samefile(kept):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.hardlink_to(kept)


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
            f"{where}: there is no such bucket, or no file in that folder; name one that there is, or see whether it "
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

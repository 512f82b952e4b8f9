"""Folders in object stores: their files are copied into a cache on this machine, and read there."""

from __future__ import annotations

import glob
import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from misread.errors import ConfigurationError, InputFileError, MissingDataError, needed_for
from misread.io.checks.choices import require_utf8
from misread.io.file_lists import is_listed

CACHE: Final = "MISREAD_CACHE"
"""Variable of the environment that names the folder of the cache; workers need one that they share."""

_BETWEEN: Final = "://"
# fsspec knows others, and chains of them: they unpack archives (zip), ask any server (http), or do what a file says
# (reference). Addresses are in configurations of others.
_KINDS: Final = ("s3", "gs")
_CHAIN: Final = "::"
# What tells one content of a file from another, by the names that object stores have for it.
_TOKENS: Final = ("ETag", "etag", "md5Hash", "generation", "size", "mtime", "created", "LastModified", "updated")
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
    newest = max(_copies(root), key=lambda copy: copy.parent.stat().st_mtime, default=None)
    return newest or fetch_folder(root, setting=setting)


def has_copy(root: str) -> bool:
    """Whether an address was copied before."""
    return any(_copies(root))


def require_there(root: str, *, setting: str) -> None:
    """Raise as `fetch_folder` if there is nothing at an address, without copying it."""
    with _naming(root, setting):
        store, top = _open(root)
        store.info(top)


def fetch_folder(root: str, *, setting: str) -> Path:
    """As `local_folder`, with a copy of the current files at the address.

    A changed folder is copied again as a whole; others may be reading the earlier copies. Hidden files belong to no
    data set and are left out.

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
        files = _relative(store.find(top, detail=True, refresh=True), top, root)
        if not files:
            raise FileNotFoundError(root)
        facts = json.dumps({name: token for name, (_, token) in sorted(files.items())})
        copy, name = _folder(root) / hashlib.sha256(facts.encode()).hexdigest()[:16], PurePosixPath(root).name
        if not (copy / name).exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=copy.parent, prefix=".") as folder:
                made = Path(folder, copy.name)
                store.get([address for address, _ in files.values()], [str(made / name / path) for path in files])
                try:
                    made.rename(copy)
                except OSError:
                    # Another process has made the same copy meanwhile.
                    if not (copy / name).exists():
                        raise
        os.utime(copy)
    return copy / name


def _folder(root: str) -> Path:
    """Folder of the copies of an address, each in its own."""
    chosen = os.environ.get(CACHE)
    cache = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "misread"
    return cache / "folders" / hashlib.sha256(root.rstrip("/").encode()).hexdigest()[:16]


def _copies(root: str) -> Iterator[Path]:
    """Copies of an address; their last part is that of the address, which names data sets."""
    return _folder(root).glob(f"[!.]*/{glob.escape(PurePosixPath(root).name)}")


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

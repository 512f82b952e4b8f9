"""Signature files of tables: inputs of a table, and the digests to reproduce."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from misread.errors import InputFileError
from misread.io import read_json, read_record, write_record
from misread.version import __version__

SUFFIX = ".signature.json"


@dataclass(frozen=True, slots=True)
class SignatureFile:
    """A signature, and the files that show its numbers."""

    signature: str
    files: Mapping[str, str]  # SHA-256 by name


def write_signature_file(stem: str, signature: str, files: Sequence[str], folder: Path) -> None:
    """Write `STEM.signature.json` next to the files of a table in `folder`."""
    digests = {name: digest_bytes((folder / name).read_bytes()) for name in files}
    write_record(folder / f"{stem}{SUFFIX}", SignatureFile(signature, digests), kind="signature")


def read_signature_file(path: Path) -> SignatureFile:
    """Read a signature file; raises InputFileError if it is missing, damaged, of a newer version, or is not one."""
    if not path.is_file():
        raise InputFileError(f"there is no file {path}; signature files are called TABLE{SUFFIX}.")
    if path.suffix != ".json":
        sibling = path.with_name(f"{path.name.partition('.')[0]}{SUFFIX}")
        hint = f": that of this table is {sibling}" if sibling.is_file() else f"; those are called TABLE{SUFFIX}"
        raise InputFileError(f"{path} is no signature file{hint}.")
    record = read_record(path, SignatureFile, kind="signature")
    if all(name == Path(name).name for name in record.files):
        return record
    raise InputFileError(f"{path} is not a signature file; those are named TABLE{SUFFIX}, in the folder of the table.")


def describe_other_version(folder: Path) -> str:
    """Say which version of misread made the signed tables of a folder, if it is not the installed one; else nothing."""
    signatures = (str(read_json(path).get("signature")) for path in sorted(folder.glob(f"*{SUFFIX}")))
    # What was measured names no version.
    versions = sorted(
        {signature.rpartition("|v:")[2] for signature in signatures if "|v:" in signature} - {__version__}
    )
    return f"{folder} is of misread {', '.join(versions)}, and {__version__} is installed" if versions else ""


def digest_bytes(content: bytes) -> str:
    """SHA-256 of a file's content, as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()

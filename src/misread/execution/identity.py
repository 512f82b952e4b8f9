"""What a process runs: two of the same identity give the same results."""

import hashlib
import platform
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final

from misread.version import __version__

_PACKAGE: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Identity:
    """Versions on which results depend, and the digest of all code of misread."""

    misread: str
    code: str
    python: str
    numpy: str
    numba: str
    pyarrow: str  # whose bytes are in the files that workers encode

    def differences(self, other: "Identity") -> str:
        """What the other has in place of this, such as "numpy 2.2.0 in place of 2.3.1"; empty where nothing is."""
        named = ((each.name, getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return ", ".join(f"{name} {theirs} in place of {ours}" for name, ours, theirs in named if ours != theirs)


@cache
def identify() -> Identity:
    """Identity of the process that asks."""
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return Identity(__version__, _digest_code()[:12], python, version("numpy"), version("numba"), version("pyarrow"))


def _digest_code() -> str:
    """SHA-256 of the names and contents of all modules."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

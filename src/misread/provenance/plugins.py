"""Installed packages whose classes a configuration may name, and digests of their content."""

import hashlib
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from misread.errors import UnknownNameError

ENTRY_POINTS: Final = "misread.plugins"
"""Entry point group in which a plug-in registers itself."""

CACHES: Final = {".pyc", ".nbi", ".nbc"}


def installed_plugins() -> set[str]:
    """Names of the registered plug-ins; none of them is imported."""
    return {point.name for point in entry_points(group=ENTRY_POINTS)}


@cache
def digest_plugin(package: str) -> str:
    """SHA-256 of the names and contents of all files of a plug-in, without caches.

    Raises UnknownNameError if no such package is installed and registered.
    """
    installed = installed_plugins()
    spec = find_spec(package) if package in installed else None
    if spec is None:
        raise UnknownNameError("plug-in", package, installed, where=f"the entry point group {ENTRY_POINTS!r}")
    roots = [Path(root) for root in spec.submodule_search_locations or ()]
    files = {path.relative_to(root).as_posix(): path for root in roots for path in root.rglob("*") if path.is_file()}
    if not roots and spec.origin:
        files = {Path(spec.origin).name: Path(spec.origin)}
    kept = {
        name: hashlib.sha256(files[name].read_bytes()) for name in sorted(files) if files[name].suffix not in CACHES
    }
    return hashlib.sha256("".join(f"{kept[name].hexdigest()}  {name}\n" for name in kept).encode()).hexdigest()


def describe_plugin(made: object) -> str:
    """Name and short digest of the plug-in that an object's class comes from; empty for misread itself."""
    package = type(made).__module__.split(".")[0]
    if package == __name__.split(".")[0] or package not in installed_plugins():
        return ""
    return f"{package}@{digest_plugin(package)[:8]}"

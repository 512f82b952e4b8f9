"""Packages beside misread whose classes a configuration may name, and digests of their content.

A plug-in is an installed package that lists itself in an entry point group, or a module in a study's folder that the
study's configuration lists.
"""

import hashlib
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from misread.errors import UnknownNameError
from misread.provenance.stage_code import CACHES, Sources, list_code
from misread.provenance.study_modules import find_study_module, folder_of_study_module

ENTRY_POINTS: Final = "misread.plugins"
"""Entry point group in which a plug-in registers itself."""


def installed_plugins() -> set[str]:
    """Names of the registered plug-ins; none of them is imported."""
    return {point.name for point in entry_points(group=ENTRY_POINTS)}


def is_plugin(package: str) -> bool:
    """Whether classes of a package may be named: it is registered, or a module of the study that is in use."""
    return folder_of_study_module(package) is not None or package in installed_plugins()


def digest_plugin(package: str, root: Path = Path()) -> str:
    """SHA-256 of the names and contents of all files of a plug-in, without caches; `root` is the study's folder.

    Raises UnknownNameError if no such package is installed and registered, and no such module is in the folder.
    """
    return _digest_files(package, root.resolve())


@cache
def _digest_files(package: str, root: Path) -> str:
    installed = installed_plugins()
    own = find_study_module(package, root)
    if package in installed and (spec := find_spec(package)):
        roots = [Path(each) for each in spec.submodule_search_locations or ()]
        origin = Path(spec.origin) if spec.origin else None
    elif own:
        roots, origin = ([own], None) if own.is_dir() else ([], own)
    else:
        where = f"the entry point group {ENTRY_POINTS!r} and the study's folder"
        raise UnknownNameError("plug-in", package, installed, where=where)
    files = {path.relative_to(root).as_posix(): path for root in roots for path in root.rglob("*") if path.is_file()}
    if not roots and origin:
        files = {origin.name: origin}
    kept = {
        name: hashlib.sha256(files[name].read_bytes()) for name in sorted(files) if files[name].suffix not in CACHES
    }
    return hashlib.sha256("".join(f"{kept[name].hexdigest()}  {name}\n" for name in kept).encode()).hexdigest()


def describe_plugin(made: object) -> str:
    """Name and short digest of the plug-in that a function, or an object's class, comes from; empty for misread itself.

    Of a module of the study only what the class can use counts, so that a changed metric leaves the readings of an
    engine beside it as they are.
    """
    module = getattr(made, "__module__", None) or ""
    package = module.split(".")[0]
    if root := folder_of_study_module(package):
        digest = hashlib.sha256(list_code([module], Sources(root, package)).encode()).hexdigest()
    elif package == __name__.split(".")[0] or package not in installed_plugins():
        return ""
    else:
        digest = digest_plugin(package)
    return f"{package}@{digest[:8]}"

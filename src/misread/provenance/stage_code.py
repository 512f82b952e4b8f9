"""The code behind each stage, as a list of files with digests that DVC compares; of misread or of a study's module."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from misread.provenance.source_facts import ENDING, facts_of, keep_facts

CACHES: Final = {".pyc", ".nbi", ".nbc", ENDING}
"""Endings of files that are made of others."""


@dataclass(frozen=True)
class Sources:
    """Where the code of a package lies."""

    root: Path  # folder that the package lies in
    package: str


MISREAD: Final = Sources(Path(__file__).parents[2], __name__.split(".")[0])


def list_code(modules: Iterable[str], sources: Sources = MISREAD) -> str:
    """List all files of the package that run when these modules are used, as lines `SHA256  NAME` sorted by name.

    A package stands for all modules in it. Followed are imports anywhere in a file, names that a package loads when
    they are asked for, and modules that a call names; data files belong to the package that they lie in. Docstrings,
    comments and layout of a module do not count. Raises InputFileError, which names file and line, for a module that is
    not valid Python.
    """
    starts = {file for module in modules for file in _modules_of(module, sources)}
    code = _close(starts, sources)
    files = (*code, *_data_files(code, sources))
    named = {file.relative_to(sources.root).as_posix(): _digest(file, sources) for file in files}
    keep_facts()
    return "".join(f"{named[name]}  {name}\n" for name in sorted(named))


def _modules_of(name: str, sources: Sources) -> Iterator[Path]:
    """File of a module, or all files of modules in a package; __init__ files of the packages above it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        if file := _module_file(".".join(parts[:end]), sources):
            yield file
    yield from sources.root.joinpath(*parts).rglob("*.py")


@cache
def _module_file(name: str, sources: Sources) -> Path | None:
    """File of a module or package; None where there is none of that name."""
    path = sources.root.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def _digest(path: Path, sources: Sources) -> str:
    if path.suffix == ".py":
        return facts_of(path, sources.package).digest
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _imports_of(path: Path, sources: Sources) -> Iterator[tuple[str, list[str]]]:
    """Modules of the package that a file imports, wherever in it, and the names that it takes from them."""
    facts = facts_of(path, sources.package)
    for level, name, names in facts.imports:
        above = path.relative_to(sources.root).parts[:-level] if level else ()
        module = ".".join([*above, *filter(None, [name])])
        if module.split(".")[0] == sources.package:
            yield module, names
    # A text may name a module, and may be any other.
    yield from ((name, ["*"]) for name in facts.named if _module_file(name, sources))


def _lazy_homes(path: Path, names: list[str], sources: Sources) -> Iterator[str]:
    """Modules that a package loads when one of these names is asked for, by the stub beside its file."""
    stub = path.with_suffix(".pyi")
    package = ".".join(path.parent.relative_to(sources.root).parts)
    for _, module, loaded in facts_of(stub, sources.package).imports if stub.is_file() else ():
        if "*" in names or {*loaded} & {*names}:
            yield f"{package}.{module}"


def _resolve(module: str, names: list[str], sources: Sources) -> Iterator[Path]:
    """Files that run when names are imported from a module: its packages, itself, and where the names come from."""
    modules = [module, *(f"{module}.{name}" for name in names)]
    if found := _module_file(module, sources):
        modules += _lazy_homes(found, names, sources)
    for package in filter(None, (_module_file(f"{module}.{name}", sources) for name in names)):
        # Of a package that was imported as a whole, any name may be asked for.
        modules += _lazy_homes(package, ["*"], sources)
    above = {".".join(parts[: end + 1]) for parts in (each.split(".") for each in modules) for end in range(len(parts))}
    yield from filter(None, (_module_file(each, sources) for each in above))


def _close(files: set[Path], sources: Sources) -> set[Path]:
    """These files and every file of the package that they import, and these in turn."""
    found, waiting = set(files), list(files)
    while waiting:
        new = _imported_by(waiting.pop(), sources) - found
        found |= new
        waiting += new
    return found


@cache
def _imported_by(path: Path, sources: Sources) -> frozenset[Path]:
    """Files that run when a file is imported."""
    found = (_resolve(module, names, sources) for module, names in _imports_of(path, sources))
    return frozenset(chain.from_iterable(found))


def _data_files(modules: set[Path], sources: Sources) -> Iterator[Path]:
    """Files beside the modules that are not code."""
    packages = {file.parent for file in modules}
    yield from (path for path, home in _homes_of_data(sources) if home in packages)


@cache
def _homes_of_data(sources: Sources) -> list[tuple[Path, Path]]:
    """All files that are not code, each with the nearest package above it."""
    top = sources.root / sources.package
    return [
        (path, next((above for above in path.parents if (above / "__init__.py").is_file()), top))
        for path in top.rglob("*")
        if path.suffix not in {".py", *CACHES} and path.is_file()
    ]

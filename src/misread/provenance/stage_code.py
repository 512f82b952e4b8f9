"""The code behind each stage, as a list of files with digests that DVC compares; of misread or of a study's module."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from misread.errors import InputFileError
from misread.provenance.definitions import digest_syntax

CACHES: Final = {".pyc", ".nbi", ".nbc"}
"""Endings of files that are made of others."""
_HOLD_STATEMENTS: Final = (ast.stmt, ast.excepthandler, ast.match_case)


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
    named = {file.relative_to(sources.root).as_posix(): _digest(file) for file in (*code, *_data_files(code, sources))}
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
def _digest(path: Path) -> str:
    return digest_syntax(_parse(path)) if path.suffix == ".py" else hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _parse(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        place = f"{path}, line {error.lineno}" if isinstance(error, SyntaxError) else str(path)
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise InputFileError(f"{place}: not valid Python ({reason}).") from None


def _nodes(tree: ast.Module, kinds: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """All nodes of some kinds in some order, with what lies in them, but for those that only a type checker sees."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            waiting += node.orelse
        else:
            yield node
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, kinds)]


def _is_type_checking(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))


@cache
def _imports_of(path: Path, sources: Sources) -> list[tuple[str, list[str]]]:
    """Modules that a file imports, wherever in it, and the names that it takes from them."""
    found: list[tuple[str, list[str]]] = []
    # Nine of ten nodes are in expressions, in which only a text can name a module.
    texts = re.search(rf"""["']{re.escape(sources.package)}""", path.read_text(encoding="utf-8", errors="replace"))
    for node in _nodes(_parse(path), ast.AST if texts else _HOLD_STATEMENTS):
        if isinstance(node, ast.ImportFrom):
            above = path.relative_to(sources.root).parts[: -node.level] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            found.append((module, [alias.name for alias in node.names]))
        elif isinstance(node, ast.Import):
            found += ((alias.name, ["*"]) for alias in node.names)
        elif isinstance(node, ast.Call):
            # import_module("..."), or files("...") of importlib.resources
            named = (each.value for each in node.args if isinstance(each, ast.Constant))
            found += ((value, ["*"]) for value in named if isinstance(value, str) and _is_module(value, sources))
    return [(module, names) for module, names in found if module.split(".")[0] == sources.package]


def _is_module(word: str, sources: Sources) -> bool:
    """Whether a constant is the dotted name of a module of the package."""
    return re.fullmatch(r"\w+(\.\w+)+", word) is not None and _module_file(word, sources) is not None


def _lazy_homes(path: Path, names: list[str], sources: Sources) -> Iterator[str]:
    """Modules that a package loads when one of these names is asked for, by the stub beside its file."""
    stub = path.with_suffix(".pyi")
    package = ".".join(path.parent.relative_to(sources.root).parts)
    for node in _parse(stub).body if stub.is_file() else ():
        if isinstance(node, ast.ImportFrom) and ("*" in names or {alias.name for alias in node.names} & {*names}):
            yield f"{package}.{node.module}"


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

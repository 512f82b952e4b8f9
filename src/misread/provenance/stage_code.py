"""The code behind each stage, as a list of files with digests that DVC compares."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from misread.provenance.definitions import digest_syntax
from misread.provenance.plugins import CACHES

_PACKAGE: Final = __name__.split(".")[0]


def list_code(modules: Iterable[str]) -> str:
    """List all files of the package that run when these modules are used, as lines `SHA256  NAME` sorted by name.

    A package stands for all modules in it. Followed are imports anywhere in a file, names that a package loads when
    they are asked for, and modules that a call names; data files belong to the package that they lie in. Docstrings,
    comments and layout of a module do not count.
    """
    starts = {file for module in modules for file in _modules_of(module)}
    code = _close(starts)
    named = {file.relative_to(_root()).as_posix(): _digest(file) for file in (*code, *_data_files(code))}
    return "".join(f"{named[name]}  {name}\n" for name in sorted(named))


@cache
def _root() -> Path:
    """Folder that the package lies in."""
    return Path(__file__).parents[2]


def _modules_of(name: str) -> Iterator[Path]:
    """File of a module, or all files of modules in a package; __init__ files of the packages above it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        if file := _module_file(".".join(parts[:end])):
            yield file
    yield from _root().joinpath(*parts).rglob("*.py")


@cache
def _module_file(name: str) -> Path | None:
    """File of a module or package; None where there is none of that name."""
    path = _root().joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def _digest(path: Path) -> str:
    return digest_syntax(_parse(path)) if path.suffix == ".py" else hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but for those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for other in node.orelse:
                yield from _statements(other)
        else:
            yield node
            yield from _statements(node)


@cache
def _imports_of(path: Path) -> list[tuple[str, list[str]]]:
    """Modules that a file imports, wherever in it, and the names that it takes from them."""
    found: list[tuple[str, list[str]]] = []
    for node in _statements(_parse(path)):
        if isinstance(node, ast.ImportFrom):
            above = path.relative_to(_root()).parts[: -node.level] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            found.append((module, [alias.name for alias in node.names]))
        elif isinstance(node, ast.Import):
            found += ((alias.name, ["*"]) for alias in node.names)
        elif isinstance(node, ast.Call):
            # import_module("..."), or files("...") of importlib.resources
            named = (each.value for each in node.args if isinstance(each, ast.Constant))
            found += ((value, []) for value in named if isinstance(value, str) and _is_module(value))
    return [(module, names) for module, names in found if module.split(".")[0] == _PACKAGE]


def _is_module(word: object) -> bool:
    """Whether a constant is the dotted name of a module of the package."""
    return isinstance(word, str) and re.fullmatch(r"\w+(\.\w+)+", word) is not None and _module_file(word) is not None


def _lazy_homes(path: Path, names: list[str]) -> Iterator[str]:
    """Modules that a package loads when one of these names is asked for, by the stub beside its file."""
    stub = path.with_suffix(".pyi")
    package = ".".join(path.parent.relative_to(_root()).parts)
    for node in _parse(stub).body if stub.is_file() else ():
        if isinstance(node, ast.ImportFrom) and ("*" in names or {alias.name for alias in node.names} & {*names}):
            yield f"{package}.{node.module}"


def _resolve(module: str, names: list[str]) -> Iterator[Path]:
    """Files that run when names are imported from a module: its packages, itself, and where the names come from."""
    parts = module.split(".")
    modules = [".".join(parts[: end + 1]) for end in range(len(parts))] + [f"{module}.{name}" for name in names]
    if found := _module_file(module):
        modules += _lazy_homes(found, names)
    yield from filter(None, map(_module_file, modules))


def _close(files: set[Path]) -> set[Path]:
    """These files and every file of the package that they import, and these in turn."""
    found, waiting = set(files), list(files)
    while waiting:
        new = {file for module, names in _imports_of(waiting.pop()) for file in _resolve(module, names)} - found
        found |= new
        waiting += new
    return found


def _data_files(modules: set[Path]) -> Iterator[Path]:
    """Files beside the modules that are not code: each belongs to the nearest package above it."""
    packages = {file.parent for file in modules}
    for path in (_root() / _PACKAGE).rglob("*"):
        if path.is_file() and path.suffix not in {".py", *CACHES}:
            home = next(above for above in path.parents if (above / "__init__.py").is_file())
            if home in packages:
                yield path

"""Packages of misread that a stage's code can reach, followed through every import wherever it stands in a file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src"


def reached_packages(modules: Iterable[str]) -> set[str]:
    """Folders and files below src/misread that these modules, or all modules of these packages, can run."""
    waiting = {file for module in modules for file in _files_of(module)}
    closure: set[Path] = set()
    while waiting:
        path = waiting.pop()
        closure.add(path)
        waiting |= _imported(path) - closure
    return {path.relative_to(SOURCES / "misread").parts[0] for path in closure}


def _files_of(module: str) -> Iterator[Path]:
    """The file of a module, or all files of a package, with those of the packages above."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        if file := _file(".".join(parts[:end])):
            yield file
    yield from SOURCES.joinpath(*parts).rglob("*.py")


@cache
def _file(module: str) -> Path | None:
    path = SOURCES.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def _imported(path: Path) -> frozenset[Path]:
    """Files that run when a file does what it can: those of modules, names and packages that it imports."""
    homes = [home for module, names in imports_of(path) for home in (module, *homes_of(module, names))]
    parts = {tuple(home.split(".")[:end]) for home in homes for end in range(1, home.count(".") + 2)}
    return frozenset(filter(None, (_file(".".join(names)) for names in parts)))


def homes_of(module: str, names: list[str]) -> Iterator[str]:
    """Modules from which imported names of a module may come: its submodules, and those that it loads late."""
    yield from (f"{module}.{name}" for name in names)
    if (file := _file(module)) and (stub := file.with_suffix(".pyi")).is_file():
        listed = _imports(stub, ".".join(file.parent.relative_to(SOURCES).parts))
        yield from (home for home, loaded in listed if {*loaded} & {*names} or "*" in names)


def imports_of(path: Path) -> Sequence[tuple[str, list[str]]]:
    """Modules of misread that a file imports, and the names that it takes from them, but for type checkers."""
    return _imports(path, ".".join(path.relative_to(SOURCES).parent.parts))


@cache
def _imports(path: Path, package: str) -> Sequence[tuple[str, list[str]]]:
    imports = []
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            module, names = node.names[0].name, ["*"]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            # import_module("..."), or files("...") of importlib.resources
            module, names = str(node.args[0].value), ["*"]
            if not module.startswith("misread.") or not _file(module):
                continue
        else:
            continue
        if module.split(".")[0] == "misread":
            imports.append((module, names))
    return imports

"""Test files that cover a module: those of its own name, those that import it, those of what imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = "misread"


class Covering:
    """Finds test files by what they import, wherever the name is exported from."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._source = root / "src"
        self._modules = {self._name(path): path for path in sorted(self._source.rglob("*.py"))}
        self._tests = {path: self._used(path) for path in sorted((root / "tests").rglob("test_*.py"))}
        self._importers: dict[str, set[str]] = {}
        for name, path in self._modules.items():
            for used in self._used(path):
                self._importers.setdefault(used, set()).add(name)

    def rings(self, module: str, *, far: bool) -> Iterator[list[str]]:
        """Test files in the order in which to run them, nearest first, as paths below the root; none twice.

        Those of what imports the module are asked only where no test file has its name or imports it, or with `far`,
        and then all others in the folder of its package as well.
        """
        path = self._source / PACKAGE / module
        name = self._name(path)
        folder = self._root / "tests" / Path(module).parent
        seen: set[Path] = set()
        of_package = f"test_{folder.name}.py"
        near = {folder / f"test_{path.stem}.py", folder / of_package, folder.parent / of_package}
        importers = self._importers.get(name, set())
        rings = (
            [path, *sorted(near & self._tests.keys())],
            [test for test, used in self._tests.items() if name in used],
            [test for test, used in self._tests.items() if importers & used and self._is_near(test, module)],
            [test for test in self._tests if far and test.parent == folder],
        )
        for number, ring in enumerate(rings):
            new = [test for test in ring if test not in seen]
            if number == 2 and len(seen) > 1 and not far:
                return
            seen.update(new)
            if new:
                yield [test.relative_to(self._root).as_posix() for test in new]

    def _is_near(self, test: Path, module: str) -> bool:
        return test.relative_to(self._root / "tests").parts[0] == module.split("/")[0]

    def _name(self, path: Path) -> str:
        parts = path.relative_to(self._source).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _used(self, path: Path) -> set[str]:
        """Modules that define the names which a file imports, and the modules that it imports as such."""
        used = set()
        for node in ast.walk(_parse(path)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == PACKAGE:
                used |= {self._definer(node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names if alias.name.split(".")[0] == PACKAGE}
        # Attributes of the package itself: `misread.evaluate(...)`.
        if PACKAGE in used:
            names = {node.attr for node in ast.walk(_parse(path)) if isinstance(node, ast.Attribute)}
            used |= {self._definer(PACKAGE, name) for name in names & self._exports(PACKAGE).keys()}
        return used

    def _definer(self, module: str, name: str, depth: int = 0) -> str:
        """Module that a name comes from, through the packages that only hand it on."""
        if f"{module}.{name}" in self._modules:
            return f"{module}.{name}"
        source = self._exports(module).get(name)
        if source is None or source == module or depth > 4:
            return module
        return self._definer(source, name, depth + 1)

    def _exports(self, module: str) -> Mapping[str, str]:
        path = self._modules.get(module)
        return {} if path is None or path.name != "__init__.py" else _handed_on(path, module)


@cache
def _handed_on(path: Path, package: str) -> Mapping[str, str]:
    stub = path.with_suffix(".pyi")
    return {
        alias.asname or alias.name: f"{package}.{node.module}" if node.level else node.module
        for node in ast.walk(_parse(stub if stub.exists() else path))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())

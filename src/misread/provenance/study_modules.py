"""Modules in a study's folder that its configuration lists: found there by their names, and nowhere else."""

import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from misread.errors import ConfigurationError


class _StudyFinder(MetaPathFinder):
    """Finds the modules in use; no other file of their folders can be imported."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        folder = self.folders.get(fullname) if path is None else None
        return None if folder is None else PathFinder.find_spec(fullname, [str(folder)], target)


_finder = _StudyFinder()


def find_study_module(name: str, root: Path) -> Path | None:
    """A package or module of this name in a study's folder; None where there is none."""
    if not name.isidentifier():
        return None
    if (root / name).is_dir() and any((root / name).rglob("*.py")):
        return root / name
    return next((path for path in [root / f"{name}.py"] if path.is_file()), None)


def use_study_modules(names: Iterable[str], root: Path) -> None:
    """Let those of these modules be imported that are in a study's folder.

    Raises ConfigurationError if one has the name of an installed package or of Python's own library: it would be
    imported in its place, or never.
    """
    root = root.resolve()
    for name in names:
        if find_study_module(name, root) is None or _finder.folders.get(name) == root:
            continue
        elsewhere = [path for path in sys.path if Path(path).resolve() != root]
        found = PathFinder.find_spec(name, elsewhere)
        if name in sys.stdlib_module_names or (found and found.origin):
            raise ConfigurationError(
                f"plugins: {name!r} in {root} has the name of a package that is installed; rename its folder or file, "
                "and its name in conf/."
            )
        # A study that was opened before, in the same process, may have a module of this name.
        for loaded in [each for each in sys.modules if each.split(".")[0] == name]:
            del sys.modules[loaded]
        _finder.folders[name] = root
    if _finder.folders and _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def folder_of_study_module(name: str) -> Path | None:
    """Folder of the study whose module of this name is in use; None for any other name."""
    return _finder.folders.get(name)


def study_modules_in_use() -> dict[str, Path]:
    """Folders of studies by the names of their modules in use; another process needs them to find the same."""
    return dict(_finder.folders)

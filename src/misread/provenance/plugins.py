"""Plug-ins of a study: installed packages, its own modules and programs; their import and digests."""

import hashlib
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, TypeVar

from misread.errors import ConfigurationError, MisreadError, UnknownNameError
from misread.provenance.digests import digest_definition, digest_file
from misread.provenance.environment import unchanged_process

Made = TypeVar("Made")

STUDY: Final = Path("src/study")
"""Folder of a study's own code, the package `study`; the stage `check` notes its digest."""

_CACHES: Final = {".pyc", ".nbi", ".nbc"}


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
    """Make the modules of these names that are in a study's folder importable.

    Raises ConfigurationError if one has the name of an installed package or of Python's own library: it would be
    imported in its place, or never.
    """
    root = root.resolve()
    for name in names:
        if find_study_module(name, root) is None or _finder.folders.get(name) == root:
            continue
        elsewhere = [path for path in sys.path if Path(path).resolve() != root]
        spec = PathFinder.find_spec(name, elsewhere)
        if name in sys.stdlib_module_names or (spec and spec.origin):
            raise ConfigurationError(
                f"plugins: {name!r} in {root} has the name of a package that is installed; rename its folder or file, "
                "and its name in conf/."
            )
        # A study that was opened before, in the same process, may have a module of this name.
        for loaded in [module for module in sys.modules if module.split(".")[0] == name]:
            del sys.modules[loaded]
        _finder.folders[name] = root
    if _finder.folders and _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def folder_of_study_module(name: str) -> Path | None:
    """Folder of the study whose module of this name is in use; None for any other name."""
    return _finder.folders.get(name)


def study_modules_in_use() -> dict[str, Path]:
    """Folders of studies by the names of their modules in use, for another process to import the same modules."""
    return dict(_finder.folders)


ENTRY_POINTS: Final = "misread.plugins"
"""Entry point group in which a plug-in registers itself."""


def installed_plugins() -> set[str]:
    """Names of the registered plug-ins; none of them is imported."""
    return {point.name for point in entry_points(group=ENTRY_POINTS)}


def is_plugin(package: str) -> bool:
    """Whether classes of a package may be named: it is registered, or a module of the study that is in use."""
    return folder_of_study_module(package) is not None or package in installed_plugins()


@cache
def digest_plugin(package: str) -> str:
    """SHA-256 of the names and contents of all files of an installed plug-in, without caches.

    Raises UnknownNameError if no such package is installed and registered.
    """
    installed = installed_plugins()
    spec = find_spec(package) if package in installed else None
    if spec is None:
        raise UnknownNameError("plug-in", package, installed, where=f"the entry point group {ENTRY_POINTS!r}")
    return digest_code(*map(Path, spec.submodule_search_locations or [str(spec.origin)]))


def digest_code(*paths: Path) -> str:
    """SHA-256 of the names and contents of files, or of all files in folders, without caches."""
    files = {
        path.relative_to(root if root.is_dir() else root.parent).as_posix(): path
        for root in paths
        for path in (root.rglob("*") if root.is_dir() else [root])
        if path.is_file() and path.suffix not in _CACHES
    }
    return _digest_files(files)


def _digest_files(files: Mapping[str, Path]) -> str:
    listed = "".join(f"{digest_file(files[name])}  {name}\n" for name in sorted(files))
    return hashlib.sha256(listed.encode()).hexdigest()


def describe_plugin(made: object) -> str:
    """Name and short digest of the plug-in that a function, or an object's class, comes from; empty for misread itself.

    In a module of the study only what the class can use counts, its code and other files next to the module,
    so that a changed metric does not affect the readings of an engine.
    """
    module = getattr(made, "__module__", None) or ""
    package = module.split(".")[0]
    if folder_of_study_module(package):
        definition = made if isinstance(made, FunctionType | type) else type(made)
        folder = Path(str(sys.modules[module].__file__)).parent
        data_files = {path.name: path for path in folder.iterdir() if path.is_file() and path.suffix != ".py"}
        digest = hashlib.sha256(f"{digest_definition(definition)} {_digest_files(data_files)}".encode()).hexdigest()
    elif package == __name__.split(".")[0] or package not in installed_plugins():
        return ""
    else:
        digest = digest_plugin(package)
    return f"{package}@{digest[:8]}"


def import_plugin(module: str) -> ModuleType | None:
    """Import a module of a plug-in; None where there is none of this name.

    Raises ConfigurationError, with file and line, if its code fails or ends the process, and without a line if it
    changes the working directory, the locale, standard output or error.
    """
    package = module.split(".")[0]
    with unchanged_process(f"plug-in {package}"):
        try:
            return import_module(module)
        except MisreadError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001  the code of others
            if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
                return None
            raise ConfigurationError(
                f"plug-in {package} cannot be imported: {_place(error)}{_reason(error)}."
            ) from None


def find_function(name: str) -> Callable[..., Any]:
    """A plug-in's function, by its dotted name; raises ConfigurationError if it is not a function of a plug-in."""
    package = name.split(".")[0]
    function = _look_up(name)
    if not isinstance(function, FunctionType) or function.__module__.split(".")[0] != package:
        raise ConfigurationError(f"{name!r} is not a function of {package}.")
    return function


def find_object(name: str, kind: type[Made], *, where: str = "") -> Made:
    """A plug-in's object of a class, by its dotted name; raises ConfigurationError if it is not one of a plug-in.

    `where` is the place of the name, for the message.
    """
    attribute = _look_up(name, where)
    if not isinstance(attribute, kind):
        expected = "class" if kind is type else kind.__name__
        location = f"{where}: " if where else ""
        raise ConfigurationError(f"{location}{name!r} is not a {expected} of {name.split('.')[0]}.")
    return attribute


def _look_up(name: str, where: str = "") -> object:
    """Attribute of a plug-in by its dotted name; None if there is none. `where` is for the message."""
    module, _, attribute = name.rpartition(".")
    package = module.split(".")[0]
    if not is_plugin(package):
        raise ConfigurationError(
            f"{f'{where}: ' if where else ''}{name!r} is not of a plug-in: list {package!r} in the setting plugins, or "
            "correct the name."
        )
    return getattr(sys.modules.get(module) or import_plugin(module), attribute, None)


def find_text_function(name: str) -> Callable[..., str]:
    """A plug-in's function from text to text, as `find_function` does; what it returns is checked.

    Raises ConfigurationError whenever it returns anything but text.
    """
    function = find_function(name)

    @wraps(function)
    def checked(text: str, **settings: Any) -> str:
        changed = function(text, **settings)
        if not isinstance(changed, str):
            raise ConfigurationError(f"{name} returned {changed!r} for {text!r}, expected text.")
        return changed

    return checked


def _place(error: BaseException) -> str:
    """File and line where an import failed: the last line that is neither misread's nor Python's."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}: "
    own = str(Path(__file__).parents[1])
    outside = (own, "<frozen", str(Path(traceback.__file__).parent))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(outside)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}: " if frames else ""


def _reason(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"it ends the process (status {error.code})"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}".rstrip(": .")


PROGRAMS: Final = Path("conf/programs")
"""Folder of the programs that systems run; the stage `check` notes its digest."""


def digest_program(argument: Path) -> str:
    """SHA-256 of a file in the folder of programs, or of all files of the subfolder that holds it."""
    inside = argument.relative_to(PROGRAMS)
    if len(inside.parts) == 1 and argument.is_file():
        return digest_file(argument)
    files = (path for path in (PROGRAMS / inside.parts[0]).rglob("*") if path.is_file())
    return _digest_files({path.as_posix(): path for path in files if "__pycache__" not in path.parts})

"""Import of plug-ins: what fails names file and line, and what changes the process is refused."""

import sys
import traceback
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from misread.errors import ConfigurationError, MisreadError
from misread.provenance.plugins import is_plugin
from misread.provenance.process_state import unchanged_process

_OWN = __name__.split(".")[0]


def import_plugin(module: str) -> ModuleType | None:
    """Import a module of a plug-in; None where there is none of this name.

    Raises ConfigurationError, with file and line, if its code fails or ends the process, and without a line if it
    changes the working directory, the locale, standard output or error, or misread itself.
    """
    package = module.split(".")[0]
    is_new = module not in sys.modules
    with unchanged_process(f"plug-in {package}"):
        try:
            found = import_module(module)
        except MisreadError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001  the code of others
            if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
                return None
            raise ConfigurationError(
                f"plug-in {package} cannot be imported: {_place(error)}{_reason(error)}."
            ) from None
    if is_new and (replaced := sorted(set(_replaced_by(package)))):
        raise ConfigurationError(
            f"plug-in {package} replaces {', '.join(replaced)}: results of misread itself would change without a word; "
            "make a class of your own and name it in conf/."
        )
    return found


def find_function(name: str) -> Callable[..., Any]:
    """A plug-in's function, by its dotted name; raises ConfigurationError if it is not a function of a plug-in."""
    module, _, attribute = name.rpartition(".")
    package = module.split(".")[0]
    if not is_plugin(package):
        raise ConfigurationError(
            f"{name!r} is not of a plug-in: list {package!r} in the setting plugins, or correct the name."
        )
    function = getattr(sys.modules.get(module) or import_plugin(module), attribute, None)
    if not isinstance(function, FunctionType) or function.__module__.split(".")[0] != package:
        raise ConfigurationError(f"{name!r} is not a function of {package}.")
    return function


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


def _replaced_by(package: str) -> Iterator[str]:
    """Names in misread that stand for something of a plug-in: module variables, attributes of classes, entries."""
    for name, module in list(sys.modules.items()):
        if module is None or name.split(".")[0] != _OWN:
            continue
        for key, value in list(vars(module).items()):
            if _comes_from(package, value):
                yield f"{name}.{key}"
            elif isinstance(value, type) and value.__module__ == name:
                yield from (f"{name}.{key}.{each}" for each, of in vars(value).items() if _comes_from(package, of))
            elif isinstance(value, dict):
                yield from (f"{name}.{key}[{each!r}]" for each, of in list(value.items()) if _comes_from(package, of))


def _comes_from(package: str, value: object) -> bool:
    inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
    module = getattr(inner, "__module__", None)
    return isinstance(module, str) and module.split(".")[0] == package

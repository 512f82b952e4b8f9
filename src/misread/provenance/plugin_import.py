"""Import of plug-ins: what fails names file and line, and what changes the process is refused."""

import sys
import traceback
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from misread.errors import ConfigurationError, MisreadError
from misread.provenance.plugins import is_plugin
from misread.provenance.process_state import unchanged_process


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

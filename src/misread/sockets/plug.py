"""What a list of a socket holds: the place of a class or function, which is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.sockets.names import changed_settings, make_id, read_name, write_name
from misread.sockets.setting_values import default_settings, fit_settings


@dataclass(frozen=True)
class Plug:
    """A class or function, given by the name of its module and its own, with its settings."""

    module: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def given(self, **settings: Any) -> Plug:
        """Return the same plug with these settings."""
        return replace(self, settings=settings)

    def load(self) -> Any:
        """Import the module and return the class or function."""
        return getattr(import_module(self.module), self.name)


def load_named(name: str, kind: str, listed: Mapping[str, Plug], *, where: str = "") -> Any:
    """Look up a name in the list of a socket, or a dotted name in a plug-in.

    Raises UnknownNameError if the list has no such name, and ConfigurationError if there is no such class of a plug-in.
    """
    if "." in name:
        from misread.provenance.plugins import find_object

        return find_object(name, type, where=where)
    check_choice(kind, name, listed, where=where)
    return listed[name].load()


def make_named(text: str, kind: str, base: type[Any], listed: Mapping[str, Plug], *, example: str, where: str) -> Any:
    """Make an object from a name in a list or a plug-in, with the settings and the id in the name.

    Raises as `load_named`; UnknownNameError if there is no such setting, and ConfigurationError if the name is
    misspelt, a value does not fit, or the class is not one of `base`.
    """
    own_id, name, settings, _ = read_name(text, kind, example=example)
    made_of = load_named(name, kind, listed, where=where)
    if not issubclass(made_of, base):
        raise ConfigurationError(f"{name!r} is not a {kind}, a class of {base.__module__}.{base.__name__}.")
    defaults = {setting: value for setting, value in default_settings(made_of).items() if setting not in ("id", "name")}
    changed = changed_settings(fit_settings(made_of, settings, where=name), defaults, name)
    return made_of(
        own_id or make_id(name, changed),
        **changed,
        name=write_name(name, changed) if changed or own_id or "." in name else "",
    )

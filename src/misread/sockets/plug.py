"""What a list of a socket holds: the place of a class or function, which is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice


@dataclass(frozen=True)
class Plug:
    """A class or function by the names of its module and of itself, with settings for it."""

    module: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def given(self, **settings: Any) -> Plug:
        """The same with these settings."""
        return replace(self, settings=settings)

    def load(self) -> Any:
        """Import the module, and give the class or function."""
        return getattr(import_module(self.module), self.name)


def load_named(name: str, kind: str, listed: Mapping[str, Plug], *, where: str = "") -> Any:
    """What the list of a socket has under a name or, as MODULE:NAME, what a plug-in has.

    Raises UnknownNameError if the list has no such name, and ConfigurationError if there is no such plug-in or name.
    """
    module, colon, attribute = name.partition(":")
    if not colon:
        check_choice(kind, name, listed, where=where)
        return listed[name].load()
    from misread.provenance.plugins import import_plugin, is_plugin

    package = module.split(".")[0]
    if not is_plugin(package):
        raise ConfigurationError(
            f"{kind} {name!r} is not of a plug-in: list {package!r} in the setting plugins, or correct the name."
        )
    found = getattr(import_plugin(module), attribute, None)
    if found is None:
        raise ConfigurationError(f"{kind} {name!r}: there is no {attribute!r} in {module}.")
    return found

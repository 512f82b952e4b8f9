"""Entries of a socket's list: classes and functions by place, imported on use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from misread.errors import Catalogue, ConfigurationError, InputFileError
from misread.io.checks.choices import check_choice
from misread.io.names import NameWithSettings, changed_settings, make_id, write_name
from misread.io.setting_values import default_settings, fit_settings, require_all

_CATALOGUES: Final[Mapping[str, Catalogue]] = {"metric": "metrics", "view": "views"}


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


def load_class(name: str, kind: str, base: type[Any], listed: Mapping[str, Plug], *, where: str = "") -> Any:
    """Load the class of a name in the list of a socket, or `module.Class` of a plug-in.

    Raises UnknownNameError if the list has no such name, and ConfigurationError if a plug-in has no such class, or the
    class does not inherit `base`.
    """
    module = name.rpartition(".")[0]
    if name in listed or not module:
        check_choice(kind, name, listed, where=where, catalogue=_CATALOGUES.get(kind))
        made_of = listed[name].load()
    else:
        from misread.provenance.plugins import find_object

        made_of = find_object(name, type, where=where)
    if not issubclass(made_of, base):
        location = f"{where}: {name}" if where else name
        package = base.__module__.rpartition(".")[0]
        raise ConfigurationError(f"{location} is not a {kind}: it does not inherit {package}.{base.__name__}.")
    return made_of


def file_settings(made_of: type[Any], settings: Mapping[str, Any]) -> dict[str, str]:
    """Those settings that are paths of files, which a class reads."""
    files = getattr(made_of, "files", ())
    return {setting: value for setting, value in settings.items() if setting in files and isinstance(value, str)}


def make_named(
    spelled: NameWithSettings,
    kind: str,
    base: type[Any],
    listed: Mapping[str, Plug],
    *,
    own_id: str | None = None,
    where: str = "",
    root: Path = Path(),
) -> Any:
    """Make an object of a name in a list or a plug-in, with the settings and the id in the name, or another id.

    Files are looked for in `root`. Raises as `load_class`; UnknownNameError if there is no such setting,
    ConfigurationError if a value does not fit, and InputFileError if a file cannot be read.
    """
    name = spelled.name
    location = f"{where}: {name}" if where else name
    made_of = load_class(name, kind, base, listed, where=where)
    taken, own = default_settings(made_of), listed[name].settings if name in listed else {}
    defaults = {setting: value for setting, value in {**taken, **own}.items() if setting not in ("id", "name")}
    for setting in spelled.settings:
        check_choice("setting", setting, defaults, where=location)
    paths = file_settings(made_of, spelled.settings)
    values = {setting: value for setting, value in spelled.settings.items() if setting not in paths}
    changed = changed_settings(fit_settings(made_of, values, where=location), defaults, location)
    files = {setting: root / path for setting, path in paths.items()}
    chosen_id = own_id or spelled.own_id or make_id(name, dict(sorted({**changed, **paths}.items())))
    try:
        read = {setting: made_of.read_file(setting, path) for setting, path in files.items()}
        shown = write_name(name, changed, files) if changed or files or chosen_id != name else ""
    except InputFileError as error:
        raise InputFileError(f"{location}: {error}") from None
    settings = {**own, **changed, **fit_settings(made_of, read, where=location)}
    require_all({**defaults, **settings}, location)
    # A class of a plug-in may take neither an id nor a name.
    settings |= {setting: value for setting, value in (("id", chosen_id), ("name", shown)) if setting in taken}
    try:
        made = made_of(**settings)
    except TypeError as error:
        # What a class does not annotate is checked by nothing but its own code.
        raise ConfigurationError(f"{location}: a setting is of the wrong type ({error}).") from None
    if made.id != chosen_id:
        raise ConfigurationError(f"{location} calls itself {made.id!r}; let the class take the id {chosen_id!r}.")
    return made

"""Objects made from sections of a configuration, and from nothing else.

A section with `_target_` names a class of misread, of an installed package that lists itself in the entry point group
`misread.plugins`, or of a module in the study's folder that its setting `plugins` lists; it is called with the
section's other settings by keyword. Nothing else is ever imported or called, so that a params.yaml from somebody else
cannot run code of its choice.
"""

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

from misread.errors import ConfigurationError, MisreadError, spell_as_key
from misread.io.checks.choices import check_choice
from misread.io.checks.settings import check_types
from misread.io.names import bare_name
from misread.provenance.plugins import ENTRY_POINTS, import_plugin, installed_plugins, is_plugin

Made = TypeVar("Made")

OWN = __name__.split(".")[0]


def instantiate(section: Any, *, where: str, key: str | None = None, others: Sequence[str] = ()) -> object:
    """Make the object that a section describes: `_target_`, the dotted name of a class, and its settings.

    A class that takes an `id` gets the key of the section; `others` are settings that may be in such
    a section and were taken out, for messages. Raises ConfigurationError if the target is not a class of an allowed
    package, or the settings do not fit it; `where` is the section's place, for the message.
    """
    if not isinstance(section, Mapping) or not isinstance(section.get("_target_"), str):
        raise ConfigurationError(f"{where}: expected settings with a _target_, got {section!r}.")
    target = find_class(section["_target_"], where)
    settings = {key: _nested(value, f"{where}.{key}") for key, value in section.items() if key != "_target_"}
    called = f" ({section['_target_']})"
    made: object = make(target, settings, where=where, called=called, key=key, others=others)
    return made


def make(
    target: type[Made],
    settings: Any,
    *,
    where: str,
    called: str = "",
    key: str | None = None,
    others: Sequence[str] = (),
) -> Made:
    """Call a class with settings that fit it, or name those that do not."""
    if not isinstance(settings, Mapping):
        raise ConfigurationError(f"{where}: expected settings, got {settings!r}.")
    try:
        parameters = inspect.signature(target).parameters
    except ValueError:
        raise ConfigurationError(f"{where}{called}: {target.__name__} is not a class that takes settings.") from None
    if key is not None and "id" in parameters:
        if "id" in settings:
            raise ConfigurationError(f"{where}: the id is {key!r}, its key; leave `id` out.")
        settings = {**settings, "id": key}
    for name in settings:
        check_choice("setting", name, [*parameters, *others], where=f"{where}{called}")
    lacking = [name for name, known in parameters.items() if known.default is known.empty and name not in settings]
    if lacking:
        raise ConfigurationError(f"{where}{called}: no {', '.join(lacking)} given.")
    settings = check_types(target, settings, where=where)
    try:
        return target(**settings)
    except TypeError as error:
        # What a class does not annotate is checked by nothing but its own code.
        raise ConfigurationError(f"{where}{called}: a setting is of the wrong type ({error}).") from None
    except MisreadError as error:
        # The command that runs may have an option of the same name.
        error.spelling = spell_as_key
        raise


def _nested(value: Any, where: str) -> Any:
    if isinstance(value, Mapping):
        if "_target_" in value:
            return instantiate(value, where=where)
        return {key: _nested(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [_nested(item, f"{where}[{position}]") for position, item in enumerate(value)]
    return value


def find_class(target: str, where: str) -> type[Any]:
    """The class of this dotted name, defined in misread or in a plug-in."""
    module_name, _, class_name = target.rpartition(".")
    package = module_name.split(".")[0]
    if package != OWN and not is_plugin(package):
        allowed = sorted({OWN, *installed_plugins()})
        raise ConfigurationError(
            f"{where}: _target_ {target!r} is not allowed; only classes of {', '.join(allowed)} are "
            f"(an installed package lists itself in the entry point group {ENTRY_POINTS!r}; a module in the study's "
            "folder is listed in the setting plugins)."
        )
    try:
        module = import_module(module_name) if package == OWN else import_plugin(module_name)
        made_of = getattr(module, class_name)
    except (ImportError, AttributeError):
        raise ConfigurationError(f"{where}: there is no {target!r}.") from None
    # A module of ours may hold names that it imported: a class counts only where it was defined.
    if not isinstance(made_of, type) or made_of.__module__.split(".")[0] != package:
        raise ConfigurationError(f"{where}: _target_ {target!r} is not a class of {package}.")
    return made_of


def modules_of(section: Any) -> set[str]:
    """Modules of all classes, functions, formats, steps, views and sections of plug-ins that a section names."""
    values = section.values() if isinstance(section, Mapping) else section if isinstance(section, list) else ()
    settings = ("_target_", "function", "format", "hypothesis_format")
    names = [*map(section.get, settings), *_steps(section), *_views(section)] if isinstance(section, Mapping) else []
    bare = [bare_name(name) for name in names if isinstance(name, str)]
    own = {name.rpartition(".")[0] for name in bare if "." in name}
    return own.union(*map(modules_of, values))


def _steps(section: Mapping[str, Any]) -> list[Any]:
    """Steps that a section lists, some as mappings with the name as `step`."""
    listed = (section.get(setting) for setting in ("steps", "extraction", "normalizer", "tokens"))
    steps = [step for steps in listed if isinstance(steps, list) for step in steps]
    return [step.get("step") if isinstance(step, Mapping) else step for step in steps]


def _views(section: Mapping[str, Any]) -> list[str]:
    """Views and sections that a section lists."""
    listed = (section.get(setting) for setting in ("views", "sections"))
    return [name for names in listed if isinstance(names, list) for name in names if isinstance(name, str)]

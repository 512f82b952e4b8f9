"""A normalizer as an option names it: by a name, by a file, or by its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from misread.cli.options import split_list, use_own_module
from misread.errors import InputFileError, SettingError, UnknownNameError, setting

if TYPE_CHECKING:
    from misread.normalize import Normalizer

_KEYS = {"name", "steps"}
_YAML = (".yaml", ".yml")


def make_normalizer(spelled: str) -> Normalizer:
    """Make the normalizer that an option names.

    It is the name of a built-in one; the path of a YAML file with a list of steps, or with `name` and `steps`; or the
    steps themselves: names joined by commas, or a list in brackets as a configuration has it.

    Raises
    ------
    UnknownNameError
        If there is no such normalizer or step.
    ConfigurationError
        If a step cannot be used.
    InputFileError
        If the file, or a list in brackets, cannot be read or holds something else.
    """
    from misread.normalize import PROFILES, get_normalizer
    from misread.normalize.steps import STEPS

    if several := list_normalizers(spelled):
        raise SettingError("normalizer", spelled, f"one normalizer, not {len(several)}: `misread score` compares them")
    if spelled in PROFILES:
        return get_normalizer(spelled)
    if spelled.lstrip().startswith("["):
        from misread.io.yaml_files import parse_yaml

        steps = parse_yaml(spelled, setting("normalizer"))
        if not _are_steps(steps):
            raise SettingError("normalizer", spelled, "names of steps, or mappings with `step` and settings")
        return _make("steps", steps)
    if spelled.endswith(_YAML) or "/" in spelled:
        return _read_file(Path(spelled))
    if spelled in STEPS or "," in spelled or "." in spelled:
        return _make("steps", split_list(spelled, option=setting("normalizer")))
    raise UnknownNameError("normalizer", spelled, PROFILES, where=setting("normalizer"), catalogue="normalizers")


def list_normalizers(spelled: str) -> list[str]:
    """Names or files of several normalizers that the option lists; none where it names one, or steps.

    Raises
    ------
    ConfigurationError
        If normalizers and steps are mixed, or one is named twice or is unknown.
    """
    from misread.normalize import PROFILES
    from misread.normalize.steps import STEPS

    if "," not in spelled or spelled.lstrip().startswith("["):
        return []
    names = split_list(spelled, option=setting("normalizer"))
    normalizers = [name for name in names if name in PROFILES or name.endswith(_YAML)]
    if len(names) < 2 or {*normalizers} <= {*STEPS}:
        return []
    for name in names:
        if name not in (*normalizers, *STEPS) and "." not in name:
            raise UnknownNameError("normalizer", name, PROFILES, where=setting("normalizer"), catalogue="normalizers")
        if name not in normalizers:
            raise SettingError("normalizer", spelled, f"normalizers, or steps such as {name}, not both")
    return names


def describe_normalizer(normalizer: Normalizer) -> str | dict[str, Any]:
    """Name of a built-in normalizer, or name and steps, from which it can be made again."""
    from misread.normalize import PROFILES

    if normalizer.name in PROFILES:
        return normalizer.name
    return {"name": normalizer.name, "steps": list(normalizer.steps)}


def _make(name: str, steps: Sequence[str | Mapping[str, Any]]) -> Normalizer:
    from misread.normalize import Normalizer

    for step in steps:
        use_own_module(step if isinstance(step, str) else str(step.get("step", "")))
    return Normalizer(name, steps)


def _read_file(path: Path) -> Normalizer:
    from misread.io.yaml_files import read_yaml
    from misread.normalize import PROFILES

    read = read_yaml(path)
    described = read if isinstance(read, dict) else {"name": path.stem, "steps": read}
    name, steps = described.get("name"), described.get("steps")
    if described.keys() != _KEYS or not isinstance(name, str) or not _are_steps(steps):
        raise InputFileError(f"{path}: expected a list of steps, or a mapping with the keys name and steps.")
    if name in PROFILES:
        raise InputFileError(f"{path}: {name!r} is the name of a built-in normalizer; choose another.")
    return _make(name, steps)


def _are_steps(read: object) -> TypeGuard[list[str | dict[str, Any]]]:
    return isinstance(read, list) and all(isinstance(step, str | dict) for step in read)

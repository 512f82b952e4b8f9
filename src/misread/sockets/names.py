"""Names with settings, `NAME(SETTING=VALUE, ...)`: read and written by the same functions, whatever they name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.text import read_text

_NAMED: Final = re.compile(r"(?:([a-z0-9_]+)=)?([\w.]+)\((.*)\)|([a-z0-9_]+)=([\w.]+)", re.DOTALL)
_WORDS: Final[Mapping[str, object]] = {"true": True, "false": False, "null": None}


class NameWithSettings(NamedTuple):
    """What stands in a name: the id before `=`, the name itself, its settings; plain without brackets and id."""

    own_id: str | None
    name: str
    settings: Mapping[str, Any]
    is_plain: bool = False


def read_name(text: str, kind: str, *, example: str) -> NameWithSettings:
    """Read a name; raises ConfigurationError, with an example, if it has brackets or `=` and is not of the form."""
    text = text.strip()
    named = _NAMED.fullmatch(text)
    if named is None:
        if "(" in text or "=" in text:
            raise _misspelt(text, kind, example)
        return NameWithSettings(None, text, {}, is_plain=True)
    settings: dict[str, Any] = {}
    for part in split_names(named[3] or ""):
        setting, equals, value = (side.strip() for side in part.partition("="))
        if not (setting and equals and value) or setting in settings:
            raise _misspelt(text, kind, example)
        settings[setting] = _read_value(value)
    return NameWithSettings(named[1] or named[4], named[2] or named[5], settings)


def bare_name(text: str) -> str:
    """A name without the id before it and the settings after it."""
    return text.partition("(")[0].rpartition("=")[2].strip()


def write_name(name: str, settings: Mapping[str, Any], files: tuple[str, ...] = ()) -> str:
    """A name with its settings, of which `files` are shown by the name and the beginning of the digest of each."""
    shown = ",".join(f"{setting}={_show(value, setting in files)}" for setting, value in settings.items())
    return f"{name}({shown})" if shown else name


def make_id(name: str, settings: Mapping[str, Any]) -> str:
    """An id of the name and of its settings: words by themselves, numbers after the name of their setting."""
    return "_".join([name, *(_id_part(setting, value) for setting, value in settings.items())])


def changed_settings(settings: Mapping[str, Any], defaults: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Settings that are not as the name alone has them, sorted; raises UnknownNameError if there is no such setting."""
    for setting in settings:
        check_choice("setting", setting, defaults, where=name)
    # 1 is no spelling of true.
    return {
        setting: value
        for setting, value in sorted(settings.items())
        if (type(value), value) != (type(defaults[setting]), defaults[setting])
    }


def split_names(text: str) -> list[str]:
    """Names that commas join, which may have commas in brackets and in quotes."""
    names, depth, quote = [""], 0, ""
    for sign in text:
        if sign in "\"'":
            quote = sign if not quote else "" if sign == quote else quote
        elif not quote:
            depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0 and not quote:
            names.append("")
        else:
            names[-1] += sign
    return [name.strip() for name in names if name.strip()]


def _misspelt(text: str, kind: str, example: str) -> ConfigurationError:
    return ConfigurationError(
        f"{kind} {text!r}: expected NAME(SETTING=VALUE, ...), each setting once, such as {example}."
    )


def _read_value(text: str) -> Any:
    """A list in square brackets, true, false, null or a number; all else is text, and so is what is in quotes."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return [_read_value(entry) for entry in split_names(text[1:-1])]
    if text in _WORDS:
        return _WORDS[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _show(value: object, is_file: bool) -> str:
    """A value as it stands in a name; of a file its name and the beginning of its digest."""
    if is_file:
        path = Path(str(value))
        return f"{path.name}@{hashlib.sha256(read_text(path).encode()).hexdigest()[:8]}"
    if isinstance(value, list):
        return f"[{','.join(_show(entry, False) for entry in value)}]"
    words = {known: word for word, known in _WORDS.items()}
    return words[value] if isinstance(value, bool) or value is None else str(value)


def _id_part(setting: str, value: object) -> str:
    """What a setting adds to the id: a word, or its own name before a number."""
    if isinstance(value, list):
        return "_".join(_id_part(setting, entry) for entry in value)
    text = Path(value).stem if isinstance(value, str) else f"{setting}_{_show(value, False)}"
    return re.sub(r"[^a-z0-9_]+", "_", text.lower()).strip("_")

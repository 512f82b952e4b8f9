"""Names with settings, `NAME(SETTING=VALUE, ...)`: read and written by the same functions, whatever they name."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.setting_values import default_settings
from misread.io.text import read_text

_NAMED: Final = re.compile(r"(?:([a-z0-9_]+)\s*=)?\s*([\w.]+)\s*\((.*)\)|([a-z0-9_]+)\s*=\s*([\w.]+)", re.DOTALL)
_BEHIND: Final = re.compile(r"(.+?)\((\s*[a-z_]+\s*=.*)\)", re.DOTALL)
_WORDS: Final[Mapping[str, object]] = {"true": True, "false": False, "null": None}
_BRACKETS: Final = frozenset("()[]{}'\"")
_SIGNS: Final = _BRACKETS | frozenset(",:=")


class NameWithSettings(NamedTuple):
    """Parts of a name: the id before `=`, the name itself and its settings; plain if it has neither."""

    own_id: str | None
    name: str
    settings: Mapping[str, Any]
    is_plain: bool = False


def read_name(text: str, kind: str, *, example: str, where: str = "") -> NameWithSettings:
    """Read a name; raises ConfigurationError, with an example, if it has brackets or `=` and is not of the form.

    Values are words and numbers, lists in square brackets, names with values in braces, and text in quotes, where a
    doubled quote means itself.
    """
    text = text.strip()
    match = _NAMED.fullmatch(text)
    if match is None:
        if "(" in text or "=" in text:
            raise _misspelt(text, kind, example, where)
        return NameWithSettings(None, text, {}, is_plain=True)
    try:
        settings = _read_settings(match[3] or "")
    except (ValueError, RecursionError):
        raise _misspelt(text, kind, example, where) from None
    return NameWithSettings(match[1] or match[4], match[2] or match[5], settings)


def split_settings(text: str, kind: str, *, example: str) -> tuple[str, dict[str, Any]]:
    """The name of a file and the settings in brackets behind it; raises as `read_name`."""
    match = _BEHIND.fullmatch(text.strip())
    if match is None:
        return text, {}
    try:
        return match[1].strip(), _read_settings(match[2])
    except (ValueError, RecursionError):
        raise _misspelt(text, kind, example, "") from None


def _read_settings(text: str) -> dict[str, Any]:
    """Settings with their values; ValueError if one has no value or is there twice, or brackets do not fit."""
    settings: dict[str, Any] = {}
    for part in split_names(text):
        setting, equals, value = (side.strip() for side in part.partition("="))
        if not (setting and equals and value) or setting in settings:
            raise ValueError(part)
        settings[setting] = _read_value(value)
    return settings


def bare_name(text: str) -> str:
    """Return a name without its id and settings."""
    return text.partition("(")[0].rpartition("=")[2].strip()


def write_name(name: str, settings: Mapping[str, Any], files: Mapping[str, Path] | None = None) -> str:
    """A name with its settings, sorted; `files` are shown by the name and the beginning of the digest of each."""
    values = {setting: _show(value) for setting, value in settings.items()}
    values |= {setting: _show_file(path) for setting, path in (files or {}).items()}
    shown = ",".join(f"{setting}={value}" for setting, value in sorted(values.items()))
    return f"{name}({shown})" if shown else name


def make_id(name: str, settings: Mapping[str, Any]) -> str:
    """An id of the name and of its settings: words by themselves, numbers after the name of their setting."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.rpartition(".")[2]).lower()
    return "_".join([words, *(_id_part(setting, value) for setting, value in settings.items())])


def changed_settings(settings: Mapping[str, Any], defaults: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the settings that differ from the defaults, sorted; raises UnknownNameError for an unknown setting."""
    for setting in settings:
        check_choice("setting", setting, defaults, where=name)
    # 1 is no spelling of true; a list is one of a tuple.
    return {
        setting: value
        for setting, value in sorted(settings.items())
        if (type(value), value) != (type(defaults[setting]), defaults[setting])
        and not (isinstance(value, list) and isinstance(defaults[setting], tuple) and value == [*defaults[setting]])
    }


def split_names(text: str) -> list[str]:
    """Names that commas join, which may have commas in brackets and in quotes."""
    return [part for part in _split(text, ",") if part]


def _split(text: str, separator: str) -> list[str]:
    """Parts of a text between separators, but for those in brackets and in quotes."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if sign in "\"'":
            quote = sign if not quote else "" if sign == quote else quote
        elif not quote:
            depth += (sign in "([{") - (sign in ")]}")
        if sign == separator and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _misspelt(text: str, kind: str, example: str, where: str) -> ConfigurationError:
    return ConfigurationError(
        f"{f'{where}: ' if where else ''}{kind} {text!r}: expected NAME(SETTING=VALUE, ...), each setting once, "
        f"such as {example}."
    )


def _read_value(text: str) -> Any:
    """A value of a setting; ValueError where brackets and quotes do not fit."""
    inside = text[1:-1]
    match text[0], text[-1]:
        case ('"' | "'") as quote, _:
            if len(text) < 2 or text[-1] != quote or quote in inside.replace(2 * quote, ""):
                raise ValueError(text)
            return inside.replace(2 * quote, quote)
        case "[", "]":
            return [_read_value(entry) for entry in split_names(inside)]
        case "{", "}":
            return _read_pairs(inside)
    if _BRACKETS & {*text}:
        raise ValueError(text)
    if text in _WORDS:
        return _WORDS[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _read_pairs(text: str) -> dict[str, Any]:
    """Names with values, `a:1,b:2`; a name is text, whatever it looks like."""
    pairs: dict[str, Any] = {}
    for entry in split_names(text):
        key, *rest = _split(entry, ":")
        name = str(_read_value(key)) if key[:1] in ("'", '"') else key
        if not (key and any(rest)) or (name == key and _BRACKETS & {*key}) or name in pairs:
            raise ValueError(text)
        pairs[name] = _read_value(":".join(rest))
    return dict(sorted(pairs.items()))


def _show(value: object) -> str:
    """A value as written in a name; of an object its settings that are not the default ones."""
    if is_dataclass(value) and not isinstance(value, type):
        defaults = default_settings(type(value))
        value = changed_settings({name: getattr(value, name) for name in defaults}, defaults, type(value).__name__)
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{_show_text(str(name))}:{_show(part)}' for name, part in sorted(value.items()))}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_show, value))}]"
    if isinstance(value, bool) or value is None:
        return next(word for word, known in _WORDS.items() if known is value)
    if isinstance(value, float):
        # There is no negative zero among whole numbers.
        return repr(value + 0.0).removesuffix(".0")
    return _show_text(value) if isinstance(value, str) else str(value)


def _show_text(text: str) -> str:
    """Text, in quotes where it would be read as anything else."""
    if text and text == text.strip() and not _SIGNS & {*text} and _read_value(text) == text:
        return text
    quote = "'" if '"' in text else '"'
    return f"{quote}{text.replace(quote, 2 * quote)}{quote}"


def _show_file(path: Path) -> str:
    return _show_text(f"{path.name}@{_digest(read_text(path))}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _id_part(setting: str, value: object) -> str:
    """Addition of a setting to the id: a word, or its own name before a number or a digest of what has no letters."""
    if isinstance(value, list | tuple):
        return "_".join(_id_part(setting, entry) for entry in value)
    text = Path(value).stem if isinstance(value, str) else f"{setting}_{_show(value)}"
    letters = re.sub(r"[^a-z0-9_]+", "_", text.lower()).strip("_")
    is_word = letters and not isinstance(value, Mapping) and not is_dataclass(value)
    return letters if is_word else f"{setting}_{_digest(_show(value))}"

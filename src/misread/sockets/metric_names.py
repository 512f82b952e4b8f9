"""Metrics by name, with settings in the name: `wer`, `wer(alignment=sclite)`, `wer_sclite=wer(alignment=sclite)`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.text import read_text
from misread.metrics.base import Metric
from misread.sockets.metrics import METRICS, NAMES, check_beside
from misread.sockets.plug import Plug

_NAMED: Final = re.compile(r"(?:([a-z0-9_]+)=)?([a-z0-9_]+)\((.*)\)|([a-z0-9_]+)=([a-z0-9_]+)", re.DOTALL)
_WORDS: Final[Mapping[str, object]] = {"true": True, "false": False, "null": None}


def get_metric(text: str) -> Metric:
    """Make the metric of a name, which may have settings in brackets and, before `=`, an id of one's own.

    Settings are those of its class; one that is what it would be anyway is left out of the name. Without an id of its
    own, a metric with settings has one made of its name and them.

    Raises
    ------
    UnknownNameError
        If there is no metric or setting of the name.
    ConfigurationError
        If a name with brackets is not NAME(SETTING=VALUE, ...), or a value does not fit.

    Examples
    --------
    >>> get_metric("wer(alignment=sclite)").id
    'wer_sclite'
    >>> get_metric("wer(alignment=unit)") == METRICS["wer"]
    True
    """
    if not isinstance(text, str):
        check_choice("metric", text, NAMES)
    text = text.strip()
    named = _NAMED.fullmatch(text)
    if named is None and ("(" in text or "=" in text):
        raise _misspelt(text)
    own_id, name, inside = (named[1] or named[4], named[2] or named[5], named[3] or "") if named else (None, text, "")
    check_choice("metric", name, NAMES)
    if named is None and name in METRICS:
        return METRICS[name]
    plug = NAMES[name]
    kind = plug.load()
    changed = _changed_settings(_read_settings(inside, text), name, kind, plug)
    settings = {**plug.settings, **kind.read_settings(changed)}
    if name not in METRICS and not changed.keys() & {*kind.files}:
        raise ConfigurationError(f"{name} means nothing without a setting: {name}({kind.files[0]}=FILE).")
    if changed:
        from misread.io.checks.settings import check_types

        check_types(kind, settings, where=name)
    shown = ",".join(f"{setting}={_show(value, setting in kind.files)}" for setting, value in changed.items())
    if own_id is None:
        own_id = "_".join([name, *(_id_part(setting, value) for setting, value in changed.items())])
    if not changed and own_id == name:
        return METRICS[name]
    made: Metric = kind(own_id, **settings, name=f"{name}({shown})" if changed else name)
    return made


def get_metrics(texts: Sequence[str]) -> list[Metric]:
    """Make the metrics of several names, in their order; raises as `get_metric`, and where two have one id."""
    chosen = [get_metric(text) for text in texts]
    ids = [metric.id for metric in chosen]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"metric {twice!r} is named twice; once is enough, and ID=NAME gives one another id.")
    check_beside(chosen)
    return chosen


def split_names(text: str) -> list[str]:
    """Names of metrics that commas join, which may have commas in brackets and in quotes."""
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


def _read_settings(inside: str, text: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for part in split_names(inside):
        setting, equals, value = (side.strip() for side in part.partition("="))
        if not (setting and equals and value) or setting in settings:
            raise _misspelt(text)
        settings[setting] = _read_value(value)
    return settings


def _changed_settings(given: Mapping[str, Any], name: str, kind: type[Metric], plug: Plug) -> dict[str, Any]:
    """Settings that are not as the name alone has them, sorted."""
    defaults = {
        setting.name: plug.settings.get(setting.name, None if setting.default is MISSING else setting.default)
        for setting in fields(kind)
        if setting.name not in ("id", "name")
    }
    for setting in given:
        check_choice("setting", setting, defaults, where=name)
    # 1 is no spelling of true.
    return {
        setting: value
        for setting, value in sorted(given.items())
        if (type(value), value) != (type(defaults[setting]), defaults[setting])
    }


def _misspelt(text: str) -> ConfigurationError:
    return ConfigurationError(
        f"metric {text!r}: expected NAME(SETTING=VALUE, ...), each setting once, such as wer(alignment=sclite)."
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

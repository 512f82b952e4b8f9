"""Metrics by name, with settings in the name: `wer`, `wer(alignment=sclite)`, `wer_sclite=wer(alignment=sclite)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choice
from misread.metrics.base import Metric
from misread.sockets.metrics import METRICS, NAMES, check_beside
from misread.sockets.names import NameWithSettings, changed_settings, make_id, read_name, write_name
from misread.sockets.plug import load_named
from misread.sockets.setting_values import default_settings, fit_settings, require_all

_ID: Final = re.compile(r"[a-z0-9_]+")
_OWN: Final = __name__.partition(".")[0]
_EXAMPLE: Final = "wer(alignment=sclite)"


def get_metric(text: str, metric_id: str | None = None, *, where: str = "", root: Path = Path()) -> Metric:
    """Make the metric of a name, which may have settings in brackets and, before `=`, an id of one's own.

    Parameters
    ----------
    text : str
        Such as `wer`, `wer(alignment=sclite)`, `mine=teds(content=false)`, or the dotted name of a class of a plug-in,
        `study.metrics.DeletionRate(unit=char)`. Values are words and numbers, lists in square brackets, names with
        values in braces, and text in quotes. Settings are those of its class; one that is what it would be anyway is
        left out of the name.
    metric_id : str, optional
        The id; the name has none of its own then. Without either, a metric with settings has one made of its name and
        them.
    where : str, optional
        Where the name stands, for messages.
    root : Path, optional
        Folder in which files that settings name are looked for; by default the working folder. The name shows a file's
        own name and the beginning of its SHA-256.

    Raises
    ------
    UnknownNameError
        If there is no metric or setting of the name, or a setting has a value that is none of its choices.
    ConfigurationError
        If a name with brackets is not NAME(SETTING=VALUE, ...), a value does not fit, an id cannot be used, or a dotted
        name is that of no metric of a plug-in.
    InputFileError
        If a file that a setting names cannot be read.

    Examples
    --------
    >>> get_metric("wer(alignment=sclite)").id
    'wer_sclite'
    >>> get_metric("wer(alignment=unit)") == METRICS["wer"]
    True
    >>> get_metric("field_f1(rules={total:{compare:number}})", "totals").rules["total"].compare
    'number'
    """
    if not isinstance(text, str):
        check_choice("metric", text, NAMES, where=where)
    if text in METRICS and metric_id in (None, text):
        return METRICS[text]
    if metric_id is not None and not (isinstance(metric_id, str) and _ID.fullmatch(metric_id)):
        raise ConfigurationError(
            f"{f'{where}: ' if where else ''}id {metric_id!r} of metric {text!r} cannot be used: ids are made of a-z, "
            "0-9 and _."
        )
    spelled = read_name(text, "metric", example=_EXAMPLE, where=where)
    if metric_id is not None and spelled.own_id is not None:
        raise ConfigurationError(
            f"{where or text}: the id is {metric_id!r}; leave `{spelled.own_id}=` out of {text!r}."
        )
    return _make(spelled, metric_id or spelled.own_id, where, root)


def get_metrics(texts: Sequence[str]) -> list[Metric]:
    """Make the metrics of several names, in their order; raises as `get_metric`, and where two have one id."""
    chosen = [get_metric(text) for text in texts]
    ids = [metric.id for metric in chosen]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"metric {twice!r} is named twice; once is enough, and ID=NAME gives one another id.")
    check_beside(chosen)
    return chosen


def files_of_metric(text: str, *, where: str = "") -> list[str]:
    """Paths of the files that the settings in a name are, as they stand there."""
    spelled = read_name(text, "metric", example=_EXAMPLE, where=where)
    kind = _load(spelled.name, where)
    return [value for setting, value in sorted(spelled.settings.items()) if _is_file(kind, setting, value)]


def _make(spelled: NameWithSettings, metric_id: str | None, where: str, root: Path) -> Metric:
    name = spelled.name
    kind = _load(name, where)
    location = f"{where}: {name}" if where else name
    own = NAMES[name].settings if name in NAMES else {}
    defaults = {
        setting: value for setting, value in {**default_settings(kind), **own}.items() if setting not in ("id", "name")
    }
    for setting in spelled.settings:
        check_choice("setting", setting, defaults, where=location)
    paths = {setting: value for setting, value in spelled.settings.items() if _is_file(kind, setting, value)}
    values = {setting: value for setting, value in spelled.settings.items() if setting not in paths}
    changed = changed_settings(fit_settings(kind, values, where=location), defaults, location)
    if name in NAMES and name not in METRICS and not {*changed, *paths} & {*kind.files}:
        raise ConfigurationError(f"{location} means nothing without a setting: {name}({kind.files[0]}=FILE).")
    metric_id = metric_id or make_id(name, dict(sorted({**changed, **paths}.items())))
    if not changed and not paths and metric_id == name:
        return METRICS[name]
    files = {setting: root / path for setting, path in paths.items()}
    try:
        read = {setting: kind.read_file(setting, path) for setting, path in files.items()}
        shown = write_name(name, changed, files)
    except InputFileError as error:
        raise InputFileError(f"{location}: {error}") from None
    settings = {**own, **changed, **fit_settings(kind, read, where=location)}
    require_all({**defaults, **settings}, location)
    return _call(kind, {"id": metric_id, "name": shown}, settings, location)


def _call(kind: type[Metric], names: dict[str, str], settings: dict[str, Any], location: str) -> Metric:
    """Make a metric of its class; one of a plug-in may take neither an id nor a name."""
    taken = default_settings(kind)
    settings = {**settings, **{name: value for name, value in names.items() if name in taken}}
    try:
        made: Metric = kind(**settings)
    except TypeError as error:
        # What a class does not annotate is checked by nothing but its own code.
        raise ConfigurationError(f"{location}: a setting is of the wrong type ({error}).") from None
    if made.id != names["id"]:
        raise ConfigurationError(f"{location} calls itself {made.id!r}; let the class take the id {names['id']!r}.")
    return made


def _load(name: str, where: str) -> type[Metric]:
    """Class of the metric of a name."""
    location = f"{where}: {name}" if where else name
    if name.partition(".")[0] == _OWN:
        raise ConfigurationError(f"{location}: metrics of {_OWN} are named without their module, such as wer.")
    kind: type[Any] = load_named(name, "metric", NAMES, where=where)
    if not issubclass(kind, Metric):
        raise ConfigurationError(f"{location} is not a metric: it does not inherit misread.metrics.Metric.")
    return kind


def _is_file(kind: type[Metric], setting: str, value: object) -> bool:
    """Whether a value in a name is that of a file, which a setting takes."""
    return setting in kind.files and isinstance(value, str)

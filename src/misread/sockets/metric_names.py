"""Metrics by name, with settings in the name: `wer`, `wer(alignment=sclite)`, `wer_sclite=wer(alignment=sclite)`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.names import read_name
from misread.metrics.base import Metric
from misread.sockets.metrics import METRICS, NAMES, require_companions
from misread.sockets.plug import file_settings, load_class, make_named

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
        Place of the name, for messages.
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
        check_choice("metric", text, NAMES, where=where, catalogue="metrics")
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
    name, location = spelled.name, f"{where}: {spelled.name}" if where else spelled.name
    if name.partition(".")[0] == _OWN:
        raise ConfigurationError(f"{location}: metrics of {_OWN} are named without their module, such as wer.")
    if name in NAMES and name not in METRICS and not file_settings(NAMES[name].load(), spelled.settings):
        setting = NAMES[name].load().files[0]
        raise ConfigurationError(f"{location} means nothing without a setting: {name}({setting}=FILE).")
    metric: Metric = make_named(spelled, "metric", Metric, NAMES, own_id=metric_id, where=where, root=root)
    return metric


def get_metrics(texts: Sequence[str]) -> list[Metric]:
    """Make the metrics of several names, in their order; raises as `get_metric`, and where two have one id."""
    chosen = [get_metric(text) for text in texts]
    ids = [metric.id for metric in chosen]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"metric {twice!r} is named twice; once is enough, and ID=NAME gives one another id.")
    require_companions(chosen)
    return chosen


def files_of_metric(text: str, *, where: str = "") -> list[str]:
    """Paths of the files among the settings of a name, as written there."""
    spelled = read_name(text, "metric", example=_EXAMPLE, where=where)
    paths = file_settings(load_class(spelled.name, "metric", Metric, NAMES, where=where), spelled.settings)
    return [path for _, path in sorted(paths.items())]

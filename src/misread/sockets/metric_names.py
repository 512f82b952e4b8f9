"""Metrics by name, with settings in the name: `wer`, `wer(alignment=sclite)`, `wer_sclite=wer(alignment=sclite)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.metrics.base import Metric
from misread.sockets.metrics import METRICS, NAMES, check_beside
from misread.sockets.names import changed_settings, make_id, read_name, write_name
from misread.sockets.plug import Plug


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
    own_id, name, given, is_plain = read_name(text, "metric", example="wer(alignment=sclite)")
    check_choice("metric", name, NAMES)
    if is_plain and name in METRICS:
        return METRICS[name]
    plug = NAMES[name]
    kind = plug.load()
    changed = changed_settings(given, _defaults(kind, plug), name)
    settings = {**plug.settings, **kind.read_settings(changed)}
    if name not in METRICS and not changed.keys() & {*kind.files}:
        raise ConfigurationError(f"{name} means nothing without a setting: {name}({kind.files[0]}=FILE).")
    if changed:
        from misread.io.checks.settings import check_types

        check_types(kind, settings, where=name)
    if own_id is None:
        own_id = make_id(name, changed)
    if not changed and own_id == name:
        return METRICS[name]
    made: Metric = kind(own_id, **settings, name=write_name(name, changed, kind.files))
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


def _defaults(kind: type[Metric], plug: Plug) -> dict[str, Any]:
    """Settings of a class as a name without brackets has them."""
    return {
        setting.name: plug.settings.get(setting.name, None if setting.default is MISSING else setting.default)
        for setting in fields(kind)
        if setting.name not in ("id", "name")
    }

"""Metrics as configurations of earlier versions have them: a list of ids, and settings of some under the same ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from misread.errors import ConfigurationError
from misread.pipeline.instantiation import OWN, find_class
from misread.pipeline.moved_names import name_today
from misread.sockets.metrics import NAMES
from misread.sockets.names import changed_settings, write_name
from misread.sockets.setting_values import default_settings


def in_present_form(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a configuration, or a part of one, with its metrics as names by id; names by id stay as they are.

    Raises ConfigurationError for settings of a metric that no name can have.
    """
    listed, configured = content.get("metrics"), content.get("configured_metrics") or {}
    if not isinstance(listed, list) or not isinstance(configured, Mapping):
        return content
    names = {
        metric_id: _name_of(metric_id, configured[metric_id]) if metric_id in configured else metric_id
        for metric_id in listed
    }
    return {**{section: part for section, part in content.items() if section != "configured_metrics"}, "metrics": names}


def _name_of(metric_id: str, settings: Any) -> str:
    """The name of a metric that stood under this id, of a class or, where none is named, as the built-in one."""
    if not isinstance(settings, Mapping):
        raise ConfigurationError(f"configured_metrics.{metric_id} is {settings!r}, expected settings.")
    target, others = settings.get("_target_"), _without_targets(settings)
    if target is None:
        return write_name(metric_id, others)
    target = name_today(str(target))
    if target.partition(".")[0] != OWN:
        return write_name(target, others)
    kind = find_class(target, f"configured_metrics.{metric_id}")
    defaults = default_settings(kind)
    spelled = {
        name: changed_settings({**defaults, **others}, {**defaults, **plug.settings}, name)
        for name, plug in NAMES.items()
        if plug.name == kind.__name__
    }
    if not spelled:
        raise ConfigurationError(f"configured_metrics.{metric_id}: no metric has the class {target}.")
    # The name that leaves the least to say; of several the first.
    name = min(spelled, key=lambda candidate: len(spelled[candidate]))
    return write_name(name, spelled[name])


def _without_targets(section: Any) -> Any:
    """Settings in which the classes of objects are left out: annotations say which they are."""
    if isinstance(section, Mapping):
        return {name: _without_targets(part) for name, part in section.items() if name != "_target_"}
    return [_without_targets(part) for part in section] if isinstance(section, list) else section

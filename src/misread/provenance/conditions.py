"""Conditions under which a server answered: summed up over readings, shown, and compared between captures.

A server that batches what it is asked may answer the same question differently at another concurrency, even at
temperature 0. Conditions are provenance: nothing is asked again because of them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

CONCURRENCY: Final = "concurrency"
BATCH_SIZE: Final = "batch size"
SERVER_VERSION: Final = "server version"
SERVED_MODEL: Final = "served model"
LANGUAGE: Final = "language"

_UNKNOWN: Final = "unknown"
_DATE: Final = re.compile(r"[-@](?:\d{4}-?\d\d-?\d\d|\d{4})")
_MOST: Final = 20
# What every server has, known or not; few tell a batch size.
_OF_SERVERS: Final = (CONCURRENCY, SERVER_VERSION)

Conditions = Mapping[str, Sequence[str]]
"""Values of all readings by the name of the condition, each once: numbers first, in their order, "unknown" last."""


@dataclass
class ConditionsTally:
    """Collects the conditions of readings as they come."""

    _values: dict[str, set[int | str | None]] = field(default_factory=dict)

    def add(self, conditions: Mapping[str, int | str | None]) -> None:
        """Add the conditions of a reading; None is unknown."""
        for name, value in conditions.items():
            self._values.setdefault(name, set()).add(value)

    def summed_up(self, *, of_server: bool) -> dict[str, list[str]]:
        """Conditions that some reading has, and with a server also concurrency and version that none has."""
        return {
            name: _list(values)
            for name, values in self._values.items()
            if values != {None} or (of_server and name in _OF_SERVERS)
        }


def _list(values: set[int | str | None]) -> list[str]:
    """Values in their order; a server may call itself otherwise in each answer, so that only some are listed."""
    listed = [_UNKNOWN if value is None else str(value) for value in sorted(values, key=_rank)]
    more = len(listed) - _MOST
    return listed if more <= 0 else [*listed[:_MOST], f"{more:,} more"]


def _rank(value: int | str | None) -> tuple[bool, bool, int, str]:
    return value is None, isinstance(value, str), value if isinstance(value, int) else 0, str(value)


def say_other_models(conditions: Conditions, asked: str) -> str:
    """One sentence on models that answered in place of the one asked for; empty if there are none.

    A dated snapshot is the model that its name was asked for.
    """
    others = [
        model for model in conditions.get(SERVED_MODEL, ()) if model != _UNKNOWN and not _is_snapshot(model, asked)
    ]
    return (
        f"Model {asked} was asked, and the server says that {', '.join(others)} answered." if asked and others else ""
    )


def _is_snapshot(model: str, asked: str) -> bool:
    """Whether it is the model asked for, by its name alone or with a date, whoever provides it."""
    name = asked.rpartition("/")[2].removesuffix("-latest")
    model = model.rpartition("/")[2]
    return model == name or (model.startswith(name) and _DATE.fullmatch(model.removeprefix(name)) is not None)


def show_conditions(conditions: Conditions) -> dict[str, str]:
    """Each condition in words: its value, or "mixed 4, 16" if readings have several."""
    return {name: f"mixed {', '.join(values)}" if len(values) > 1 else values[0] for name, values in conditions.items()}


def say_differences(conditions: Mapping[str, Conditions], *, same_system: bool = False) -> str:
    """One sentence on conditions that differ between captures, by their labels, or within one; empty if none do.

    Unknown conditions differ from nothing. Servers of two systems may well have two versions and models, so that these
    are compared within a capture, and between captures of the same system alone. Of the same system, captures that are
    mixed alike do not differ.
    """
    names = dict.fromkeys(chain.from_iterable(conditions.values()))
    differing = [
        f"{name} ({'; '.join(f'{label} {shown}' for label, shown in labels.items())})"
        for name in names
        # The language in which a recording was read is its own.
        if name != LANGUAGE and (labels := _differing(name, conditions, same_system=same_system))
    ]
    if not differing:
        return ""
    return (
        f"Asked under different conditions: {', '.join(differing)}. Answers of a model may depend on them; "
        "a system for each of them, with runs: 2, shows by how much."
    )


def _differing(name: str, conditions: Mapping[str, Conditions], *, same_system: bool) -> dict[str, str]:
    """Values of a condition by label, in words, if they differ."""
    values = {
        label: [value for value in known.get(name, ()) if value != _UNKNOWN] for label, known in conditions.items()
    }
    known = {label: own for label, own in values.items() if own}
    if same_system:
        differs = len({tuple(own) for own in known.values()}) > 1
    else:
        if name in (SERVER_VERSION, SERVED_MODEL):
            known = {label: own for label, own in known.items() if len(own) > 1}
        differs = len(set(chain.from_iterable(known.values()))) > 1
    return {label: show_conditions({name: own})[name] for label, own in known.items()} if differs else {}

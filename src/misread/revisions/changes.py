"""Changes between two revisions beside the results: settings, engines, data, version."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from misread.records import Scores

# Where results lie and how they are shown or made faster changes no number.
_WITHOUT_EFFECT = ("report", "executor", "data_root")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs; None where a side does not have it."""

    kind: str  # "params", "code", "plug-in", "file", "engine", "data", "normalizer" or "version"
    name: str  # dotted key of the setting, module, file, or what the value belongs to
    before: str | None
    after: str | None
    group: str = ""  # one of many: the stages that run the module, or the data set that the file belongs to


def params_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Settings of params.yaml that differ, leaf by leaf, sorted by key; those that change no number are left out."""
    old, new = dict(_leaves(before)), dict(_leaves(after))
    return [
        Change("params", key, old.get(key), new.get(key))
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key) and key.split(".")[0] not in _WITHOUT_EFFECT
    ]


def origin_changes(system: str, before: Scores, after: Scores) -> list[Change]:
    """What differs between two captures of one system: versions of the engine, and the data it read."""
    old, new = before.origin.engine, after.origin.engine
    changes = [
        Change("engine", f"{system}.{name}", old.get(name), new.get(name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    facts = (
        ("data", after.origin.dataset, before.origin.data_digest[:8], after.origin.data_digest[:8]),
        ("normalizer", after.origin.dataset, before.normalizer, after.normalizer),
        ("version", "misread", _version(before), _version(after)),
    )
    return [*changes, *(Change(kind, name, one, other) for kind, name, one, other in facts if one != other)]


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{prefix}{key}.")
        elif value is not None:
            # A setting without a value is as good as none: an older configuration does not know it yet.
            yield f"{prefix}{key}", str(value)


def _version(scores: Scores) -> str:
    return next((signature.facts.get("v", "") for signature in scores.signatures.values()), "")

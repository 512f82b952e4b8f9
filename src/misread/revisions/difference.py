"""The difference between two revisions as frozen records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from misread.revisions.changes import Change
from misread.stats import ConfidenceInterval

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made", bound="DataclassInstance")

RevisionVerdict = Literal["improved", "regressed", "equivalent", "inconclusive", "unchanged"]

Outcome = Literal["regression", "incomplete", "improvement", "cannot tell", "no significant change", "unchanged"]

Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDifference:
    """One metric of one system, before and after; rates are fractions."""

    dataset: str
    system: str
    metric: str
    before: float | None
    after: float | None
    difference: float | None
    # Interval of the paired difference, of the kind that `method` names; None if there are too few data.
    interval: ConfidenceInterval | None = None
    pvalue: float | None = None  # None if no segment changed and nothing was tested
    pvalue_adjusted: float | None = None
    verdict: RevisionVerdict  # "unchanged": no count of any segment differs
    reason: str  # the verdict in one sentence
    # Numbers of segments, or clusters of sums, by the change of their rate.
    better: int = 0
    same: int
    worse: int = 0
    can_tell: bool  # False if inconclusive because no p-value below the level could be reached


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSided:
    """Something that only one side has and that is therefore not compared."""

    side: Side  # gone ("before") or new ("after")
    name: str  # as shown: "system pero", "wer of pero on das22", "20 segments of lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """One of the segments that changed most, with its texts if they could be read."""

    segment_id: str
    system: str
    errors_before: int
    errors_after: int
    reference: str | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetDifference:
    """Differences of all systems on one data set."""

    dataset: str
    row: Literal["segment", "cluster"]  # paired units: clusters where Git has only their sums
    segments: int
    cluster_name: str
    clusters: int | None  # None if segments are treated as independent
    # Segments and systems that only one side has; they are not compared.
    only_before: int
    only_after: int
    systems_before: Sequence[str]
    systems_after: Sequence[str]
    differences: Sequence[SystemDifference]
    movers: Sequence[Mover]  # by the metric `movers_metric`, largest change first
    movers_metric: str
    notes: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionDifference:
    """All differences between two revisions."""

    # Names of the revisions.
    before: str
    after: str
    # Requested data sets, systems, metrics and segments that one side lacks.
    one_sided: Sequence[OneSided]
    alpha: float
    confidence: float
    method: str  # test, correction, resamples, seed, alpha
    changes: Sequence[Change]
    notes: Sequence[str]  # on both revisions
    datasets: Sequence[DatasetDifference]
    names: Mapping[str, str] = field(default_factory=dict)  # displayed ones of systems and data sets, by id

    @property
    def differences(self) -> list[SystemDifference]:
        """Differences of all data sets."""
        return [difference for dataset in self.datasets for difference in dataset.differences]

    def systems_with(self, verdict: RevisionVerdict) -> list[str]:
        """Systems, without repeats, that have this verdict on some data set and metric."""
        return list(
            dict.fromkeys(difference.system for difference in self.differences if difference.verdict == verdict)
        )

    def only(self, side: Side) -> list[str]:
        """Names of everything that only this side has: gone ("before") or new ("after")."""
        return [entry.name for entry in self.one_sided if entry.side == side]

    @property
    def outcome(self) -> Outcome:
        """The overall outcome: the first of these that applies.

        "regression" and "improvement" if any system is significantly worse, or better; "incomplete" if something that
        was there before is gone, which could hide a regression; "unchanged" if no segment differs; "cannot tell" if
        none of the differences could have been significant.
        """
        changed = [difference for difference in self.differences if difference.verdict != "unchanged"]
        if self.systems_with("regressed"):
            return "regression"
        if self.only("before"):
            return "incomplete"
        if self.systems_with("improved"):
            return "improvement"
        if not changed:
            return "unchanged"
        return "no significant change" if any(difference.can_tell for difference in changed) else "cannot tell"


_IDS: Final = ("dataset", "system", "systems_before", "systems_after")


def with_names(record: Made, names: Mapping[str, str]) -> Made:
    """A record of this package with displayed names in place of ids, in all records that it has."""

    def show(value: Any, *, is_id: bool) -> Any:
        if isinstance(value, str):
            return names.get(value, value) if is_id else value
        if isinstance(value, list | tuple):
            return [show(entry, is_id=is_id) for entry in value]
        return with_names(value, names) if hasattr(value, "system") or hasattr(value, "differences") else value

    changes = {entry.name: show(getattr(record, entry.name), is_id=entry.name in _IDS) for entry in fields(record)}
    # Once: a name may be the id of another system.
    return replace(record, **(changes | ({"names": {}} if "names" in changes else {})))

"""A gate: whether the results of a revision may replace those of a baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from misread.errors import ConfigurationError, NotComparableError
from misread.metrics import Metric
from misread.revisions.changes import Change
from misread.revisions.difference import OneSided
from misread.revisions.matching import (
    AFTER,
    BEFORE,
    Choice,
    MatchedDataset,
    changed_metrics,
    is_changed,
    match_results,
    rate_of,
)
from misread.revisions.stored_results import StoredResults
from misread.stats import StatisticsSettings
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.loss import LossJudgement, judge_loss
from misread.stats.compare.system_pair import SystemPair

GateOutcome = Literal["pass", "fail", "not comparable", "cannot tell"]

_UNCHANGED = LossJudgement(outcome="pass", reason="No segment changed.", loss=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """One metric of one system on one data set, checked against its margin; rates are fractions."""

    dataset: str
    system: str
    metric: str
    margin: float
    before: float | None
    after: float | None
    units: int
    unit: str  # resampled unit: "segment", or the name of a cluster
    is_changed: bool  # False if no segment's counts differ, which passes
    judgement: LossJudgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """All comparisons of a gate."""

    # Names of the revisions.
    before: str
    after: str
    checks: Sequence[GateCheck]
    # Requested data sets, systems, metrics and segments that one side lacks.
    one_sided: Sequence[OneSided]
    changes: Sequence[Change]
    notes: Sequence[str]
    method: str
    names: Mapping[str, str] = field(default_factory=dict)  # displayed ones of systems and data sets, by id

    @property
    def gone(self) -> list[str]:
        """Names of everything that the baseline has and the later side lacks."""
        return [entry.name for entry in self.one_sided if entry.side == "before"]

    def checks_with(self, outcome: GateOutcome) -> list[GateCheck]:
        """Comparisons with this outcome."""
        return [check for check in self.checks if check.judgement.outcome == outcome]

    @property
    def outcome(self) -> GateOutcome:
        """The first of these that applies.

        "fail" if any comparison failed; "not comparable" if something that the baseline has is gone, which could hide a
        failure; "cannot tell" if any comparison cannot tell; "pass" if all passed.
        """
        if self.checks_with("fail"):
            return "fail"
        if self.gone:
            return "not comparable"
        return "cannot tell" if self.checks_with("cannot tell") else "pass"


def run_gate(
    before: StoredResults,
    after: StoredResults,
    settings: StatisticsSettings,
    margins: Mapping[str, float],
    *,
    datasets: Sequence[str] = (),
    systems: Sequence[str] = (),
) -> Gate:
    """Compare every chosen system with itself at the baseline, by each metric and its margin.

    Systems in which no segment changed pass and do not count as comparisons. Raises NotComparableError if
    references or rules differ, the scores on disk are older than their configuration, or a system or data set
    that was asked for by name is not in the baseline.
    """
    for metric, margin in margins.items():
        if not 0 <= margin < 1:
            raise ConfigurationError(
                f"the margin of {metric} is {margin:g}, expected a difference of rates from 0 to below 1, such as "
                "0.002 for 0.2 points."
            )
    choice = Choice(datasets, systems, list(margins), movers=0)
    matched = match_results(before, after, choice)
    asked = {
        f"{kind} {matched.names.get(key, key)}"
        for kind, keys in (("data set", datasets), ("system", systems))
        for key in keys
    }
    new = [entry.name for entry in matched.one_sided if entry.side == "after" and entry.name in asked]
    if new:
        raise NotComparableError(f"{', '.join(new)}: not in {before.revision.label}, so that there is no baseline.")
    stale = [note for dataset in matched.datasets for note in dataset.stale]
    if stale:
        raise NotComparableError(" ".join(stale))
    for dataset in matched.datasets:
        dataset.require_rows_for(settings, tests=False)
    return Gate(
        before=before.revision.label,
        after=after.revision.label,
        checks=_checks(matched.datasets, matched.metrics, settings, margins),
        one_sided=matched.one_sided,
        changes=matched.changes,
        notes=[*matched.notes, *(note for dataset in matched.datasets for note in dataset.notes)],
        method=_method(settings, _count_changed(matched.datasets, matched.metrics)),
        names=matched.names,
    )


def _checks(
    datasets: Sequence[MatchedDataset],
    metrics: Sequence[Metric],
    settings: StatisticsSettings,
    margins: Mapping[str, float],
) -> list[GateCheck]:
    comparisons = _count_changed(datasets, metrics)
    checks = []
    for dataset in datasets:
        for system, paired in dataset.paired.items():
            shared = paired.shared
            changed = changed_metrics(shared, metrics)
            replicates = draw_replicates(shared, changed, settings, only_intervals=True) if changed else {}
            for metric in metrics:
                if metric.id not in shared.counts[AFTER]:
                    continue
                judgement = _UNCHANGED
                if is_changed(shared, metric):
                    pair = SystemPair(replicates[metric.id], BEFORE, AFTER)
                    judgement = judge_loss(pair, margins[metric.id], comparisons=comparisons)
                rates = {side: rate_of(metric, shared.counts[side][metric.id].total) for side in (BEFORE, AFTER)}
                checks.append(
                    GateCheck(
                        dataset=dataset.dataset,
                        system=system,
                        metric=metric.id,
                        margin=margins[metric.id],
                        before=rates[BEFORE],
                        after=rates[AFTER],
                        units=shared.units,
                        unit=shared.resampling_unit,
                        is_changed=judgement is not _UNCHANGED,
                        judgement=judgement,
                    )
                )
    return checks


def _count_changed(datasets: Sequence[MatchedDataset], metrics: Sequence[Metric]) -> int:
    return sum(
        len(changed_metrics(paired.shared, metrics)) for dataset in datasets for paired in dataset.paired.values()
    )


def _method(settings: StatisticsSettings, comparisons: int) -> str:
    resampled = (
        ""
        if settings.interval_used in ("jackknife", "two-way")
        else f", B = {settings.resamples}, seed {settings.seed}"
    )
    several = ""
    if comparisons > 1:
        several = (
            f"; {comparisons} comparisons changed: all must pass (intersection-union, no correction), one is enough to "
            f"fail (Bonferroni over {comparisons})"
        )
    interval = f"paired {settings.interval_used} interval of the loss, {100 * settings.confidence:g} % confidence"
    return f"{interval}{resampled}{several}"

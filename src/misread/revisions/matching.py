"""Data sets, systems, metrics and segments that two revisions share, or why they cannot be compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np

from misread.errors import MissingResultsError, NotComparableError, UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.metrics import Metric
from misread.normalize import signature_of
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.provenance.conditions import say_differences
from misread.provenance.signature import Signature
from misread.revisions.changes import Change, lock_changes, origin_changes, other_version, params_changes
from misread.revisions.difference import OneSided, Side
from misread.revisions.stored_results import StoredResults
from misread.stats import StatisticsSettings
from misread.stats.compare.settings import BY_CLUSTER
from misread.stats.compare.shared_segments import SharedSegments, share_segments
from misread.storage.counts import sum_clusters
from misread.tables import ReportSettings
from misread.tally.scores import Scores
from misread.text.display import show_label
from misread.text.nouns import count_of
from misread.types import IntArray
from misread.version import __version__

BEFORE, AFTER = "before", "after"
"""Names of the two sides among shared segments."""

_WAY_OUT = "check the older one out, give it this configuration, and `dvc repro`: nothing is read again"


@dataclass(frozen=True)
class PairedSegments:
    """One system on one data set in two revisions: counts of the sides `BEFORE` and `AFTER` on shared segments.

    Where one side has sums over clusters only, so have both, and rows are clusters.
    """

    shared: SharedSegments
    only_before: int  # rows
    only_after: int
    segments: int
    is_summed: bool


def pair_segments(system: str, before: Scores, after: Scores, metrics: Sequence[str]) -> PairedSegments:
    """Pair the segments of two revisions by id; only the named metrics must have been scored alike.

    Raises NotComparableError if normalizer, another setting of a metric, the policy for missing hypotheses or
    references differ, pseudonyms have different keys, or no segment is in both. Raises MissingResultsError if sums are
    all that there is, and are not of the same segments, or of no clusters.
    """
    where = f"{system} on {after.origin.dataset}"
    if before.pseudonyms != after.pseudonyms:
        raise NotComparableError(_say_other_key(where, before, after))
    for metric in metrics:
        _require_same_rules(where, metric, before.signatures[metric], after.signatures[metric])
    if before.missing != after.missing:
        raise NotComparableError(
            f"{where}: the policy for missing hypotheses differs (missing: {before.missing} -> {after.missing}); "
            f"{_WAY_OUT}."
        )
    is_summed = before.sizes is not None or after.sizes is not None
    if is_summed:
        before, after = sum_clusters(before), sum_clusters(after)
        _require_same_segments(where, before, after)
    else:
        _require_same_references(where, before, after)
    ids = [set(scores.segments.segment_id) for scores in (before, after)]
    try:
        # The later side first: it defines the clusters of segments.
        shared = share_segments({AFTER: _bare(after, metrics), BEFORE: _bare(before, metrics)})
    except UndefinedResultError as error:
        raise NotComparableError(f"{where}: {error}") from None
    sizes = dict(
        zip(after.segments.segment_id, repeat(1) if after.sizes is None else after.sizes.tolist(), strict=False)
    )
    return PairedSegments(
        shared,
        len(ids[0] - ids[1]),
        len(ids[1] - ids[0]),
        segments=sum(sizes[key] for key in shared.keys.segment_id),
        is_summed=is_summed,
    )


def _say_other_key(where: str, before: Scores, after: Scores) -> str:
    sides = (("before", before), ("after", after))
    keys = [f"{side}: {f'key {scores.pseudonyms}' if scores.pseudonyms else 'none'}" for side, scores in sides]
    return (
        f"{where}: the pseudonyms of segments differ ({', '.join(keys)}); bring the file {paths.PSEUDONYM_KEY} of the "
        "other side, and run `dvc repro`."
    )


def how_to_bring_rows(dataset: str) -> str:
    """Advice if sums over clusters are not enough."""
    return f"bring the counts of every segment: `dvc pull --all-commits {paths.scores(dataset, '').parent}`"


def _require_same_segments(where: str, before: Scores, after: Scores) -> None:
    """Refuse sums that are of no clusters, or of clusters of other segments or references."""
    dataset = after.origin.dataset
    if after.segments.cluster is None or before.segments.cluster is None:
        raise MissingResultsError(
            f"{where}: {paths.COUNTS} has sums over all segments, which have no interval; {how_to_bring_rows(dataset)}."
        )
    digests = dict(zip(before.segments.segment_id, before.reference_digest, strict=True))
    ours = zip(after.segments.segment_id, after.reference_digest, strict=True)
    changed = [name for name, digest in ours if digests.get(name, digest) != digest]
    if changed:
        raise MissingResultsError(
            f"{where}: {paths.COUNTS} has sums over clusters, and {len(changed):,} of {len(digests):,} have other "
            f"segments or references (first: {changed[0]!r}); {how_to_bring_rows(dataset)}."
        )


def _require_same_rules(where: str, metric: str, before: Signature, after: Signature) -> None:
    old, new = before.facts, after.facts
    if old.get("norm") != new.get("norm"):
        raise NotComparableError(
            f"{where}: the normalizer of {metric} differs ({old.get('norm')} -> {new.get('norm')}); {_WAY_OUT}."
        )
    differing = _differing(before, after)
    if differing or before.name != after.name:
        details = ", ".join(f"{key}: {old.get(key)} -> {new.get(key)}" for key in differing)
        raise NotComparableError(f"{where}: {metric} was scored under different settings ({details}); {_WAY_OUT}.")


def changed_metrics(shared: SharedSegments, metrics: Sequence[Metric]) -> list[Metric]:
    """Metrics by which some segment's counts differ between the sides."""
    return [metric for metric in metrics if metric.id in shared.counts[AFTER] and is_changed(shared, metric)]


def is_changed(shared: SharedSegments, metric: Metric) -> bool:
    """Whether some segment's counts of a metric differ between the sides."""
    before, after = (shared.counts[side][metric.id].values for side in (BEFORE, AFTER))
    return not np.array_equal(before, after)


def rate_of(metric: Metric, counts: IntArray) -> float | None:
    """Rate of summed counts; None where it is undefined."""
    rate = float(metric.rate(counts))
    return None if np.isnan(rate) else rate


def has_rules(signature: Signature, expected: Signature) -> bool:
    """Whether a signature has the expected facts; it may have more, such as those set by the data set."""
    return not set(_differing(signature, expected)) & set(expected.facts)


def _differing(before: Signature, after: Signature) -> list[str]:
    """Facts that differ, except the version, which is no rule of scoring and is reported among the changes."""
    old, new = before.facts, after.facts
    return [key for key in sorted({*old, *new}) if key != "v" and old.get(key) != new.get(key)]


def _require_same_references(where: str, before: Scores, after: Scores) -> None:
    digest_of = dict(zip(before.segments.segment_id, before.reference_digest, strict=True))
    pairs = list(zip(after.segments.segment_id, after.reference_digest, strict=True))
    changed = [key for key, digest in pairs if digest_of.get(key, digest) != digest]
    if changed:
        common = sum(key in digest_of for key, _ in pairs)
        raise NotComparableError(
            f"{where}: the references of {len(changed):,} of {common:,} segments differ (first: {changed[0]!r}); "
            "`dvc repro` the older configuration on the present data."
        )


def _bare(scores: Scores, metrics: Sequence[str]) -> Scores:
    """The counts of these metrics, without the signatures, which were compared already."""
    return replace(scores, counts={metric: scores.counts[metric] for metric in metrics}, signatures={})


MOVERS = 10
"""Default number of segments that changed most to show."""


@dataclass(frozen=True)
class Choice:
    """Data sets, systems and metrics to compare; empty means everything that both sides have."""

    datasets: Sequence[str] = ()
    systems: Sequence[str] = ()
    metrics: Sequence[str] = ()
    movers: int = MOVERS


EVERYTHING = Choice()
"""The choice of everything that both sides have."""


@dataclass(frozen=True, kw_only=True)
class MatchedDataset:
    """One data set in two revisions."""

    dataset: str
    paired: Mapping[str, PairedSegments]  # by system
    only_before: int  # segments, or clusters of sums
    only_after: int
    stale: Sequence[str]  # sentences about scores on disk that the present configuration did not produce
    notes: Sequence[str]

    @property
    def is_summed(self) -> bool:
        """Whether rows are clusters."""
        return any(pair.is_summed for pair in self.paired.values())

    def require_rows_for(self, settings: StatisticsSettings, *, tests: bool) -> None:
        """Raise MissingResultsError if settings, and the deciding test where it is run, need the segments of sums."""
        needs = [f"statistics.second_cluster: {settings.second_cluster}"] if settings.second_cluster else []
        if tests and settings.deciding_test not in BY_CLUSTER:
            needs.append(f"statistics.deciding_test: {settings.deciding_test}")
        if self.is_summed and needs:
            raise MissingResultsError(
                f"{self.dataset}: {paths.COUNTS} has sums over clusters, which {' and '.join(needs)} cannot use; "
                f"{how_to_bring_rows(self.dataset)}."
            )


@dataclass(frozen=True, kw_only=True)
class MatchedResults:
    """Everything that two revisions share, what only one of them has, and what else changed."""

    datasets: Sequence[MatchedDataset]
    metrics: Sequence[Metric]
    one_sided: Sequence[OneSided]
    changes: Sequence[Change]
    notes: Sequence[str]  # on both revisions
    names: Mapping[str, str]  # displayed ones of systems and data sets, by id


def match_results(before: StoredResults, after: StoredResults, choice: Choice) -> MatchedResults:
    """Pair the segments of every requested system that both sides have.

    Raises NotComparableError if references or rules differ, or the revisions have nothing in common.
    """
    one_sided: list[OneSided] = []
    old, new = before.params, after.params
    names = {**read_names(old), **read_names(new)}
    datasets = _chosen("data set", choice.datasets, old.datasets, new.datasets, one_sided, names)
    systems = _chosen("system", choice.systems, old.systems, new.systems, one_sided, names)
    metric_ids = _chosen("metric", choice.metrics, before.metric_ids(), after.metric_ids(), one_sided, {})
    metrics = [metric for metric in new.metrics() if metric.id in metric_ids]
    # In the order of display.
    changes = params_changes(old.content, new.content) + lock_changes(before.revision, after.revision, datasets)
    versions: dict[str, None] = {}
    matched = [
        _match_dataset(before, after, dataset, systems, metrics, one_sided, changes, versions, names)
        for dataset in datasets
    ]
    if not any(
        pair.shared.counts[side]
        for matched_dataset in matched
        for pair in matched_dataset.paired.values()
        for side in pair.shared.counts
    ):
        raise NotComparableError(f"no metric was scored in both revisions (asked for: {', '.join(metric_ids)}).")
    notes = [other_versions(versions)] if versions else []
    return MatchedResults(
        datasets=matched, metrics=metrics, one_sided=one_sided, changes=changes, notes=notes, names=names
    )


def read_names(params: Params) -> dict[str, str]:
    """Displayed names of systems and data sets by id, where they have one; equal names of systems are told apart."""
    report = params.content.get("report")
    names = report.get("names") if isinstance(report, Mapping) else None
    listed = names.items() if isinstance(names, Mapping) else ()
    shown = {key: show_label(name) for key, name in listed if isinstance(name, str)}
    return dict(ReportSettings(["cer"], names=shown).with_systems(params.systems).names)


def other_versions(versions: Iterable[str]) -> str:
    """Say which other versions of misread counted."""
    return f"counted by misread {', '.join(versions)}; {__version__} is installed, and makes intervals and tests."


def _chosen(
    kind: str,
    chosen: Sequence[str],
    before: Sequence[str],
    after: Sequence[str],
    one_sided: list[OneSided],
    names: Mapping[str, str],
) -> list[str]:
    """Requested names that both sides have; the others are added to `one_sided`."""
    for name in chosen:
        check_choice(kind, name, {*before, *after}, where="both revisions")
    common = [name for name in after if name in before and (not chosen or name in chosen)]
    if not common:
        raise NotComparableError(
            f"the revisions have no {kind} in common (before: {', '.join(before)}; after: {', '.join(after)})."
        )
    one_sided += [
        OneSided(side=side, name=f"{kind} {names.get(key, key)}") for side, key in _alone(before, after, chosen)
    ]
    return common


def _alone(before: Sequence[str], after: Sequence[str], chosen: Sequence[str] = ()) -> list[tuple[Side, str]]:
    """Requested ids that only one of two lists has, with its side."""
    sides: tuple[tuple[Side, Sequence[str], Sequence[str]], ...] = (("before", before, after), ("after", after, before))
    return [
        (side, key)
        for side, keys, others in sides
        for key in keys
        if key not in others and (not chosen or key in chosen)
    ]


def _match_dataset(
    before: StoredResults,
    after: StoredResults,
    dataset: str,
    systems: Sequence[str],
    metrics: Sequence[Metric],
    one_sided: list[OneSided],
    changes: list[Change],
    versions: dict[str, None],
    names: Mapping[str, str],
) -> MatchedDataset:
    """Pair all systems on one data set; one-sided things, changes and other versions of misread are added."""
    shown = names.get(dataset, dataset)
    paired: dict[str, PairedSegments] = {}
    notes = []
    stale: list[str] = []
    for system in systems:
        old, new, name = before.scores(dataset, system), after.scores(dataset, system), names.get(system, system)
        changes += [change for change in origin_changes(system, old, new) if change not in changes]
        versions |= {version: None for scores in (old, new) if (version := other_version(scores))}
        reason = old.origin.not_applicable or new.origin.not_applicable
        if reason:
            notes.append(f"{name} is not compared: {reason}")
            was, now = ([] if scores.origin.not_applicable else [system] for scores in (old, new))
            one_sided += [OneSided(side=side, name=f"system {name} on {shown}") for side, _ in _alone(was, now)]
        else:
            was, now = ([metric.id for metric in metrics if metric.id in scores.counts] for scores in (old, new))
            one_sided += [
                OneSided(side=side, name=f"{metric} of {name} on {shown}") for side, metric in _alone(was, now)
            ]
            if after.revision.commit is None:
                stale += _stale(system, new, after.params, metrics)
                stale += filter(None, [after.disagreement(dataset, system)])
            conditions = {side: scores.origin.conditions for side, scores in ((BEFORE, old), (AFTER, new))}
            if sentence := say_differences(conditions, same_system=True):
                notes.append(f"{name}: {sentence}")
            paired[system] = pair_segments(system, old, new, _shared_metrics(old, new, metrics))
    if not paired:
        raise NotComparableError(f"no system can be compared on {dataset} ({'; '.join(notes)}).")
    only_before = max(pair.only_before for pair in paired.values())
    only_after = max(pair.only_after for pair in paired.values())
    sides: tuple[tuple[Side, int], ...] = (("before", only_before), ("after", only_after))
    row = "cluster" if any(pair.is_summed for pair in paired.values()) else "segment"
    for side, number in sides:
        if number:
            one_sided.append(OneSided(side=side, name=f"{count_of(number, row)} of {shown}"))
    return MatchedDataset(
        dataset=dataset, paired=paired, only_before=only_before, only_after=only_after, stale=stale, notes=notes
    )


def _stale(system: str, scores: Scores, params: Params, metrics: Sequence[Metric]) -> list[str]:
    """A note if the present configuration did not produce the scores on disk."""
    normalizer = signature_of(params.normalizer())
    stale = [
        metric.id
        for metric in metrics
        if metric.id in scores.signatures and not has_rules(scores.signatures[metric.id], metric.signature(normalizer))
    ]
    if not stale:
        return []
    return [f"{', '.join(stale)} of {system} was scored before params.yaml was changed; run `dvc repro`."]


def require_columns(scores: Scores, metric: Metric) -> None:
    """Raise NotComparableError for counts of a version of misread in which the metric had other columns."""
    counts = scores.counts[metric.id]
    if counts.columns != metric.columns:
        raise NotComparableError(
            f"{scores.origin.system} on {scores.origin.dataset}: {metric.id} counted {', '.join(counts.columns)}, "
            f"expected {', '.join(metric.columns)}; {_WAY_OUT}."
        )


def _shared_metrics(before: Scores, after: Scores, metrics: Sequence[Metric]) -> list[str]:
    shared = [metric for metric in metrics if metric.id in before.counts and metric.id in after.counts]
    for metric in shared:
        require_columns(before, metric)
        require_columns(after, metric)
    return [metric.id for metric in shared]

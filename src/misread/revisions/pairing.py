"""The same segments in two revisions, or a refusal that says why they cannot be compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from misread.errors import NotComparableError, UndefinedResultError
from misread.metrics import Metric
from misread.provenance.signature import Signature
from misread.records import Scores
from misread.stats.compare.shared_segments import SharedSegments, share_segments
from misread.types import IntArray

BEFORE, AFTER = "before", "after"
"""Names of the two sides among shared segments."""

_WAY_OUT = "score both sides alike with --rescore NORMALIZER"


@dataclass(frozen=True)
class PairedSegments:
    """One system on one data set in two revisions: counts of the sides `BEFORE` and `AFTER` on the segments of both."""

    shared: SharedSegments
    only_before: int
    only_after: int


def pair_segments(system: str, before: Scores, after: Scores, metrics: Sequence[str]) -> PairedSegments:
    """Pair the segments of two revisions by their ids; metrics that are not named may have been scored differently.

    Raises NotComparableError if normalizer, another setting of a metric, the policy for missing hypotheses or
    references differ, or no segment is in both.
    """
    where = f"{system} on {after.origin.dataset}"
    for metric in metrics:
        _require_same_rules(where, metric, before.signatures[metric], after.signatures[metric])
    if before.missing != after.missing:
        raise NotComparableError(
            f"{where}: the policy for missing hypotheses differs (missing: {before.missing} -> {after.missing}); "
            f"{_WAY_OUT}."
        )
    _require_same_references(where, before, after)
    ids = [set(of.segments.segment_id) for of in (before, after)]
    try:
        # The later side first: it says how segments belong together in clusters.
        shared = share_segments({AFTER: _bare(after, metrics), BEFORE: _bare(before, metrics)})
    except UndefinedResultError as error:
        raise NotComparableError(f"{where}: {error}") from None
    return PairedSegments(shared, len(ids[0] - ids[1]), len(ids[1] - ids[0]))


def _require_same_rules(where: str, metric: str, before: Signature, after: Signature) -> None:
    old, new = before.facts, after.facts
    if old.get("norm") != new.get("norm"):
        raise NotComparableError(
            f"{where}: the normalizer of {metric} differs ({old.get('norm')} -> {new.get('norm')}); {_WAY_OUT}."
        )
    differing = _differing(before, after)
    if differing or before.name != after.name:
        named = ", ".join(f"{key}: {old.get(key)} -> {new.get(key)}" for key in differing)
        raise NotComparableError(f"{where}: {metric} was scored under different settings ({named}); {_WAY_OUT}.")


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
    """Whether a signature says what is expected; it may say more, such as what the data set asks for."""
    return not set(_differing(signature, expected)) & set(expected.facts)


def _differing(before: Signature, after: Signature) -> list[str]:
    """Facts that differ, except the version: alone it is not a rule, and is reported among the changes."""
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
            "if a normalizer makes them equal, compare with --rescore NORMALIZER, else `dvc repro` the older "
            "configuration on the present data."
        )


def _bare(scores: Scores, metrics: Sequence[str]) -> Scores:
    """The counts of these metrics, without the signatures, which were compared already."""
    return replace(scores, counts={metric: scores.counts[metric] for metric in metrics}, signatures={})

"""A metric over the latest commits, with the commits at which it changed significantly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from misread.errors import MisreadError, MissingResultsError, NotComparableError, RevisionError, UnknownNameError
from misread.revisions.changes import other_version
from misread.revisions.diff import compare_revisions
from misread.revisions.difference import RevisionVerdict, SystemDifference
from misread.revisions.git import SHALLOW, Commit, shallow_ends
from misread.revisions.matching import Choice, require_columns
from misread.revisions.rescored import StoredResults
from misread.revisions.store import Revision, open_revision
from misread.stats import StatisticsSettings

NO_RESULTS = "no results"
"""Note of a commit at which nothing was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPoint:
    """One system at one commit."""

    commit: Commit
    system: str
    rate: float | None = None  # None if there is none; `note` says why
    verdict: RevisionVerdict | None = None  # against the last change point, or the first commit
    pvalue: float | None = None
    level: float | None = None  # level of the verdict; None if nothing was tested
    is_change_point: bool = False  # whether it changed significantly: later ones are compared with it
    note: str = ""
    version: str = ""  # version of misread that counted, if it is not the installed one
    is_missing: bool = False  # whether it has no results, or neither Git nor the cache nor the remote has them


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A metric of all systems of a data set over commits, the oldest first."""

    dataset: str
    metric: str
    alpha: float  # over all tests of a system
    points: Sequence[HistoryPoint]
    note: str = ""  # why commits before the first one are not in this clone

    @property
    def systems(self) -> list[str]:
        """Systems in the order in which they appear."""
        return list(dict.fromkeys(point.system for point in self.points))


def trace_history(
    revisions: Sequence[Revision],
    dataset: str,
    metric: str,
    systems: Sequence[str],
    settings: StatisticsSettings,
) -> History:
    """Follow a metric over commits, the oldest first, and find the commits at which it changed.

    Every system is tested against its last change point on the segments that both have. The tests of a system have a
    joint type I error rate of at most alpha, which is divided by their number (Bonferroni). A commit that did not
    change the stored result needs no test. Raises RevisionError if no commit has a rate, and MissingResultsError if
    that is because results are missing.
    """
    sides = [StoredResults(revision) for revision in revisions]
    points = [point for system in systems for point in _trace(sides, dataset, metric, system, settings)]
    first = revisions[0]
    note = SHALLOW if first.commit and first.commit.hash in shallow_ends(first.root) else ""
    if all(point.rate is None for point in points):
        reason = next((point.note for point in reversed(points) if point.note), "there is no commit")
        kind = MissingResultsError if any(point.is_missing for point in points) else RevisionError
        more = f"; {note}" if note else ""
        raise kind(f"none of {len(revisions)} commits has {metric} on {dataset} ({reason.rstrip('.')}){more}.")
    return History(dataset=dataset, metric=metric, alpha=settings.alpha, points=points, note=note)


def _trace(
    sides: Sequence[StoredResults],
    dataset: str,
    metric: str,
    system: str,
    settings: StatisticsSettings,
) -> list[HistoryPoint]:
    digests, notes = zip(*(_digest(side, dataset, system) for side in sides), strict=True)
    # Results that return to an earlier state are tested again.
    tests = max(1, sum(old != new for old, new in pairwise(filter(None, digests))))
    at_level = replace(settings, alpha=settings.alpha / tests)
    base: StoredResults | None = None
    last: HistoryPoint | None = None
    last_digest: str | None = None
    points = []
    for side, digest, note in zip(sides, digests, notes, strict=True):
        if digest is None:
            points.append(_nothing(side, system, note, is_missing=True))
            continue
        if last is not None and digest == last_digest:
            points.append(
                replace(
                    last,
                    commit=_commit(side),
                    is_change_point=False,
                    verdict="unchanged",
                    pvalue=None,
                    level=None,
                    note="",
                )
            )
            continue
        point, base = _compare(side, base, dataset, metric, system, at_level)
        points.append(point)
        if point.rate is not None:
            last, last_digest = point, digest
    return points


def _digest(side: StoredResults, dataset: str, system: str) -> tuple[str | None, str]:
    """Digest of a result (None if there is none), and the reason why it has none."""
    try:
        return side.digest(dataset, system), NO_RESULTS
    except RevisionError as error:
        return None, str(error)


def _compare(
    side: StoredResults,
    base: StoredResults | None,
    dataset: str,
    metric: str,
    system: str,
    settings: StatisticsSettings,
) -> tuple[HistoryPoint, StoredResults | None]:
    """Compare a commit with the last change point; returns the point, and the base from now on."""
    try:
        if base is None:
            return _first(side, dataset, metric, system, ""), side
        choice = Choice([dataset], [system], [metric], movers=0, causes=False)
        (difference,) = compare_revisions(base, side, settings, choice).differences
    except (NotComparableError, MissingResultsError) as error:
        # Results that cannot be compared, or whose segments are needed and not at hand, start a new curve.
        try:
            return _first(side, dataset, metric, system, str(error)), side
        except MisreadError as unreadable:
            return _unreadable(side, system, unreadable), base
    except MisreadError as error:
        return _unreadable(side, system, error), base
    point = replace(_judged(side, difference, settings.alpha), version=other_version(side.scores(dataset, system)))
    return point, side if _is_change(difference) else base


def _first(side: StoredResults, dataset: str, metric: str, system: str, note: str) -> HistoryPoint:
    known = {configured.id: configured for configured in side.params.metrics()}
    scores = side.scores(dataset, system)
    if metric not in scores.counts or metric not in known:
        raise UnknownNameError("metric", metric, scores.counts, where=side.revision.label)
    require_columns(scores, known[metric])
    rate = float(known[metric].rate(scores.counts[metric].total))
    return HistoryPoint(
        commit=_commit(side),
        system=system,
        rate=None if rate != rate else rate,
        note=note,
        version=other_version(scores),
    )


def _judged(side: StoredResults, difference: SystemDifference, level: float) -> HistoryPoint:
    return HistoryPoint(
        commit=_commit(side),
        system=difference.system,
        rate=difference.after,
        verdict=difference.verdict,
        pvalue=difference.pvalue,
        level=level,
        is_change_point=_is_change(difference),
    )


def _is_change(difference: SystemDifference) -> bool:
    return difference.verdict in ("improved", "regressed")


def _nothing(side: StoredResults, system: str, note: str, *, is_missing: bool) -> HistoryPoint:
    return HistoryPoint(commit=_commit(side), system=system, note=note, is_missing=is_missing)


def _unreadable(side: StoredResults, system: str, error: MisreadError) -> HistoryPoint:
    return _nothing(side, system, str(error), is_missing=isinstance(error, MissingResultsError))


def _commit(side: StoredResults) -> Commit:
    return side.revision.commit or Commit("", "", "", side.revision.label)


def open_history(root: Path, commits: Sequence[Commit], store: Path) -> list[Revision]:
    """Open commits, the oldest first, each with a folder of its own."""
    return [open_revision(root, commit.hash, store / commit.hash) for commit in reversed(commits)]

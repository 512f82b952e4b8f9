"""A metric over the latest commits, with the commits at which it changed significantly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from misread.errors import MisreadError, MissingResultsError, NotComparableError, RevisionError, UnknownNameError
from misread.pipeline import paths
from misread.revisions.diff import compare_revisions
from misread.revisions.difference import RevisionVerdict, SystemDifference
from misread.revisions.git import Commit
from misread.revisions.matching import Choice
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


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A metric of all systems of a data set over commits, the oldest first."""

    dataset: str
    metric: str
    alpha: float  # over all tests of a system
    points: Sequence[HistoryPoint]

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
    change the stored result needs no test. Raises RevisionError if no commit has results, and MissingResultsError if
    neither the cache nor the remote has those of any commit.
    """
    points = [point for system in systems for point in _trace(revisions, dataset, metric, system, settings)]
    if all(point.rate is None for point in points):
        reason = next((point.note for point in reversed(points) if point.note), "there is no commit")
        kind = MissingResultsError if _are_missing(revisions, dataset, systems) else RevisionError
        raise kind(f"none of {len(revisions)} commits has {metric} on {dataset} ({reason.rstrip('.')}).")
    return History(dataset=dataset, metric=metric, alpha=settings.alpha, points=points)


def _are_missing(revisions: Sequence[Revision], dataset: str, systems: Sequence[str]) -> bool:
    """Whether stored results are missing on this machine."""
    for revision in revisions:
        for system in systems:
            try:
                revision.fetch(paths.scores(dataset, system))
            except MissingResultsError:
                return True
            except RevisionError:
                continue
    return False


def _trace(
    revisions: Sequence[Revision],
    dataset: str,
    metric: str,
    system: str,
    settings: StatisticsSettings,
) -> list[HistoryPoint]:
    path = paths.scores(dataset, system)
    digests, notes = zip(*(_digest(revision, path) for revision in revisions), strict=True)
    # Results that return to an earlier state are tested again.
    tests = max(1, sum(old != new for old, new in pairwise(filter(None, digests))))
    at_level = replace(settings, alpha=settings.alpha / tests)
    base: Revision | None = None
    last: HistoryPoint | None = None
    last_digest: str | None = None
    points = []
    for revision, digest, note in zip(revisions, digests, notes, strict=True):
        if digest is None:
            points.append(_nothing(revision, system, note))
            continue
        if last is not None and digest == last_digest:
            points.append(
                replace(
                    last,
                    commit=_commit(revision),
                    is_change_point=False,
                    verdict="unchanged",
                    pvalue=None,
                    level=None,
                    note="",
                )
            )
            continue
        point, base = _compare(revision, base, dataset, metric, system, at_level)
        points.append(point)
        if point.rate is not None:
            last, last_digest = point, digest
    return points


def _digest(revision: Revision, path: Path) -> tuple[str | None, str]:
    """Hash of a result (None if there is none), and the reason why it has none."""
    try:
        return revision.digest(path), NO_RESULTS
    except RevisionError as error:
        return None, str(error)


def _compare(
    revision: Revision, base: Revision | None, dataset: str, metric: str, system: str, settings: StatisticsSettings
) -> tuple[HistoryPoint, Revision | None]:
    """Compare a commit with the last change point; returns the point, and the base from now on."""
    try:
        if base is None:
            return _first(revision, dataset, metric, system, ""), revision
        choice = Choice([dataset], [system], [metric], movers=0, causes=False)
        (difference,) = compare_revisions(StoredResults(base), StoredResults(revision), settings, choice).differences
    except NotComparableError as error:
        # Results that cannot be compared start a new curve.
        try:
            return _first(revision, dataset, metric, system, str(error)), revision
        except MisreadError as unreadable:
            return _nothing(revision, system, str(unreadable)), base
    except MisreadError as error:
        return _nothing(revision, system, str(error)), base
    return _judged(revision, difference, settings.alpha), revision if _is_change(difference) else base


def _first(revision: Revision, dataset: str, metric: str, system: str, note: str) -> HistoryPoint:
    results = StoredResults(revision)
    known = {configured.id: configured for configured in results.params.metrics()}
    scores = results.scores(dataset, system)
    if metric not in scores.counts or metric not in known:
        raise UnknownNameError("metric", metric, scores.counts, where=revision.label)
    rate = float(known[metric].rate(scores.counts[metric].total))
    return HistoryPoint(commit=_commit(revision), system=system, rate=None if rate != rate else rate, note=note)


def _judged(revision: Revision, difference: SystemDifference, level: float) -> HistoryPoint:
    return HistoryPoint(
        commit=_commit(revision),
        system=difference.system,
        rate=difference.after,
        verdict=difference.verdict,
        pvalue=difference.pvalue,
        level=level,
        is_change_point=_is_change(difference),
    )


def _is_change(difference: SystemDifference) -> bool:
    return difference.verdict in ("improved", "regressed")


def _nothing(revision: Revision, system: str, note: str) -> HistoryPoint:
    return HistoryPoint(commit=_commit(revision), system=system, note=note)


def _commit(revision: Revision) -> Commit:
    return revision.commit or Commit("", "", "", revision.label)


def open_history(root: Path, commits: Sequence[Commit], store: Path) -> list[Revision]:
    """Open commits, the oldest first, each with a folder of its own."""
    return [open_revision(root, commit.hash, store / commit.hash) for commit in reversed(commits)]

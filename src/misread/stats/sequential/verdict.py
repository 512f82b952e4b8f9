"""The verdict on two systems after each checked cluster."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError, setting
from misread.io.checks.numbers import check_number, check_row, check_table, check_whole
from misread.io.json_files import LARGEST
from misread.stats.results import ConfidenceInterval
from misread.stats.sequential.confidence_sequence import FIRST_LOOK, Looks, Rule, judge_looks
from misread.stats.sequential.outlook import clusters_to_expect
from misread.types import FloatArray, IntArray

SequentialWord = Literal["better", "worse", "equivalent", "not yet"]

FEWEST_CHECKED: Final = 3
"""Two clusters show no more than one difference between them."""

USUALLY_PLANNED: Final = 100
"""Clusters that a fixed plan is taken to have if nothing is known of it."""

_WEIGHTY: Final = 0.25
"""Share of the variation in one cluster from which on unchecked ones like it are warned of."""

_WORDS: Final[tuple[SequentialWord, ...]] = ("not yet", "better", "worse", "equivalent")


@dataclass(frozen=True, kw_only=True)
class Look:
    """What is known after some clusters.

    Attributes
    ----------
    checked : int
        Clusters checked so far.
    difference : float or None
        Rate of the system minus rate of the baseline; None while all references are empty.
    interval : ConfidenceInterval or None
        Of the difference; None while there are too few clusters. Its confidence holds for the intervals of all looks
        together.
    verdict : {"better", "worse", "equivalent", "not yet"}
        Of the system. Once there is one it stays.
    further : int or None
        About how many more clusters a verdict takes, 0 if there is one. None if no number would do.
    """

    checked: int
    difference: float | None
    interval: ConfidenceInterval | None
    verdict: SequentialWord
    further: int | None


@dataclass(frozen=True, kw_only=True)
class SequentialVerdict:
    """Two systems on clusters that were checked one after another, in random order.

    Attributes
    ----------
    looks : tuple of Look
        One per cluster, in the order of checking.
    total : int or None
        Number of all clusters; None for very many.
    margin : float or None
        Difference up to which systems count as equivalent.
    level : float
        Probability of a wrong verdict, over all looks.
    notes : tuple of str
        What a reader has to know to believe it.
    """

    looks: tuple[Look, ...]
    total: int | None
    margin: float | None
    level: float
    notes: tuple[str, ...] = ()

    @property
    def last(self) -> Look:
        """The last look."""
        return self.looks[-1]

    @property
    def verdict(self) -> SequentialWord:
        """The verdict after all checked clusters."""
        return self.last.verdict

    @property
    def decided_after(self) -> int | None:
        """Number of clusters after which there was a verdict; None if there is none yet."""
        return next((look.checked for look in self.looks if look.verdict != "not yet"), None)


def decide_sequentially(
    errors: FloatArray | IntArray,
    lengths: FloatArray | IntArray,
    *,
    total: int | None = None,
    margin: float | None = None,
    level: float = 0.05,
    planned: int | None = None,
    clusters: Sequence[str] | None = None,
) -> SequentialVerdict:
    """Compare two systems after every checked cluster, and say when one may stop.

    A test for a fixed number of clusters is wrong if one looks again and again until it is significant. The intervals
    here cover the true difference at all looks together, so one may look after each cluster and stop at any. They are
    wider for it. The clusters must come in random order.

    Parameters
    ----------
    errors : array_like, shape (clusters, 2)
        Errors of the baseline and of the system in each cluster, in the order of checking.
    lengths : array_like, shape (clusters,)
        Reference units of each cluster, the same for both systems.
    total : int, optional
        Number of all clusters, checked or not, if the verdict is to be about exactly these: intervals are narrower, and
        the difference is known once all are checked. Very many by default.
    margin : float, optional
        Difference of rates (0.005: half a point) up to which the systems count as equivalent. Without it no verdict is
        "equivalent".
    level : float
        Probability of a wrong verdict, over all looks, inside (0, 0.5).
    planned : int, optional
        Number of clusters of the plan that would be fixed beforehand, as `misread plan size` prints it: the interval is
        narrowest after half of them. It has to be chosen before the first look. By default `total`, or 100.
    clusters : sequence of str, optional
        Names of the clusters, to refuse one that was checked twice.

    Returns
    -------
    SequentialVerdict
        One look per cluster; "better" if the system has the lower rate. There is no interval before the tenth cluster.

    Raises
    ------
    UndefinedResultError
        If fewer than three clusters were checked, or a count is negative.
    ConfigurationError
        If a number is out of range, more clusters were checked than there are, or one of them twice.
    LengthMismatchError
        If errors, lengths and names differ in number.

    References
    ----------
    Howard, Ramdas, McAuliffe & Sekhon (2021), Time-uniform, nonparametric, nonasymptotic confidence sequences; Wang &
    Ramdas (2025), Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance;
    Waudby-Smith & Ramdas (2024), Estimating means of bounded random variables by betting (sampling without
    replacement).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> lengths = rng.integers(200, 400, 30)
    >>> errors = rng.binomial(lengths[:, np.newaxis], [0.10, 0.06])
    >>> result = decide_sequentially(errors, lengths, total=60)
    >>> result.verdict, result.decided_after
    ('better', 10)
    """
    pairs, lengths = check_table("errors", errors), check_row("lengths", lengths)
    _check_counts(pairs, lengths, clusters)
    checked = len(pairs)
    if total is not None and check_whole("total", total) < checked:
        raise ConfigurationError(
            f"{setting('total')} is {total:,}, and {checked:,} clusters were checked; it counts all clusters, checked "
            "or not."
        )
    _check_numbers(margin, level, planned)
    differences = pairs[:, 1] - pairs[:, 0]
    rule = Rule(total, margin, level, narrowest=(planned or total or USUALLY_PLANNED) / 2, one_error=1.0)
    seen = judge_looks(differences, lengths, rule)
    error_sums, length_sums = np.cumsum(differences).tolist(), np.cumsum(lengths).tolist()
    looks = []
    for index in range(checked):
        word = _WORDS[int(seen.verdict[index])]
        number = None
        if word == "not yet":
            number = clusters_to_expect(differences[: index + 1], lengths[: index + 1], rule)
        looks.append(
            Look(
                checked=index + 1,
                difference=error_sums[index] / length_sums[index] if length_sums[index] > 0 else None,
                interval=_interval(seen, index, level),
                verdict=word,
                further=0 if word != "not yet" else None if number is None else number - index - 1,
            )
        )
    notes = [*_notes_of_order(looks[-1], clusters)]
    if total is not None and total > checked:
        notes += _notes_of_weight(differences, lengths, clusters)
    return SequentialVerdict(looks=tuple(looks), total=total, margin=margin, level=level, notes=tuple(notes))


def _check_counts(errors: FloatArray, lengths: FloatArray, names: Sequence[str] | None) -> None:
    if len(errors) < FEWEST_CHECKED:
        raise UndefinedResultError(f"a sequential verdict needs at least 3 checked clusters; got {len(errors)}.")
    if errors.shape[1] != 2:
        raise UndefinedResultError(
            f"errors is an array of shape {errors.shape}, expected two columns: the baseline and the system."
        )
    if len(lengths) != len(errors) or (names is not None and len(names) != len(errors)):
        number_of_names = "" if names is None else f", and {len(names)} names"
        raise LengthMismatchError(
            f"errors of {len(errors)} clusters, lengths of {len(lengths)}{number_of_names}: expected one of each per "
            "cluster."
        )
    for name, values in (("errors", errors), ("lengths", lengths)):
        if not ((values >= 0) & (values <= LARGEST)).all():
            raise UndefinedResultError(f"{name} has a number that is negative or not finite; counts are 0 or more.")
    repeated = [name for name, number in Counter(names or ()).items() if number > 1]
    if repeated:
        raise ConfigurationError(
            f"cluster {repeated[0]!r} was checked more than once; give the counts of each cluster once, added up."
        )


def _check_numbers(margin: float | None, level: float, planned: int | None) -> None:
    if margin is not None and not 0 < check_number("margin", margin) <= LARGEST:
        raise ConfigurationError(
            f"{setting('margin')} is {margin:g}, expected a number above 0, such as 0.005 for half a point; without it "
            "no systems are called equivalent."
        )
    if not 0 < check_number("level", level) < 0.5:
        raise ConfigurationError(f"{setting('level')} is {level:g}, expected a number above 0 and below 0.5.")
    if planned is not None and check_whole("planned", planned) < 1:
        raise ConfigurationError(f"{setting('planned')} is {planned}, expected 1 or more clusters.")


def _interval(looks: Looks, index: int, level: float) -> ConfidenceInterval | None:
    low, high = float(looks.low[index]), float(looks.high[index])
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    return ConfidenceInterval(low=low, high=high, confidence=1 - level, method="confidence sequence")


def _notes_of_order(last: Look, names: Sequence[str] | None) -> Iterator[str]:
    """Whether the order looks as if it were not random."""
    if names is not None and list(names) == sorted(names):
        yield "The clusters come in the order of their names. It must be random: `misread dispute --budget` draws one."
    if (
        last.interval is not None
        and last.difference is not None
        and not last.interval.low <= last.difference <= last.interval.high
    ):
        yield (
            "The difference of all checked clusters lies outside the interval that earlier ones gave: was the order "
            "random?"
        )


def _notes_of_weight(errors: FloatArray, lengths: FloatArray, names: Sequence[str] | None) -> Iterator[str]:
    """Whether one checked cluster varies so much that an unchecked one like it would decide."""
    squares = (errors - errors.sum() / max(float(lengths.sum()), 1.0) * lengths) ** 2
    largest = int(squares.argmax())
    share = float(squares[largest] / squares.sum()) if squares.any() else 0.0
    if share >= _WEIGHTY and len(errors) >= FIRST_LOOK:
        name = f"Cluster {names[largest]}" if names is not None else f"The cluster checked as number {largest + 1}"
        yield (
            f"{name} makes {share:.0%} of the variation. The interval does not allow for unchecked ones like it; one "
            "that does is made without the number of all clusters."
        )

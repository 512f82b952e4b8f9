"""Paired randomisation tests over segments or clusters."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from misread.errors import LengthMismatchError, UndefinedResultError
from misread.io.checks.numbers import check_counts
from misread.stats.bootstrap.resampling import check_draws, flipped_sums
from misread.stats.results import TOLERANCE, TestResult, positive_pvalue
from misread.types import BoolArray, FloatArray, IntArray

# Limit of additions for the exact distribution of a sum, about a quarter of a second.
CONVOLUTION_LIMIT = 500_000_000
# Up to this number of differing units, all assignments are tried: 2^15, the rest are mirror images.
ENUMERATION_LIMIT = 16
# Prefix of `method` for tests whose p-value is a share of random exchanges.
MONTE_CARLO = "Monte Carlo"
# Far tails are cut here, above the subnormal numbers that slow processors down.
NEGLIGIBLE = 1e-290


def sign_flip(
    differences: IntArray, *, length: int, resamples: int, seed: int, alpha: float, unit: str = "segment"
) -> TestResult:
    """Test a difference of corpus rates by flipping the signs of the differences of errors, shape (units,); two-sided.

    Both systems have the same reference, so exchanging them in one unit (a segment, or better a whole page,
    book or speaker) changes the sign of its difference of errors and nothing else. If the systems were
    interchangeable, all these signs would be equally likely. The p-value is the share of sign patterns whose sum is at
    least as far from 0 as the observed one. The same holds for any other count over a denominator that both systems
    share in every unit, such as wrong segments over segments.

    Statistic: the sum of the differences over `length`, the reference units of the corpus. Effect size: dominance,
    the share of units with a positive difference minus that with a negative one. Method "exact" (the distribution of
    the sum by convolution, or all patterns of up to 16 units), or Monte Carlo with p = (r + 1) / (resamples + 1) if the
    sum has too many values; without a difference in any unit p = 1, method "none". Only a note depends on `alpha`.

    Fisher (1935), The Design of Experiments, section 21; Noreen (1989), Computer-intensive Methods for Testing
    Hypotheses; Pagano & Tritchler (1983), On obtaining permutation distributions in polynomial time; Phipson & Smyth
    (2010), Permutation p-values should never be zero.
    """
    differences = check_counts("differences", differences)
    resamples, seed = _check(len(differences), unit, resamples, seed)
    if length < 1:
        raise UndefinedResultError(f"a difference of rates needs reference units; the reference has {length}.")
    observed = int(differences.sum())
    rows = differences[differences != 0].astype(np.int64)[:, np.newaxis]
    divisor = max(1, int(np.gcd.reduce(differences)))
    magnitudes = np.sort(np.abs(rows[:, 0])) // divisor
    if len(rows) <= ENUMERATION_LIMIT and _additions(magnitudes) > 2**ENUMERATION_LIMIT:
        # For few units with large differences, trying all patterns is less work.
        extreme = _Extreme("exact", float(np.mean(np.abs(observed - 2 * _all_exchanges(rows)) >= abs(observed))))
    elif _additions(magnitudes) <= CONVOLUTION_LIMIT:
        extreme = _Extreme("exact", _tail(magnitudes, abs(observed) // divisor))
    else:
        flipped = observed - 2 * flipped_sums(rows, resamples, seed)[:, 0]
        extreme = _monte_carlo(np.abs(flipped) >= abs(observed))
    return _result(observed / length, np.sign(differences), extreme, alpha=alpha, unit=unit)


def randomisation_test(
    baseline: IntArray,
    system: IntArray,
    rate: Callable[[IntArray], FloatArray],
    *,
    resamples: int,
    seed: int,
    alpha: float,
    unit: str = "segment",
) -> TestResult:
    """Test a difference of any corpus score by exchanging the two systems' counts unit by unit; two-sided.

    Like `sign_flip`, for scores such as F1, which are no sum of differences over a shared denominator. Each exchange
    swaps the counts of a random half of the units and computes both scores again. The p-value is the share of
    exchanges whose difference is at least as far from 0 as the observed one.

    Parameters
    ----------
    baseline, system : int64 array, shape (units, columns)
        Additive counts of each unit (a segment, or better a whole page, book or speaker).
    rate : callable
        Score of summed counts, shape (..., columns) -> (...).
    resamples : int
        Exchanges to draw if there are too many to try all: above 16 units with different counts.
    seed : int
        Seed of the random sequence, from 0 to 2^63 - 1; not used if p is exact.
    alpha : float
        Level for p; only a note depends on it.
    unit : str
        What one row belongs to: "segment", or the name of the cluster column.

    Returns
    -------
    TestResult
        Statistic: score of the system minus score of the baseline. Effect size: dominance, the share of units whose
        exchange lowers the difference minus the share whose exchange raises it. Method "exact" (all exchanges) or Monte
        Carlo with p = (r + 1) / (resamples + 1). `extra` as in `sign_flip`. An exchange without a defined score counts
        as extreme, which can only raise p.

    Raises
    ------
    LengthMismatchError
        If the systems differ in units or columns.
    UndefinedResultError
        If there is no unit, or the observed difference is undefined.
    ConfigurationError
        If `resamples` or `seed` is out of range.

    References
    ----------
    Noreen (1989), Computer-intensive Methods for Testing Hypotheses; Yeh (2000), More accurate tests for the
    statistical significance of result differences (F1 and its kin); Phipson & Smyth (2010).

    Examples
    --------
    >>> import numpy as np
    >>> def f1(counts):
    ...     return 2 * counts[..., 0] / (counts[..., 1] + counts[..., 2])
    >>> baseline = np.array([[1, 4, 5], [2, 4, 4], [3, 5, 5], [1, 3, 4]])
    >>> system = np.array([[3, 4, 4], [4, 4, 4], [4, 5, 5], [2, 3, 3]])
    >>> result = randomisation_test(baseline, system, f1, resamples=999, seed=1, alpha=0.05)
    >>> round(result.statistic, 3), result.pvalue
    (0.401, 0.125)
    """
    if baseline.shape != system.shape:
        raise LengthMismatchError(f"the baseline has counts of shape {baseline.shape} and the system {system.shape}.")
    resamples, seed = _check(len(baseline), unit, resamples, seed)
    rows = (system - baseline).astype(np.int64)
    differing = rows[np.any(rows != 0, axis=1)]

    def difference(moved: IntArray) -> FloatArray:
        return rate(system.sum(axis=0) - moved) - rate(baseline.sum(axis=0) + moved)

    observed = float(difference(np.zeros(rows.shape[1], dtype=np.int64)))
    if not math.isfinite(observed):
        raise UndefinedResultError(f"the observed difference is {observed}: at least one system has no finite score.")
    exact = len(differing) <= ENUMERATION_LIMIT
    flipped = difference(_all_exchanges(differing) if exact else flipped_sums(differing, resamples, seed))
    is_extreme = ~(np.abs(flipped) < abs(observed) - TOLERANCE)
    extreme = _Extreme("exact", float(np.mean(is_extreme))) if exact else _monte_carlo(is_extreme)
    pull = np.nan_to_num(observed - difference(rows))
    signs = np.where(np.abs(pull) <= TOLERANCE, 0, np.sign(pull)).astype(np.int64)
    undefined = int(np.count_nonzero(np.isnan(flipped)))
    return _result(observed, signs, extreme, differing=len(differing), undefined=undefined, alpha=alpha, unit=unit)


@dataclass(frozen=True)
class _Extreme:
    """Share of sign patterns at least as extreme as the observed one, and how it was computed."""

    method: str
    share: float
    floor: float = 0.0


def _check(units: int, unit: str, resamples: int, seed: int) -> tuple[int, int]:
    if units == 0:
        raise UndefinedResultError(f"randomisation needs at least one {unit}; got none.")
    return check_draws(resamples, seed)


def _additions(magnitudes: IntArray) -> int:
    return int(np.cumsum(magnitudes, dtype=np.float64).sum())


def _tail(magnitudes: IntArray, observed: int) -> float:
    """Probability that the sum of randomly signed magnitudes is at least `observed` away from 0."""
    probabilities = _subset_sums(magnitudes)
    signed = 2 * np.arange(len(probabilities)) - (len(probabilities) - 1)
    return float(probabilities[np.abs(signed) >= observed].sum())


def _subset_sums(magnitudes: IntArray) -> FloatArray:
    """Distribution of the sum of a random subset that includes each number with probability 1/2."""
    probabilities = np.zeros(int(magnitudes.sum()) + 1)
    probabilities[0] = 1.0
    low, high = 0, 0
    for magnitude in magnitudes.tolist():
        half = probabilities[low : high + 1] / 2
        probabilities[low : high + 1] = half
        probabilities[low + magnitude : high + magnitude + 1] += half
        high += magnitude
        while probabilities[low] < NEGLIGIBLE:
            probabilities[low] = 0.0
            low += 1
        while probabilities[high] < NEGLIGIBLE:
            probabilities[high] = 0.0
            high -= 1
    return probabilities


def _all_exchanges(rows: IntArray) -> IntArray:
    """Sum of every subset of the rows without the last one, shape (subsets, columns).

    Exchanging the complement mirrors the difference, which a two-sided test treats alike.
    """
    sums = np.zeros((1, rows.shape[1]), dtype=np.int64)
    for row in rows[:-1]:
        sums = np.concatenate([sums, sums + row])
    return sums


def _monte_carlo(is_extreme: BoolArray) -> _Extreme:
    patterns = len(is_extreme)
    share = (1 + int(np.count_nonzero(is_extreme))) / (1 + patterns)
    return _Extreme(f"{MONTE_CARLO}, {patterns} flips", share, floor=1 / (1 + patterns))


def _result(
    observed: float,
    signs: IntArray,
    extreme: _Extreme,
    *,
    alpha: float,
    unit: str,
    differing: int | None = None,
    undefined: int = 0,
) -> TestResult:
    positive, negative = int(np.count_nonzero(signs > 0)), int(np.count_nonzero(signs < 0))
    differing = positive + negative if differing is None else differing
    smallest = max(smallest_pvalue(differing), extreme.floor)
    return TestResult(
        name="randomisation",
        statistic=observed,
        pvalue=positive_pvalue(max(extreme.share, smallest)),
        effect_size=(positive - negative) / len(signs),
        effect_size_name="dominance",
        n=len(signs),
        dropped=0,
        method=extreme.method if differing else "none",
        unit=unit,
        notes=_notes(differing, smallest, undefined, alpha=alpha, unit=unit),
        extra={
            "positive": positive,
            "negative": negative,
            "equal": len(signs) - positive - negative,
            "smallest_pvalue": smallest,
        },
    )


def smallest_pvalue(units: int) -> float:
    """Smallest two-sided p-value of flipping the signs of this number of units: 2 of 2^units patterns, never 0."""
    return positive_pvalue(0.5 ** (units - 1)) if units else 1.0


def _notes(differing: int, smallest: float, undefined: int, *, alpha: float, unit: str) -> tuple[str, ...]:
    if differing == 0:
        return (f"The systems have equal counts in every {unit}: p is 1 by definition.",)
    notes = []
    if smallest >= alpha:
        notes.append(f"n too small: {differing} differing ({unit}) cannot give a p-value below {smallest:.3g}.")
    if undefined:
        notes.append(f"The score is undefined in {undefined} exchanges; they count as extreme.")
    return tuple(notes)

"""Friedman's test of several systems over several data sets, and Nemenyi's test of all their pairs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np
import scipy

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.io.checks.numbers import check_table
from misread.metrics import Direction
from misread.stats.results import DECIMALS, TOLERANCE, TestResult, positive_pvalue
from misread.types import FloatArray

# With fewer blocks, chi-square approximates the distribution of the statistic poorly.
FEW_BLOCKS = 10


def friedman_test(scores: FloatArray, *, unit: str = "data set") -> TestResult:
    """Test whether several systems have the same ranks on average over blocks.

    Blocks must be independent: data sets, or clusters such as books or speakers, not lines of one page.

    Parameters
    ----------
    scores : float64 array, shape (blocks, systems)
        Score of every system on every block. Rounded to 9 decimals, so that equal scores tie.
    unit : str
        Kind of block.

    Returns
    -------
    TestResult
        Statistic: Friedman's chi-square, corrected for ties. Effect size: Kendall's coefficient of concordance W,
        from 0 (no agreement of ranks) to 1 (the same order in every block). `extra`: systems, uncorrected (without the
        correction for ties, as in older papers), iman_davenport and its p-value, which is less conservative. If all
        systems tie in every block: p = 1, statistic 0, method "none".

    Raises
    ------
    InputTypeError
        If the scores are not rows of numbers.
    UndefinedResultError
        If there are fewer than three systems or two blocks, or a score is not finite.

    References
    ----------
    Friedman (1937), The use of ranks to avoid the assumption of normality; Iman & Davenport (1980), Approximations
    of the critical region of the Friedman statistic; Demšar (2006), Statistical comparisons of classifiers over
    multiple data sets, section 3.2.2.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.1, 0.3, 0.5], [0.2, 0.4, 0.6]])
    >>> result = friedman_test(scores)
    >>> round(result.statistic, 3), round(result.pvalue, 4), round(result.effect_size, 4)
    (6.5, 0.0388, 0.8125)
    """
    scores = check_table("scores", scores)
    ranks = _ranks(scores)
    blocks, systems = ranks.shape
    uncorrected = 12 * blocks / (systems * (systems + 1)) * float(np.sum((ranks.mean(axis=0) - (systems + 1) / 2) ** 2))
    tied = bool(np.all(ranks == ranks[0, 0]))
    test = None if tied else scipy.stats.friedmanchisquare(*ranks.T)
    statistic, pvalue = (float(test.statistic), float(test.pvalue)) if test else (0.0, 1.0)
    f, f_pvalue = iman_davenport(statistic, blocks=blocks, systems=systems)
    return TestResult(
        name="friedman",
        statistic=statistic,
        pvalue=positive_pvalue(pvalue),
        effect_size=statistic / (blocks * (systems - 1)),
        effect_size_name="kendalls_w",
        n=blocks,
        dropped=0,
        method="none" if tied else "chi-square",
        unit=unit,
        notes=_notes(blocks, unit, tied=tied),
        extra={"systems": systems, "uncorrected": uncorrected, "iman_davenport": f, "iman_davenport_pvalue": f_pvalue},
    )


def average_ranks(scores: FloatArray, *, direction: Direction) -> FloatArray:
    """Rank the systems on every block, 1 for the best, ties shared, and average; (blocks, systems) -> (systems,)."""
    scores = check_table("scores", scores)
    averages: FloatArray = _ranks(scores if direction is Direction.LOWER_IS_BETTER else -scores).mean(axis=0)
    return averages


def iman_davenport(chi_square: float, *, blocks: int, systems: int) -> tuple[float, float]:
    """Friedman's chi-square as an F statistic, whose type I error is closer to the level, and its p-value.

    F has systems - 1 and (systems - 1)(blocks - 1) degrees of freedom; if all blocks agree on the order it is infinite,
    and the largest float represents it. Iman & Davenport (1980), Approximations of the critical region of the Friedman
    statistic.
    """
    left = blocks * (systems - 1) - chi_square
    unbounded = left <= TOLERANCE * blocks * systems
    f = float(np.finfo(np.float64).max) if unbounded else (blocks - 1) * chi_square / left
    pvalue = scipy.stats.f.sf(f, systems - 1, (systems - 1) * (blocks - 1))
    return f, positive_pvalue(0.0 if unbounded else float(pvalue))


def _ranks(scores: FloatArray) -> FloatArray:
    blocks, systems = scores.shape
    if systems < 3:
        raise UndefinedResultError(f"Friedman's test needs at least 3 systems, got {systems}; two have paired tests.")
    if blocks < 2:
        raise UndefinedResultError(f"Friedman's test needs at least 2 blocks to compare ranks over; got {blocks}.")
    if not np.isfinite(scores).all():
        row, column = np.argwhere(~np.isfinite(scores))[0].tolist()
        raise UndefinedResultError(f"system {column + 1} has no finite score on block {row + 1}: ranks are undefined.")
    ranks: FloatArray = scipy.stats.rankdata(np.round(scores, DECIMALS), axis=1)
    return ranks


def _notes(blocks: int, unit: str, *, tied: bool) -> tuple[str, ...]:
    if tied:
        return ("All systems tie everywhere: p is 1 by definition.",)
    if blocks < FEW_BLOCKS:
        return (f"The chi-square approximation is poor for {blocks} blocks ({unit}).",)
    return ()


@dataclass(frozen=True, kw_only=True)
class RankedPair:
    """Two systems, and the p-value of the difference of their average ranks, adjusted for all pairs by construction."""

    better: str
    worse: str
    pvalue: float


@dataclass(frozen=True, kw_only=True)
class NemenyiResult:
    """Average ranks, and which of them differ significantly."""

    average_ranks: Mapping[str, float] = field(hash=False)  # 1 is the best on every block; best first
    critical_difference: float  # of two average ranks that differ at level `alpha`
    alpha: float  # family-wise level of all pairs
    blocks: int  # number of data sets or clusters that ranks were averaged over
    pairs: tuple[RankedPair, ...]

    @property
    def separated(self) -> tuple[tuple[str, str], ...]:
        """Pairs that differ, the better one first."""
        ranks = self.average_ranks
        return tuple(
            (better, worse)
            for better, worse in combinations(ranks, 2)
            if ranks[worse] - ranks[better] > self.critical_difference
        )


def nemenyi_test(scores: FloatArray, systems: Sequence[str], *, direction: Direction, alpha: float) -> NemenyiResult:
    """Compare the average ranks of all pairs of systems, after Friedman's test has found a difference.

    Parameters
    ----------
    scores : float64 array, shape (blocks, systems)
        Score of every system on every block: data sets, or clusters such as books; not lines of one page.
    systems : sequence of str
        Their names.
    direction : Direction
        Direction in which the score improves.
    alpha : float
        Family-wise level of all pairs, inside (0, 1).

    Returns
    -------
    NemenyiResult
        If all scores are equal, all ranks are equal and every p-value is 1.

    Raises
    ------
    InputTypeError
        If the scores are not rows of numbers.
    LengthMismatchError
        If there is not one name per system.
    UndefinedResultError
        If there are fewer than three systems or two blocks, or a score is not finite.
    ConfigurationError
        If alpha is not inside (0, 1).

    References
    ----------
    Nemenyi (1963), Distribution-free multiple comparisons; Demšar (2006), Statistical comparisons of classifiers over
    multiple data sets, section 3.2.2.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.tile([[0.1, 0.2, 0.3]], (10, 1))
    >>> result = nemenyi_test(scores, ["a", "b", "c"], direction=Direction.LOWER_IS_BETTER, alpha=0.05)
    >>> round(result.critical_difference, 3), result.separated
    (1.048, (('a', 'c'),))
    """
    if not 0 < alpha < 1:
        raise ConfigurationError(f"alpha is {alpha}, expected a number between 0 and 1.")
    scores = check_table("scores", scores)
    if scores.shape[1] != len(systems):
        raise LengthMismatchError(f"{scores.shape[1]} systems have scores, but {len(systems)} have a name.")
    averages = average_ranks(scores, direction=direction)
    blocks, number = scores.shape
    ranks = {systems[index]: float(averages[index]) for index in np.argsort(averages, kind="stable").tolist()}
    # The studentized range is for single means; a difference of two adds a factor of the root of two.
    error = math.sqrt(number * (number + 1) / (6 * blocks)) / math.sqrt(2)
    pairs = list(combinations(ranks, 2))
    ranges = [(ranks[worse] - ranks[better]) / error for better, worse in pairs]
    pvalues = np.asarray(scipy.stats.studentized_range.sf(ranges, number, np.inf))
    return NemenyiResult(
        average_ranks=ranks,
        critical_difference=_critical_range(alpha, number) * error,
        alpha=alpha,
        blocks=blocks,
        pairs=tuple(
            RankedPair(better=better, worse=worse, pvalue=positive_pvalue(pvalue))
            for (better, worse), pvalue in zip(pairs, pvalues.tolist(), strict=True)
        ),
    )


@cache
def _critical_range(alpha: float, number: int) -> float:
    """Range of `number` means that is exceeded with probability `alpha`, by a slow iteration."""
    return float(scipy.stats.studentized_range.ppf(1 - alpha, number, np.inf))

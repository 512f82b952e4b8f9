"""Nemenyi's test of the average ranks of several systems."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np
import scipy

from misread.errors import ConfigurationError, LengthMismatchError
from misread.io.checks.numbers import check_table
from misread.metrics import Direction
from misread.stats.results import positive_pvalue
from misread.stats.significance.friedman import average_ranks
from misread.types import FloatArray


@dataclass(frozen=True, kw_only=True)
class RankedPair:
    """Two systems, and the p-value of the difference of their average ranks, adjusted for all pairs by construction."""

    better: str
    worse: str
    pvalue: float


@dataclass(frozen=True, kw_only=True)
class NemenyiResult:
    """Average ranks, and which of them differ significantly."""

    average_ranks: Mapping[str, float] = field(hash=False)  # 1 would be the best on every block; best first
    critical_difference: float  # of two average ranks that differ at level `alpha`
    alpha: float  # level of all pairs together
    blocks: int  # data sets, or clusters, that ranks were averaged over
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
    """Compare the average ranks of all pairs of systems at once, after Friedman's test has found a difference.

    Parameters
    ----------
    scores : float64 array, shape (blocks, systems)
        Score of every system on every block: data sets, or clusters such as books; not lines of one page.
    systems : sequence of str
        Their names.
    direction : Direction
        Which way the score gets better.
    alpha : float
        Level of all pairs together, inside (0, 1).

    Returns
    -------
    NemenyiResult
        With equal scores everywhere all ranks are the same and every p-value is 1.

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
    # The studentized range is for single means; a difference of two has the root of two in it.
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
    """Range of so many means that is exceeded with probability `alpha`; found by iteration, which takes a while."""
    return float(scipy.stats.studentized_range.ppf(1 - alpha, number, np.inf))

"""Alpha spending: looking again and again without the error rate growing."""

from __future__ import annotations

import math
from typing import Literal, get_args

import scipy

from misread.errors import ConfigurationError, UnknownNameError

SpendingFunction = Literal["obrien_fleming", "pocock"]


def spent_alpha(share: float, *, alpha: float, spending: SpendingFunction) -> float:
    """Alpha that may have been used up after a share of all looks.

    Parameters
    ----------
    share : float
        Looks so far over looks planned, in [0, 1].
    alpha : float
        Error rate of all looks together, two-sided, inside (0, 1).
    spending : {"obrien_fleming", "pocock"}
        "obrien_fleming" keeps nearly all for the last looks: 4 - 4 Phi(z / sqrt(share)) with z the normal quantile of
        1 - alpha / 4. "pocock" spends about evenly: alpha ln(1 + (e - 1) share).

    Returns
    -------
    float
        0 before the first look, `alpha` after the last.

    Raises
    ------
    ConfigurationError
        If a number is out of range.
    UnknownNameError
        If there is no such function.

    References
    ----------
    Lan & DeMets (1983), Discrete sequential boundaries for clinical trials; O'Brien & Fleming (1979), A multiple
    testing procedure for clinical trials; Pocock (1977), Group sequential methods in the design and analysis of
    clinical trials; DeMets & Lan (1994), Interim analysis: the alpha spending function approach.

    Examples
    --------
    >>> [round(spent_alpha(share, alpha=0.05, spending="obrien_fleming"), 4) for share in (0.4, 0.6, 0.8, 1.0)]
    [0.0008, 0.0076, 0.0244, 0.05]
    >>> round(spent_alpha(0.2, alpha=0.05, spending="pocock"), 4)
    0.0148
    """
    if spending not in get_args(SpendingFunction):
        raise UnknownNameError("spending function", spending, get_args(SpendingFunction))
    if not 0 < alpha < 1:
        raise ConfigurationError(f"alpha is {alpha}, expected a number between 0 and 1.")
    if not 0 <= share <= 1:
        raise ConfigurationError(f"the share of looks is {share}, expected a number from 0 to 1.")
    if share == 0:
        return 0.0
    if spending == "pocock":
        return alpha * math.log(1 + (math.e - 1) * share)
    # Half of alpha on either side, each spent by the one-sided function.
    quantile = float(scipy.stats.norm.isf(alpha / 4))
    return float(4 * scipy.stats.norm.sf(quantile / math.sqrt(share)))


def level_of_look(look: int, looks: int, *, alpha: float, spending: SpendingFunction) -> float:
    """Level at which one look may call a difference significant.

    It is what the spending function releases between the look before and this one. The levels of all looks add up
    to alpha, so that the probability of any false alarm stays below alpha however the looks depend on each other:
    commits scored on the same segments do not gather independent information, as the patients of a trial do, and the
    sharper boundaries for those would promise too much.

    Parameters
    ----------
    look : int
        Number of this look, from 1.
    looks : int
        Number of looks planned.
    alpha : float
        Error rate of all looks together, inside (0, 1).
    spending : {"obrien_fleming", "pocock"}
        As in `spent_alpha`.

    Returns
    -------
    float

    Raises
    ------
    ConfigurationError
        If the look is not among those planned, or alpha is out of range.
    UnknownNameError
        If there is no such function.

    References
    ----------
    Lan & DeMets (1983), Discrete sequential boundaries for clinical trials; Bonferroni's inequality.

    Examples
    --------
    >>> [round(level_of_look(look, 4, alpha=0.05, spending="pocock"), 4) for look in (1, 2, 3, 4)]
    [0.0179, 0.0131, 0.0104, 0.0086]
    """
    if not 1 <= look <= looks:
        raise ConfigurationError(f"look {look} of {looks}: expected one from 1 to the number of looks planned.")
    before = spent_alpha((look - 1) / looks, alpha=alpha, spending=spending)
    return spent_alpha(look / looks, alpha=alpha, spending=spending) - before

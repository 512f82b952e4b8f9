"""Alpha spending: repeated looks (optional stopping) at a controlled error rate."""

import math
from typing import Literal

import scipy

from misread.checks.choices import check_choice
from misread.errors import ConfigurationError

SpendingFunction = Literal["obrien_fleming", "pocock"]


def spent_alpha(share: float, *, alpha: float, spending: SpendingFunction) -> float:
    """Two-sided alpha that may be used up after this share of the looks planned: from 0 to all of it.

    "obrien_fleming" keeps nearly all for the last looks: 4 - 4 Phi(z / sqrt(share)) with z the normal quantile of 1 -
    alpha / 4. "pocock" spends about evenly: alpha ln(1 + (e - 1) share).

    Lan & DeMets (1983), Discrete sequential boundaries for clinical trials; O'Brien & Fleming (1979), A multiple
    testing procedure for clinical trials; Pocock (1977), Group sequential methods in the design and analysis of
    clinical trials; DeMets & Lan (1994), Interim analysis: the alpha spending function approach.
    """
    check_choice("spending function", spending, SpendingFunction)
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
    """Level at which one look, counted from 1, may call a difference significant.

    It is what the spending function releases between the look before and this one. The levels of all looks add up to
    alpha, so that the probability of any false alarm stays below alpha however the looks depend on each other
    (Bonferroni): commits scored on the same segments do not gather independent information, as the patients of a trial
    do, and the sharper boundaries for those would promise too much.
    """
    if not 1 <= look <= looks:
        raise ConfigurationError(f"look {look} of {looks}: expected one from 1 to the number of looks planned.")
    before = spent_alpha((look - 1) / looks, alpha=alpha, spending=spending)
    return spent_alpha(look / looks, alpha=alpha, spending=spending) - before

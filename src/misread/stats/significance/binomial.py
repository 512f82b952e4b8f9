"""Probabilities and intervals of the binomial distribution.

They are those of scipy.stats to the last digits; loading that package takes longer than most comparisons.
"""

import scipy


def binomial_tail(least: int, trials: int, probability: float) -> float:
    """Probability of `least` successes or more."""
    if not 0 < least <= trials:
        return 1.0 if least <= 0 else 0.0
    # `bdtrc` has fewer correct digits the more trials there are: nine for a million, one for a hundred million.
    return float(scipy.special.betainc(least, trials - least + 1, probability))


def clopper_pearson(successes: float, trials: int, confidence: float) -> tuple[float, float]:
    """Exact interval of a probability of success (Clopper & Pearson 1934)."""
    tail, failures = (1 - confidence) / 2, trials - successes
    low = float(scipy.special.betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(scipy.special.betainccinv(successes + 1, failures, tail)) if failures else 1.0
    return low, high

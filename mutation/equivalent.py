"""Faults that no test can tell, because nothing that can be seen differs, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EQUIVALENT: Final[Mapping[str, str]] = {
    "stats/compare/average_ranks.py rank_over_datasets: 0 -> 1 #2": (
        "a metric has the same direction on every data set, so that the second result says the same as the first"
    ),
    "stats/significance/run_effect.py _group: clusters <= _MOST_UNITS -> (clusters < _MOST_UNITS)": (
        "as many groups as clusters are the clusters themselves, in another order, which no sum depends on"
    ),
    "metrics/text/confidence.py _join: numbers <= 1 -> (numbers < 1) #2": (
        "a confidence of 1 then goes through the checks that name what is wrong, which pass, to the same array"
    ),
    'metrics/text/evaluation.py evaluate_prediction: check_text("hypothesis", hypothesis) -> pass': (
        "the metrics check both sides as well, and name the same one"
    ),
    "metrics/text/confidence.py _join: {*map(type, flat)} <= {float, int} -> ({*map(type, flat)} < {float, int})": (
        "numbers of both types then go through the checks that name what is wrong, which pass, to the same array"
    ),
    "metrics/text/line_matching.py _count_pages: 1 -> 2 #2": (
        "the search takes the first reference, so that a second one is encoded and never looked at"
    ),
    "stats/significance/agreement.py kappa_of: 1.0 -> 2.0": (
        "where chance alone gives 1, the quotient is 0 / 0, which is NaN as well"
    ),
}

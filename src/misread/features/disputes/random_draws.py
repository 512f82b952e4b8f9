"""Random draws of whole clusters, which a person types."""

from collections.abc import Mapping
from itertools import accumulate
from typing import Final

import numpy as np

from misread.errors import UndefinedResultError, setting
from misread.text.nouns import plural

FEWEST_CLUSTERS: Final = 2


def draw_clusters(characters: Mapping[str, int], budget: int, seed: int, unit: str) -> list[str]:
    """Clusters in random order, as many as fit a budget of characters.

    The first that does not fit ends the draw: to go on with smaller ones would prefer small clusters. Raises
    UndefinedResultError if fewer than two fit.
    """
    names = sorted(characters)
    order = [names[row] for row in np.random.default_rng(seed).permutation(len(names))]
    sums = list(accumulate(characters[name] for name in order))
    drawn = [name for name, total in zip(order, sums, strict=True) if total <= budget]
    if len(drawn) < FEWEST_CLUSTERS:
        raise UndefinedResultError(
            f"{setting('budget', str(budget))} pays for {len(drawn)} of {len(names)} {plural(unit)}, and a verdict "
            f"takes {FEWEST_CLUSTERS}: {', '.join(order[:FEWEST_CLUSTERS])} have {sums[FEWEST_CLUSTERS - 1]:,} "
            "characters to type. Give more, or leave it out."
            if len(names) >= FEWEST_CLUSTERS
            else f"there is only one {unit}, too few for the sample of {setting('budget')}; leave it out."
        )
    return drawn

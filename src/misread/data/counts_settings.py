"""Committed counts of a data set: those of every segment, or sums over clusters."""

from dataclasses import dataclass
from typing import Literal

CountsPlace = Literal["git", "cache"]
"""Whether Git or DVC's cache has the counts of every segment."""


@dataclass(frozen=True)
class CountsSettings:
    """Content of `reports/counts/` for a data set; its settings are among those of the data set.

    Parameters
    ----------
    counts : {"git", "cache"}
        "git" commits the counts of every segment where all files of the data set pack to 2 MB at most. "cache", and
        larger ones, commit sums over clusters; the counts of every segment stay in DVC's cache and remote.
    pseudonyms : bool
        Whether ids of segments and names of clusters are replaced by hashes with a key that Git ignores.
    """

    counts: CountsPlace = "git"
    pseudonyms: bool = False

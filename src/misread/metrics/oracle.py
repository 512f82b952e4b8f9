"""The best of several hypotheses: what a system could reach by choosing better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Final, Literal

import numpy as np

from misread.errors import ConfigurationError, InputValueError
from misread.io.checks.numbers import check_whole
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.types import IntArray

ANNOTATION: Final = "nbest"


@dataclass(frozen=True)
class OracleErrorRate(Metric):
    """Error rate of the hypothesis with the fewest errors in a list: the annotation "nbest", best first.

    Parameters
    ----------
    unit : {"char", "word"}
        What is aligned.
    depth : int, optional
        Number of hypotheses of each list that count; all by default.
    """

    unit: Literal["char", "word"]
    depth: int | None = None

    columns = (*ErrorRate("wer", "word").columns, "first_is_best")
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth is not None and check_whole("depth", self.depth) < 1:
            raise ConfigurationError(f"depth of {self.id} is {self.depth}, expected 1 or more.")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 7); of equally good hypotheses the first."""
        lists = _read_lists(pairs, self.id)
        if self.depth is not None:
            lists = [nbest[: self.depth] for nbest in lists]
        if not lists:
            return np.empty((0, len(self.columns)), np.int64)
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        references = list(chain.from_iterable(map(repeat, pairs.references, sizes.tolist())))
        hypotheses = list(chain.from_iterable(lists))
        counts = ErrorRate(self.id, self.unit).count(ScoredText(references, hypotheses))
        starts = np.cumsum(sizes) - sizes
        fewest = np.repeat(np.minimum.reduceat(counts[:, 0], starts), sizes)
        among_best = np.flatnonzero(counts[:, 0] == fewest)
        best = among_best[np.searchsorted(among_best, starts)]
        return np.column_stack([counts[best], best == starts]).astype(np.int64)

    @property
    def counted(self) -> str:
        """Errors in the unit, of one hypothesis of each list."""
        return f"{super().counted} in its best hypotheses"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, depth."""
        depth = "all" if self.depth is None else str(self.depth)
        return {"unit": self.unit, "norm": norm, "align": "unit", "of": f"best-of-{depth}", "empty": "null"}


def _read_lists(pairs: ScoredText, metric: str) -> Sequence[list[str]]:
    lists = pairs.annotation(ANNOTATION, metric)
    # One check of all is faster than one of each.
    if set(map(type, lists)) <= {list} and all(lists) and set(map(type, chain.from_iterable(lists))) <= {str}:
        return lists
    return [_read(value, pairs.name(row)) for row, value in enumerate(lists)]


def _read(value: Any, name: str) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
        shown = (
            "an empty n-best list"
            if value == []
            else "no n-best list"
            if value is None
            else f"{value!r} as its n-best list"
        )
        raise InputValueError(f"{name} has {shown}, expected a list of one text or more.")
    return value

"""Mean of scores that another frame recorded with the outputs; nothing is computed of the texts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from reprlib import repr as shortened
from typing import Any, ClassVar, Literal

import numpy as np

from misread.data.logs import MOST_DIGITS, SCORES, fit_digits
from misread.errors import ConfigurationError, InputValueError, UndefinedResultError, UnknownNameError
from misread.io.checks.numbers import check_whole
from misread.io.json_files import is_number
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.types import BoolArray, IntArray


@dataclass(frozen=True)
class RecordedScore(Metric):
    """Mean of recorded scores, the annotation "scores" of the outputs: by scorer a number, or null for none.

    Parameters
    ----------
    scorer : str
        Whose scores count; may be left out if there is one.
    values : {"share", "number"}
        Whether scores are from 0 to 1, where 1 is passed, or any numbers.
    better : {"higher", "lower"}
        Which scores are better.
    unscored : {"error", "zero", "drop"}
        What an output without a score is: an error, 0, or left out.
    digits : int
        Decimals of a score that count; fewer are needed only where scores are very large or very many.
    """

    scorer: str = ""
    values: Literal["share", "number"] = "share"
    better: Literal["higher", "lower"] = "higher"
    unscored: Literal["error", "zero", "drop"] = "error"
    digits: int = MOST_DIGITS

    columns = ("scaled_score", "scored")
    size_columns = ("scored",)
    uses_references: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= check_whole("digits", self.digits) <= MOST_DIGITS:
            raise ConfigurationError(f"digits of {self.id} is {self.digits}, expected 0 to {MOST_DIGITS}.")

    @property
    def direction(self) -> Direction:
        return Direction(self.better)

    @property
    def kind(self) -> Kind:
        return Kind.SHARE if self.values == "share" else Kind.OTHER

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest possible score."""
        return (0.0, 1.0) if self.values == "share" else (-math.inf, math.inf)

    undefined_reason = "no output was scored"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        scores = [self._read(value, pairs.name(row)) for row, value in enumerate(pairs.annotation(SCORES, self.id))]
        known = [score for score in scores if score is not None]
        if (digits := fit_digits(known)) < self.digits:
            advice = f"recorded(digits={digits}) counts fewer" if digits >= 0 else "write them in a larger unit"
            raise UndefinedResultError(
                f"{len(known):,} scores that sum to {math.fsum(known):,.6g} are too large for {self.digits} decimals; "
                f"{advice}."
            )
        # The product with a power of ten may not be the nearest whole number.
        rows = [(0, 0) if score is None else (round(Decimal(score).scaleb(self.digits)), 1) for score in scores]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 2)

    def quotient(self, counts: IntArray) -> tuple[IntArray, IntArray]:
        """Scores, and the number of them, both in units of the last decimal."""
        return counts[..., 0], counts[..., 1] * 10**self.digits

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether each score is full, or 0 where lower is better; of any numbers there is no full one."""
        full = 0 if self.better == "lower" else 10**self.digits
        exact: BoolArray = (counts[:, 0] == full * counts[:, 1]) & (self.values == "share" or self.better == "lower")
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:  # noqa: ARG002 - no text is looked at
        """Unit, scorer, rule for outputs without a score."""
        return {"unit": "segment", "scorer": self.scorer or "the-only-one", "unscored": self.unscored}

    def _read(self, scores: Any, segment: str) -> float | None:
        """The score of a segment; None if it is left out."""
        value = self._pick(scores or {}, segment)
        if value is None:
            if self.unscored == "error":
                raise UndefinedResultError(
                    f"{segment} has no score by {self.scorer or 'any scorer'}; recorded(unscored=zero) counts such "
                    "outputs as 0, recorded(unscored=drop) leaves them out."
                )
            return 0.0 if self.unscored == "zero" else None
        if not is_number(value):
            raise InputValueError(f"{segment} has the score {shortened(value)}, expected a number within 1e50.")
        if self.values == "share" and not 0 <= value <= 1:
            raise InputValueError(
                f"{segment} has the score {value:g}, expected one from 0 to 1; recorded(values=number) takes others."
            )
        return value

    def _pick(self, scores: Any, segment: str) -> Any:
        if not isinstance(scores, Mapping):
            raise InputValueError(f"{segment} has {scores!r} as its scores, expected an object of numbers by scorer.")
        if self.scorer:
            if scores and self.scorer not in scores:
                raise UnknownNameError("scorer", self.scorer, map(str, scores), where=segment)
            return scores.get(self.scorer)
        if len(scores) > 1:
            raise ConfigurationError(
                f"{segment} has scores of several kinds, {', '.join(map(str, scores))}: name whose count, as in "
                f"recorded(scorer={next(iter(scores))})."
            )
        return next(iter(scores.values()), None)

"""Order in which units are typed, so that the first of them are a sample with known probabilities."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np

from misread.errors import ConfigurationError, InputFileError, UndefinedResultError, setting
from misread.features.disputes.agreement.estimator import Agreement
from misread.types import FloatArray, IntArray

DrawBy = Literal["disagreement", "random"]
"""Units with much text or disagreement are drawn sooner, or all alike."""


def describe_draw(drawn: str) -> str:
    """How units were drawn, in words."""
    return f"drawn {'at' if drawn.startswith('random') else 'by'} {drawn}"


# A size that is as large as its share by rounding alone is certain.
_ROUNDING: Final = 1e-12
_COLUMNS: Final = ("place", "unit", "size", "number", "drawn", "texts")


@dataclass(frozen=True, eq=False)
class Order:
    """All units in the order in which they are typed; the first n are the sample of n, whatever n is."""

    units: Sequence[str]
    size: FloatArray  # to which probabilities are proportional, shape (units,)
    number: FloatArray  # random, from 0 to 1, shape (units,)
    drawn: str  # how
    texts: str  # digest of the outputs
    name: str = "the order"  # in messages

    def probabilities(self, typed: int) -> FloatArray:
        """Probability of each unit to be among the first `typed`, shape (units,)."""
        return inclusion_probabilities(self.size, typed)

    def check_outputs(self, texts: str, units: Sequence[str]) -> None:
        """Raise ConfigurationError if it is the order of other outputs or units."""
        if self.texts != texts or {*self.units} != {*units}:
            raise ConfigurationError(
                f"{self.name} is that of other outputs, or of another normalizer or unit; run `misread plan next` on "
                "these, before more is typed."
            )

    def save(self, path: Path) -> None:
        """Write a CSV file with one row per unit."""
        from misread.io.json_files import write_text
        from misread.tables.render.csv import write_rows

        drawn = zip(self.units, self.size.tolist(), self.number.tolist(), strict=True)
        rows = [
            (position, unit, repr(size), repr(number), self.drawn, self.texts)
            for position, (unit, size, number) in enumerate(drawn, 1)
        ]
        write_text(path, write_rows(_COLUMNS, rows, raw=True))


def inclusion_probabilities(size: FloatArray, number: int) -> FloatArray:
    """Probabilities proportional to size that add up to a number of units; those that would be above 1 are certain."""
    probabilities = np.ones(len(size))
    by_size = np.argsort(-size, kind="stable")
    certain = _certain(*_with_sums(size[by_size]), number)
    rest = by_size[certain:]
    if len(rest):
        total = float(size[rest].sum())
        probabilities[rest] = (number - certain) * size[rest] / total if total else (number - certain) / len(rest)
    return probabilities


def _with_sums(descending: FloatArray) -> tuple[list[float], list[float]]:
    """Sizes, the largest first, and the sum of each and all behind it."""
    return descending.tolist(), (descending[::-1].cumsum()[::-1] * (1 - _ROUNDING)).tolist()


def _certain(descending: list[float], sums: list[float], number: int, start: int = 0) -> int:
    """How many of the largest units are certain to be in a sample of a number of units."""
    certain = start
    while certain < min(number, len(descending)) and (number - certain) * descending[certain] >= sums[certain]:
        certain += 1
    return certain


def order_units(size: FloatArray, number: FloatArray) -> IntArray:
    """Positions of the units in the order of the least sample that they are in: certain, or by number / size.

    Sequential Poisson sampling: Ohlsson (1998), Sequential Poisson sampling, Journal of Official Statistics 14.
    """
    keys = np.divide(number, size, out=np.full(len(size), np.inf), where=size > 0)
    by_key, by_size = np.lexsort((number, keys)).tolist(), np.argsort(-size, kind="stable")
    descending, sums = _with_sums(size[by_size])
    least, is_certain = [0] * len(size), [False] * len(size)
    certain = by_number = turn = 0
    for units in range(1, len(size) + 1):
        before, certain = certain, _certain(descending, sums, units, certain)
        for unit in by_size[before:certain].tolist():
            is_certain[unit] = True
            by_number -= least[unit] > 0
            least[unit] = least[unit] or units
        while by_number < units - certain:
            unit, turn = by_key[turn], turn + 1
            if not is_certain[unit]:
                by_number, least[unit] = by_number + 1, units
    return np.lexsort((keys, least))


def sizes(agreement: Agreement, by_length: float | None) -> tuple[FloatArray, float]:
    """Size of each unit: a share of its text, and the rest of its disagreement, each pair of systems alike.

    By default half of each; where some units are without any disagreement, as much more of their text.
    """
    lengths = agreement.sum_by_unit(agreement.lengths.mean(axis=1))
    pairs = [(a, b) for a in range(agreement.systems) for b in range(a)]
    disagreements = [agreement.sum_by_unit(agreement.distances[:, a, b]) for a, b in pairs]
    shares = [values / values.sum() for values in disagreements if values.sum()]
    disagreement = np.mean(shares, axis=0) if shares else np.zeros(len(lengths))
    if by_length is None:
        by_length = (1 + float((disagreement == 0).mean())) / 2 if shares else 1.0
    total = float(lengths.sum())
    return by_length * lengths / (total or 1.0) + (1 - by_length) * disagreement, by_length


def draw_units(
    agreement: Agreement, units: Sequence[str], *, draw: DrawBy, seed: int, texts: str, by_length: float | None = None
) -> Order:
    """Draw the order once; a sample may be prolonged later, by a number that does not depend on results.

    Raises
    ------
    ConfigurationError
        If `by_length` is not between 0, exclusive, and 1, or units are drawn at random.
    UndefinedResultError
        If the texts are empty.
    """
    if by_length is not None and (draw == "random" or not 0 < by_length <= 1):
        raise ConfigurationError(
            f"{setting('by_length')} is {by_length:g}, expected a share above 0, up to 1, for a draw by disagreement."
        )
    number = np.random.default_rng(seed).random(len(units))
    size, share = np.full(len(units), 1 / len(units)), math.nan
    if draw == "disagreement":
        size, share = sizes(agreement, by_length)
        if not size.any():
            raise UndefinedResultError("all outputs are empty: no unit is drawn sooner than another.")
    order = order_units(size, number)
    drawn = f"random(seed={seed})" if draw == "random" else f"disagreement({share:.3g},seed={seed})"
    return Order([units[unit] for unit in order], size[order], number[order], drawn, texts)


def read_order(path: Path) -> Order:
    """Read what `Order.save` wrote; raises InputFileError for a file that is not one."""
    from misread.data.formats.tables import read_rows

    rows = read_rows(path, encoding="utf-8-sig")
    try:
        columns = {name: rows.words(name) for name in _COLUMNS}
        size, number = (np.array([float(cell or "") for cell in columns[name]]) for name in ("size", "number"))
        is_whole = columns["place"] == [str(row) for row in range(1, len(size) + 1)]
    except (KeyError, ValueError):
        is_whole = False
    if not is_whole or not len(size) or not np.isfinite(size).all() or size.min() < 0:
        raise InputFileError(
            f"{path}: expected the order that `misread plan next --out` wrote, whole and in its order."
        )
    units, drawn, texts = ([cell or "" for cell in columns[name]] for name in ("unit", "drawn", "texts"))
    return Order(units, size, number, drawn[0], texts[0], str(path))

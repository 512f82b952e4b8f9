"""Rates, differences and their verdicts from agreement, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misread.features.disputes.agreement.estimator import AgreedRate
from misread.provenance.signature import Signature


@dataclass(frozen=True, kw_only=True)
class AgreedDifference:
    """Difference of two systems, the second less the first."""

    baseline: str
    system: str
    difference: AgreedRate
    pvalue_adjusted: float | None  # None without a test
    verdict: str  # "better", "worse" or "inconclusive"


@dataclass(frozen=True, kw_only=True)
class AgreedRecord:
    """Rates of all texts from typed units and from agreement."""

    metric: str
    unit: str
    units: int
    typed: int
    drawn: str
    such: bool
    rates: Mapping[str, AgreedRate]
    pairs: Sequence[AgreedDifference]
    groups: Mapping[str, Mapping[str, AgreedRate | None]]  # by group and system; None with too few typed units
    warnings: Sequence[str]
    signature: Signature

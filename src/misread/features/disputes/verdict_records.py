"""What the truth of disputed spans says of systems, as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from misread.evaluation.system_pairs import Pairs
from misread.provenance.signature import Signature
from misread.stats import DatasetResult, PairComparison


@dataclass(frozen=True, kw_only=True)
class DisputedRate:
    """What is known of the rate of one system.

    Attributes
    ----------
    at_least, at_most : float
        The rate if all agreed text is right, and if all of it is wrong.
    """

    at_least: float
    at_most: float


@dataclass(frozen=True, kw_only=True)
class SuspiciousTruth:
    """A truth that is far from everything that was read."""

    segment_id: str
    truth: str
    readings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class VerdictRecord:
    """What the truth of the spans says of the systems.

    Attributes
    ----------
    result : DatasetResult
        The comparison of all systems with the truth as it was typed, and agreed text taken as right. Its differences
        hold; its rates are lower bounds.
    rates : mapping of str to mapping of str to DisputedRate
        By system and metric.
    spans, unreadable : int
        Numbers of spans: all, and those that cannot be read.
    characters, share : int, float
        Characters of the truth in all spans, and their share of those of all segments.
    suspicious : tuple of SuspiciousTruth
        Truths that are far from everything that was read; they count as they are.
    notes : tuple of str
        How typed truths differ from all readings in form, such as decomposed letters.
    signature : Signature
        Of the comparison; `truth` says where the truth comes from.
    """

    result: DatasetResult
    rates: Mapping[str, Mapping[str, DisputedRate]]
    spans: int
    unreadable: int
    characters: int
    share: float
    suspicious: tuple[SuspiciousTruth, ...]
    notes: tuple[str, ...]

    @property
    def signature(self) -> Signature:
        """Signature of the comparison."""
        return self.result.signature

    @property
    def pairs(self) -> Mapping[tuple[str, str], Mapping[str, PairComparison]]:
        """Differences by pair and metric, as of `Evaluation`: `pairs["a", "b"]["cer"].verdict`."""
        return Pairs(self.result)

    def __repr__(self) -> str:
        return f"<Verdict on {', '.join(self.rates)} from {self.spans:,} spans>"

    def to_record(self) -> dict[str, object]:
        """All of it for JSON; of the comparison what agreed text taken as right does not change."""
        return {
            "spans": self.spans,
            "unreadable": self.unreadable,
            "characters": self.characters,
            "share": self.share,
            "comparisons": self.result.comparisons,
            "rates": self.rates,
            "suspicious": self.suspicious,
            "notes": self.notes,
            "segments": self.result.segments,
            "clusters": self.result.clusters,
            "warnings": self.result.warnings,
            "signature": self.signature,
        }

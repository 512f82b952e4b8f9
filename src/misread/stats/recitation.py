"""Readers that may recite a published text in place of reading the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misread.provenance.signature import Signature


@dataclass(frozen=True, kw_only=True)
class RecitedWord:
    """A word that a system reads as the reference has it, all others alike in another way without parallel."""

    segment_id: str
    start: int  # first character in the normalized hypothesis of the system
    end: int  # one past the last
    reference: str
    reading: str  # of all other systems


@dataclass(frozen=True, kw_only=True)
class RecitedDocument:
    """Disputed words of one cluster, or of one segment where there are no clusters."""

    document: str
    disputed: int
    agreements: int
    unparalleled: int
    expected: float | None  # unparalleled agreements; None where the system has no number


@dataclass(frozen=True, kw_only=True)
class SystemRecitation:
    """Evidence that one system recites the reference.

    Attributes
    ----------
    reason : str
        Why nothing can be said, in one sentence, and `expected`, `ratio`, `pvalue` and `adjusted_pvalue` are None;
        else empty.
    confirmed, departures : int
        Words that all other systems read as the reference has them, and how many of these this system reads otherwise:
        its quality.
    disputed : int
        Words that all other systems read alike, and not as the reference has them.
    agreements : int
        Disputed words that this system reads as the reference has them.
    unparalleled : int
        Agreements where none of the others makes the same change at any other word.
    expected : float or None
        Unparalleled agreements if the others misread the page there as they misread it elsewhere.
    ratio : float or None
        `unparalleled` over `expected`; None also where nothing is expected.
    pvalue, adjusted_pvalue : float or None
        Probability of so many unparalleled agreements or more under that hypothesis, at most; the second one adjusted
        for the number of systems by Holm.
    is_suspicious : bool
        Whether the adjusted p is below the level. That is no proof.
    documents : tuple of RecitedDocument
        Counts by cluster, those with most unparalleled agreements above what is expected first.
    words : tuple of RecitedWord
        The unparalleled agreements, in the order of the data.
    """

    reason: str = ""
    confirmed: int
    departures: int
    disputed: int
    agreements: int
    unparalleled: int
    expected: float | None = None
    ratio: float | None = None
    pvalue: float | None = None
    adjusted_pvalue: float | None = None
    is_suspicious: bool = False
    documents: tuple[RecitedDocument, ...] = ()
    words: tuple[RecitedWord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recitation:
    """Evidence that systems recite the reference, by system.

    Attributes
    ----------
    segments, left_out : int
        Segments that all systems read, and those that some system did not.
    unit : str
        What `documents` are, such as "page".
    alpha : float
        Level of `is_suspicious`, over all systems together.
    systems : mapping of str to SystemRecitation
        Of a system with several runs, the first one.
    signature : Signature
        All that the numbers depend on.
    """

    segments: int
    left_out: int
    unit: str
    alpha: float
    systems: Mapping[str, SystemRecitation]
    signature: Signature

"""What is found wrong with the pairing of outputs and references: records, and a sentence for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from misread.data.pairing_settings import CUT_ELSEWHERE, IDS_COUNTED, PAIRED_WRONGLY, SIDES_EXCHANGED
from misread.text.display import shorten_label

Fault = Literal["shift", "swap", "permutation", "doubled", "another_document", "sides", "ids", "cut"]
"""What is wrong: outputs shifted, two swapped, more in another order, one output for several segments, outputs of
another document, references and outputs exchanged, ids read as words, texts cut elsewhere."""

SHOWN: Final = 3
"""Pairs that a sentence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPair:
    """A segment, and the one whose reference its output fits."""

    segment_id: str
    fits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mispairing:
    """A fault in the pairing of one system's outputs with the references.

    Attributes
    ----------
    segment_ids : tuple of str
        Segments that are concerned.
    segments_in_all : int
        All that were scored.
    pairs : tuple of ProposedPair
        The proposed mapping, whole; empty where none is proposed.
    errors, errors_as_proposed : int
        Characters that are wrong in these segments as they are paired, and as it is proposed.
    offset : int
        Of a shift: how many segments further on the right reference stands.
    explains_all : bool
        Whether the mapping alone explains nearly all segments, so that the pairing is refused.
    """

    fault: Fault
    system: str
    segment_ids: tuple[str, ...]
    segments_in_all: int
    pairs: tuple[ProposedPair, ...] = ()
    errors: int = 0
    errors_as_proposed: int = 0
    offset: int = 0
    explains_all: bool = False

    @property
    def segments(self) -> int:
        """How many segments are concerned."""
        return len(self.segment_ids)

    @property
    def sentence(self) -> str:
        """What is wrong, the proposed pairing, and what to do."""
        if self.fault == "ids":
            return (
                f"{self.system}: all {self.segments:,} texts {IDS_COUNTED}, on both sides; the first is "
                f"{shorten_label(self.segment_ids[0])}. Read such files in a format with ids (format kaldi)."
            )
        return f"{self.system}: {self.segments:,} of {self.segments_in_all:,} outputs {self._fact}"

    @property
    def _fact(self) -> str:
        first = shorten_label(self.segment_ids[0])
        if self.fault == "another_document":
            return (
                f"{PAIRED_WRONGLY}. They have no more in common with them than with others, and no reference of the "
                f"set fits them; the first is that of {first}. See which document they are of, or whether they are "
                "made up."
            )
        if self.fault == "sides":
            return (
                f"{SIDES_EXCHANGED}, which carry the marks of a model's answer where the outputs carry none; the first "
                f"is {first}. See which side is which."
            )
        errors = f"they have {self.errors_as_proposed:,} wrong characters instead of {self.errors:,}"
        if self.fault == "cut":
            return (
                f"{CUT_ELSEWHERE}, from {first} on; joined, {errors}. The option resegment cuts them at the "
                "boundaries of the references."
            )
        number = abs(self.offset)
        how = {
            "shift": f"are shifted by {number:,} segment{'' if number == 1 else 's'} from {first} on",
            "swap": "are swapped in pairs",
            "permutation": "are in another order",
            "doubled": "are those of other segments",
        }[self.fault]
        shown = ", ".join(
            f"that of {shorten_label(pair.segment_id)} fits {shorten_label(pair.fits)}" for pair in self.pairs[:SHOWN]
        )
        more = f", and {len(self.pairs) - SHOWN:,} more" if len(self.pairs) > SHOWN else ""
        return f"{PAIRED_WRONGLY}. They {how} ({shown}{more}); paired so, {errors}."

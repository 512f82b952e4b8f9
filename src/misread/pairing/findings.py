"""Faults in the pairing of outputs and references: records, and a sentence for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from misread.data.segment_table import Doubt
from misread.text.display import shorten_label
from misread.text.nouns import count_of

Fault = Literal["shift", "swap", "permutation", "doubled", "ids", "cut"]
"""Faults: outputs shifted, two swapped, more in another order, one output for several segments, ids read as words,
texts cut elsewhere."""

_DOUBTS: Final[Mapping[Fault, str]] = {
    **dict.fromkeys(("shift", "swap", "permutation", "doubled"), "may be paired with wrong references"),
    "ids": "begin with ids that count as words",
    "cut": "are cut elsewhere than the references",
}
"""Sentences on the outputs of each fault."""

SHOWN: Final = 3
"""Pairs that a sentence names."""

_MOST_LISTED: Final = 1_000

NEARLY_ALL: Final = 0.9
"""Share of the segments that one other pairing has to explain, so that the pairing is refused."""


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
    segments, segments_in_all : int
        How many segments are concerned, and all that were scored.
    segment_ids : tuple of str
        Those that are concerned; results of a study have the first thousand.
    pairs : tuple of ProposedPair
        The proposed mapping of these; empty where none is proposed.
    errors, errors_as_proposed : int
        Characters that are wrong in these segments as they are paired, and as it is proposed.
    offset : int
        Of a shift: how many segments further on the right reference is.
    explains_all : bool
        Whether the mapping alone explains nearly all segments, so that the pairing is refused.
    """

    fault: Fault
    system: str
    segment_ids: tuple[str, ...]
    segments: int = 0
    segments_in_all: int = 0
    pairs: tuple[ProposedPair, ...] = ()
    errors: int = 0
    errors_as_proposed: int = 0
    offset: int = 0
    explains_all: bool = False

    def __post_init__(self) -> None:
        if not self.segments:
            object.__setattr__(self, "segments", len(self.segment_ids))

    def __add__(self, later: Mispairing) -> Mispairing:
        """The same fault in the segments of both."""
        return replace(
            self,
            segments=self.segments + later.segments,
            segment_ids=(*self.segment_ids, *later.segment_ids),
            pairs=(*self.pairs, *later.pairs),
            errors=self.errors + later.errors,
            errors_as_proposed=self.errors_as_proposed + later.errors_as_proposed,
            explains_all=self.explains_all or later.explains_all,
        )

    def shortened(self) -> Mispairing:
        """The same with the first thousand segments, for files."""
        return replace(self, segment_ids=self.segment_ids[:_MOST_LISTED], pairs=self.pairs[:_MOST_LISTED])

    @property
    def doubt(self) -> Doubt:
        """The fault as a note on the texts."""
        return Doubt(sentence=self.sentence, brief=f"{self._brief}.")

    @property
    def sentence(self) -> str:
        """The fault, the proposed pairing, and advice."""
        return f"{self._brief}{self._details}"

    @property
    def _brief(self) -> str:
        number = f"{self.segments:,}"
        counted = f"{number} of {self.segments_in_all:,} outputs"
        if self.fault == "ids":
            counted = f"{'all ' if self.segments >= self.segments_in_all else ''}{number} texts"
        return f"{self.system}: {counted} {_DOUBTS[self.fault]}"

    @property
    def _details(self) -> str:
        first = shorten_label(self.segment_ids[0])
        if self.fault == "ids":
            return (
                f", on both sides; the first is {first}. Read such files in a format with ids (format kaldi), or where "
                "other marks than blanks and tabs separate them as a table with a header."
            )
        errors = f"they have {self.errors_as_proposed:,} wrong characters instead of {self.errors:,}"
        if self.fault == "cut":
            return (
                f", from {first} on; joined, {errors}. The option resegment cuts them at the boundaries of the "
                "references."
            )
        number = abs(self.offset)
        how = {
            "shift": f"are shifted by {count_of(number, 'segment')} from {first} on",
            "swap": "are swapped in pairs",
            "permutation": "are in another order",
            "doubled": "are those of other segments",
        }[self.fault]
        shown = ", ".join(
            f"that of {shorten_label(pair.segment_id)} fits {shorten_label(pair.fits)}" for pair in self.pairs[:SHOWN]
        )
        more = f", and {self.segments - SHOWN:,} more" if self.segments > SHOWN else ""
        return f". They {how} ({shown}{more}); paired so, {errors}."


def join_findings(stretches: Sequence[tuple[int, Sequence[Mispairing]]]) -> list[Mispairing]:
    """Faults of a set from those of its stretches, each with its number of segments.

    Another pairing explains the set if it explains stretches that are nearly all of it.
    """
    total = sum(segments for segments, _ in stretches)
    explained = sum(segments for segments, faults in stretches if any(fault.explains_all for fault in faults))
    joined: dict[tuple[Fault, int], Mispairing] = {}
    for _, faults in stretches:
        for fault in faults:
            key = fault.fault, fault.offset
            joined[key] = joined[key] + fault if key in joined else fault
    are_explained = explained >= NEARLY_ALL * total
    return [
        replace(fault, segments_in_all=total, explains_all=fault.explains_all and are_explained)
        for fault in joined.values()
    ]

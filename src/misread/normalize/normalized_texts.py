"""Normalized texts of one system, with the raw ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field

from misread.data.segment_table import Annotations, Origin, SegmentKeys, TextPairs, take
from misread.types import IntArray


@dataclass(frozen=True, slots=True)
class NormalizedTexts:
    """A capture with the normalized texts of both sides."""

    origin: Origin
    segments: SegmentKeys
    _: KW_ONLY
    raw: TextPairs
    normalized: TextPairs  # each text normalized as a whole
    normalized_lines: TextPairs  # each line normalized by itself, so that no step can join lines
    reasons: Sequence[str | None]
    normalizer: str
    run: str = "1"
    further_runs: Sequence[NormalizedTexts] = ()
    annotations: Annotations = field(default_factory=dict)  # that fit the normalized texts

    def read(self) -> NormalizedTexts:
        """These texts, which are in memory already."""
        return self

    def parts(self) -> Iterator[NormalizedTexts]:
        """All at once."""
        yield self

    def take(self, rows: Sequence[int] | IntArray) -> NormalizedTexts:
        """Keep these rows of the first run, in this order, without annotations."""
        return NormalizedTexts(
            self.origin,
            self.segments.take(rows),
            raw=self.raw.take(rows),
            normalized=self.normalized.take(rows),
            normalized_lines=self.normalized_lines.take(rows),
            reasons=take(self.reasons, rows),
            normalizer=self.normalizer,
            run=self.run,
        )

"""Texts of both sides that are counted in more than one way, encoded and aligned once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from misread.alignment.encode.inputs import Texts, check_pairs
from misread.alignment.encode.texts import EncodedPairs, Unit, encode_characters, encode_units


class PairedTexts:
    """References and hypotheses whose characters are encoded on first use, once.

    If every text is one of `without_line_feeds` with a line feed added, both are encoded together. `aligned` has the
    operations found so far, by unit and alignment, from which counts are taken. `counted` has the counts, by the same
    keys.
    """

    def __init__(self, references: Texts, hypotheses: Texts, *, without_line_feeds: PairedTexts | None = None) -> None:
        self.references, self.hypotheses = check_pairs(references, hypotheses)
        self._without_line_feeds = without_line_feeds
        self.aligned: dict[tuple[Unit, str], Any] = {}
        self.counted: dict[tuple[Unit, str], Any] = {}
        self._characters: list[tuple[slice, EncodedPairs]] | None = None

    def __len__(self) -> int:
        return len(self.references)

    def encode(self, unit: Unit, *, without_ends: bool = False) -> Iterator[tuple[slice, EncodedPairs]]:
        """Encode in batches, as `encode_batches` does."""
        for batch, pairs in self._encoded():
            yield batch, encode_units(pairs, unit, without_ends=without_ends)

    def _encoded(self) -> list[tuple[slice, EncodedPairs]]:
        if self._characters is None:
            known = self._without_line_feeds._encoded() if self._without_line_feeds else []  # noqa: SLF001 - its own kind
            if known and all(pairs.has_line_feeds for _, pairs in known):
                self._characters = [(batch, pairs.closed()) for batch, pairs in known]
            else:
                self._characters = [*encode_characters(self.references, self.hypotheses)]
        return self._characters

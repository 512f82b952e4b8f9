"""Texts of both sides that are counted in more than one way, encoded and aligned once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from misread.alignment.encode.inputs import Texts, check_pairs
from misread.alignment.encode.texts import EncodedPairs, Unit, encode_characters, encode_units


class PairedTexts:
    """References and hypotheses whose characters are encoded when they are first asked for, and kept from then on.

    `aligned` has the operations that were found, by unit and alignment; counts are taken from these. `counted` has the
    counts, by the same.
    """

    def __init__(self, references: Texts, hypotheses: Texts) -> None:
        self.references, self.hypotheses = check_pairs(references, hypotheses)
        self.aligned: dict[tuple[Unit, str], Any] = {}
        self.counted: dict[tuple[Unit, str], Any] = {}
        self._characters: list[tuple[slice, EncodedPairs]] | None = None

    def __len__(self) -> int:
        return len(self.references)

    def encode(self, unit: Unit, *, without_ends: bool = False) -> Iterator[tuple[slice, EncodedPairs]]:
        """Encode in batches, as `encode_batches`."""
        if self._characters is None:
            self._characters = [*encode_characters(self.references, self.hypotheses)]
        for batch, pairs in self._characters:
            yield batch, encode_units(pairs, unit, without_ends=without_ends)

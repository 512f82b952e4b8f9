"""One system whose texts lie in a file of the normalize stage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING

from misread.features.made_up_text import FlaggedSystem
from misread.metrics.base import Metric
from misread.records import MissingPolicy, NormalizedTexts
from misread.storage.stage_tables import read_normalized
from misread.storage.stored_texts import StoredTexts
from misread.tally.equivalents import Equivalents
from misread.tally.scored_system import ScoredSystem


class StoredSystem(ScoredSystem):
    """As a `ScoredSystem`, with texts that are read when something looks at all of them; flags are found by parts."""

    def __init__(
        self,
        stored: StoredTexts,
        metrics: Sequence[Metric],
        missing: MissingPolicy,
        equivalents: Equivalents | None = None,
    ) -> None:
        self.__dict__.update(stored=stored, metrics=metrics, missing=missing, equivalents=equivalents)

    if TYPE_CHECKING:
        stored: StoredTexts
    else:

        @cached_property
        def texts(self) -> NormalizedTexts:
            """All texts."""
            return read_normalized(self.stored.path)

    @cached_property
    def flagged(self) -> FlaggedSystem:
        """Segments whose text was made up, as those of the whole."""
        parts = (ScoredSystem(of, self.metrics, self.missing, self.equivalents) for of in self.stored.parts())
        # A part may have nothing to score where missing hypotheses are left out.
        found = [part.flagged for part in parts if part.missing_texts.scored]
        return reduce(add, found) if found else ScoredSystem(self.texts, self.metrics, self.missing).flagged

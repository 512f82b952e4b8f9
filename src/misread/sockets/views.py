"""Tables that look at the segments in one way or another, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from misread.features.confidence.table import lay_out_reliability, lay_out_review
from misread.features.corrections.table import lay_out_corrections, lay_out_punctuation
from misread.features.made_up_text.table import lay_out_flags
from misread.features.scripts.table import lay_out_scripts
from misread.features.suspects import ReferenceCheck
from misread.features.suspects.table import check_scored, lay_out_repeats, lay_out_suspects
from misread.features.word_classes.table import lay_out_bands, lay_out_entities
from misread.records import ViewName
from misread.tables import ReportSettings, Table
from misread.tally import ScoredSystem

View = Callable[[str, Mapping[str, ScoredSystem], ReportSettings], Table | None]

VIEWS: Final[Mapping[ViewName, View]] = {
    "flags": lay_out_flags,
    "reliability": lay_out_reliability,
    "review": lay_out_review,
    "bands": lay_out_bands,
    "entities": lay_out_entities,
    "scripts": lay_out_scripts,
    "corrections": lay_out_corrections,
    "punctuation": lay_out_punctuation,
}

OF_REFERENCES: Final[Mapping[ViewName, Callable[[str, ReferenceCheck, ReportSettings], Table | None]]] = {
    "suspects": lay_out_suspects,
    "repeats": lay_out_repeats,
}
"""Views of one check of the references, which looks at all texts."""


def lay_out_views(
    dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings, names: Sequence[ViewName]
) -> list[Table]:
    """Tables of these views of all systems on a data set; a view that has nothing to show has none."""
    check = check_scored(scored, settings) if OF_REFERENCES.keys() & {*names} else None
    tables = []
    for name in names:
        if name in VIEWS:
            tables.append(VIEWS[name](dataset, scored, settings))
        elif check:
            tables.append(OF_REFERENCES[name](dataset, check, settings))
    return [table for table in tables if table]

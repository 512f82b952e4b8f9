"""Table of what a correction has made better and worse."""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from misread.features.corrections.metric import COLUMNS, CorrectionBalance
from misread.tables import Column, Table, in_files
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem


def lay_out_corrections(source: ViewInput) -> Table | None:
    """Segments, characters and words before and after a correction."""
    dataset, settings = source.dataset, source.settings
    balance = CorrectionBalance("the view corrections", "error_reduction")
    rows = [
        {"system": system, **dict(zip(COLUMNS, balance.count(scored.normalized).sum(axis=0).tolist(), strict=True))}
        for system, scored in source.scored.items()
    ]

    def counts(title: str, *names: str) -> Column:
        return Column(title, lambda row: tuple(row[name] for name in names))

    return Table(
        stem=file_stem(dataset, "corrections"),
        caption=f"What each system made of the recognized text on {settings.name(dataset)}.",
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda row: row["system"], settings.name, kind="name", name="system"),
            in_files(COLUMNS, itemgetter(*COLUMNS)),
            counts("segments better/worse/same", "improved", "worsened", "same"),
            counts("character errors before/after", "errors_before", "errors_after"),
            counts("wrong words corrected/left", "corrected", "left_wrong"),
            counts("right words damaged/kept", "damaged", "kept"),
            counts("words inserted before/after", "inserted_before", "inserted_after"),
        ],
        rows=rows,
        notes=[
            "A word of the reference is right if it is a hit of the alignment of words.",
            "error_reduction, corrected_words, damaged_words, improved_segments and worsened_segments have intervals.",
        ],
    )


CORRECTIONS: Final = View(lay_out_corrections)

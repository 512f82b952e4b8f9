"""Tables of the normalize and score stages, of what is in memory as a whole; stages write the same by parts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from misread.metrics.confusion_table import ConfusionTable
from misread.normalize.normalized_texts import NormalizedTexts
from misread.storage import (
    alignment_columns,
    alignment_note,
    explanation_files,
    normalized_columns,
    normalized_note,
    score_columns,
    score_note,
    table_writer,
)
from misread.tally.alignments import SegmentAlignments
from misread.tally.confusion_sums import MostFrequent
from misread.tally.scores import Scores


def write_normalized(path: Path, texts: NormalizedTexts) -> None:
    _write(path, "normalized", normalized_columns(texts), normalized_note(texts))


def write_scores(path: Path, scores: Scores) -> None:
    _write(path, "scores", score_columns(scores), score_note(scores))


def write_alignments(path: Path, alignments: SegmentAlignments) -> None:
    _write(path, "alignments", alignment_columns(alignments), alignment_note(alignments))


def write_confusions(path: Path, table: ConfusionTable) -> None:
    kinds = [
        (kind, MostFrequent({"reference": cells.references, "hypothesis": cells.hypotheses, "count": cells.counts}, 0))
        for kind, cells in table.confusions.items()
    ]
    explanation_files.write_confusions(path, table, kinds)


def _write(path: Path, kind: str, columns: Mapping[str, Any], note: Mapping[str, Any]) -> None:
    with table_writer(path, kind=kind) as writer:
        writer.write(columns)
        writer.note = note

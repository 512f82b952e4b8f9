"""The pairing of a data set, looked at once its segments are counted, in the pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from misread.metrics.base import Metric
from misread.sockets.guards import GUARD_PAIRING
from misread.storage import StoredTexts, read_scores, score_columns, score_note
from misread.storage.parquet_writer import write_parquet
from misread.tally import ScoredSystem


def guard_stored_pairing(texts: Mapping[str, Path], scores: Mapping[str, Path], metrics: Sequence[Metric]) -> None:
    """Look at all systems in files of the normalize and score stages; doubts become notes of the scores.

    Raises PairingError for outputs that belong to other references.
    """
    counted = {system: read_scores(path) for system, path in scores.items()}
    scored = {
        system: ScoredSystem(StoredTexts(path), metrics, counted[system].missing, stored=counted[system])  # type: ignore[arg-type]
        for system, path in texts.items()
    }
    for system, faults in GUARD_PAIRING.load()(scored).items():
        noted = counted[system].with_doubts([fault.doubt for fault in faults])
        write_parquet(scores[system], score_columns(noted), kind="scores", note=score_note(noted))

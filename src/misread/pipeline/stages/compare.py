"""compare: rates, intervals and paired tests of all systems on one data set."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from misread.data.segment_table import take
from misread.io import write_record
from misread.io.stored_columns import release_memory
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.sockets.sections import section_functions
from misread.stats import compare_systems
from misread.stats.compare.shared_segments import ascending_rows
from misread.storage import read_alignments, read_scores
from misread.tally.scores import Scores


def main(dataset_id: str) -> None:
    params = load_params()
    scores: dict[str, Scores] = {}
    for system in params.systems:
        scores[system] = _read_in_order(paths.scores(dataset_id, system), scores.values())
    statistics = params.statistics()
    operations = {}
    if "mapsswe" in statistics.tests:
        operations = {system: _read_operations(paths.alignments(dataset_id, system)) for system in scores}
    result = compare_systems(
        scores,
        params.metrics(dataset_id),
        statistics,
        dataset=dataset_id,
        baseline=params.baseline,
        operations=operations,
        sections=section_functions(statistics.sections),
    )
    write_record(paths.comparison(dataset_id), result, kind="comparison")


def _read_in_order(path: Path, others: Collection[Scores]) -> Scores:
    """Read scores in the order of ids, in which systems are compared.

    What equals that of another system, as a rule ids and references, is the same object afterwards.
    """
    scores = read_scores(path, ascending=True)
    for other in others:
        if other.segments == scores.segments:
            scores = replace(scores, segments=other.segments)
        if other.reference_digest == scores.reference_digest:
            scores = replace(scores, reference_digest=other.reference_digest)
    release_memory()
    return scores


def _read_operations(path: Path) -> Mapping[str, Sequence[str]]:
    """Read alignments in the same order."""
    alignments = read_alignments(path)
    order = ascending_rows(alignments.segment_id)
    return {metric: take(letters, order) for metric, letters in alignments.operations.items()}

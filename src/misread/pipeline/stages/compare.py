"""compare: rates, intervals and paired tests of all systems on one data set."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from misread.data.segment_table import take
from misread.io import write_record
from misread.io.stored_columns import release_memory
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.sockets.sections import section_functions
from misread.stats import compare_systems
from misread.storage import read_alignments, read_scores
from misread.tally.scores import Scores
from misread.text.lazy_texts import ascending_rows


def main(dataset_id: str) -> None:
    params = load_params()
    scores: dict[str, Scores] = {}
    for system in params.systems:
        scores[system] = _read_in_order(paths.scores(dataset_id, system), first=next(iter(scores.values()), None))
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


def _read_in_order(path: Path, first: Scores | None) -> Scores:
    """Read scores in the order of ids, in which systems are compared.

    Keys and digests of references that equal those of the first system, as they do as a rule, are not kept twice.
    """
    scores = read_scores(path, ascending=True)
    if first is not None and first.segments == scores.segments:
        scores = replace(scores, segments=first.segments)
    if first is not None and first.reference_digest == scores.reference_digest:
        scores = replace(scores, reference_digest=first.reference_digest)
    release_memory()
    return scores


def _read_operations(path: Path) -> Mapping[str, Sequence[str]]:
    """Read alignments in the same order."""
    alignments = read_alignments(path)
    order = ascending_rows(alignments.segment_id)
    return {metric: take(letters, order) for metric, letters in alignments.operations.items()}

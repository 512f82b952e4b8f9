"""compare: rates, intervals and paired tests of all systems on one data set."""

from __future__ import annotations

from misread.files import read_alignments, read_scores, write_json
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.scoring import with_alignments
from misread.stats import compare_systems


def main(dataset_id: str) -> None:
    params = load_params()
    scores = {system_id: read_scores(paths.scores(dataset_id, system_id)) for system_id in params.systems}
    statistics = params.statistics()
    if "mapsswe" in statistics.tests:
        scores = {
            system_id: with_alignments(of, read_alignments(paths.alignments(dataset_id, system_id)))
            for system_id, of in scores.items()
        }
    result = compare_systems(
        scores,
        params.metrics(),
        statistics,
        dataset=dataset_id,
        baseline=params.baseline,
    )
    write_json(paths.comparison(dataset_id), result)

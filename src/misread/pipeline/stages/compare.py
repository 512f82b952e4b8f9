"""compare: rates, intervals and paired tests of all systems on one data set."""

from misread.io import write_record
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.sockets.sections import section_functions
from misread.stats import compare_systems
from misread.storage import read_alignments, read_scores


def main(dataset_id: str) -> None:
    params = load_params()
    scores = {system_id: read_scores(paths.scores(dataset_id, system_id)) for system_id in params.systems}
    statistics = params.statistics()
    operations = {}
    if "mapsswe" in statistics.tests:
        operations = {
            system_id: read_alignments(paths.alignments(dataset_id, system_id)).operations for system_id in scores
        }
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

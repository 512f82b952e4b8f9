"""score: counts of every metric for all systems of one data set, and the alignments and confusions behind them."""

from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.processes import for_each_system
from misread.scoring.parts import plan_parts, score_part, write_parts


def main(dataset_id: str) -> None:
    for_each_system(score_system, dataset_id, load_params().systems, paths.normalized)


def score_system(dataset_id: str, system_id: str) -> None:
    """Score one system, of which only a part is in memory at a time."""
    params = load_params()
    tasks = plan_parts(
        paths.normalized(dataset_id, system_id),
        params.metrics(),
        missing=params.missing,
        equivalents=params.equivalents(),
        checked=params.crosscheck().segments,
    )
    write_parts(
        map(score_part, tasks),
        scores=paths.scores(dataset_id, system_id),
        alignments=paths.alignments(dataset_id, system_id),
        confusions=paths.confusions(dataset_id, system_id),
    )

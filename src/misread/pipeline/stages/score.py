"""score: counts of every metric for all systems of one data set, and the alignments and confusions behind them."""

from misread.files import read_normalized, write_alignments, write_confusions, write_scores
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.system_tasks import for_each_system
from misread.scoring import ScoredSystem, cross_check


def main(dataset_id: str) -> None:
    params = load_params()
    for_each_system(score_system, dataset_id, params.systems, paths.normalized, params.executor())


def score_system(dataset_id: str, system_id: str) -> None:
    """Score one system."""
    params = load_params()
    texts = read_normalized(paths.normalized(dataset_id, system_id))
    scored = ScoredSystem(texts, params.metrics(), params.missing, params.equivalents())
    # Alignments first: the counts come from them.
    alignments, confusions = scored.alignments, scored.confusions
    for run in scored.single_runs:
        cross_check(run.scores, run.texts, run.metrics, params.crosscheck())
    write_scores(paths.scores(dataset_id, system_id), scored.scores)
    write_alignments(paths.alignments(dataset_id, system_id), alignments)
    write_confusions(paths.confusions(dataset_id, system_id), confusions)

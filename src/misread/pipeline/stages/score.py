"""score: counts of every metric for all systems of one data set, and the alignments and confusions behind them."""

from __future__ import annotations

from misread.files import read_normalized, write_alignments, write_confusions, write_scores
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.processes import for_each_system
from misread.scoring import cross_check, explain, not_applicable_scores, nothing_to_explain, score


def main(dataset_id: str) -> None:
    for_each_system(score_system, dataset_id, load_params().systems)


def score_system(dataset_id: str, system_id: str) -> None:
    """Score one system."""
    params = load_params()
    texts = read_normalized(paths.normalized(dataset_id, system_id))
    metrics = params.metrics()
    if texts.origin.not_applicable:
        scores = not_applicable_scores(texts)
        alignments, confusions = nothing_to_explain(texts)
    else:
        scores = score(texts, metrics, missing=params.missing)
        cross_check(scores, texts, metrics, params.crosscheck())
        alignments, confusions = explain(texts, metrics, missing=params.missing)
    write_scores(paths.scores(dataset_id, system_id), scores, {metric.id: metric.columns for metric in metrics})
    write_alignments(paths.alignments(dataset_id, system_id), alignments)
    write_confusions(paths.confusions(dataset_id, system_id), confusions)

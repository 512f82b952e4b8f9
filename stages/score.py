"""score: counts of every metric for one system on one data set, and the alignments and confusions behind them."""

from misread.files import read_normalized, write_alignments, write_confusions, write_scores
from misread.pipeline import paths
from misread.pipeline.console import run_stage
from misread.pipeline.params import load_params
from misread.scoring import cross_check, explain, not_applicable_scores, nothing_to_explain, score


def main(dataset_id: str, system_id: str) -> None:
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
    write_scores(paths.scores(dataset_id, system_id), scores)
    write_alignments(paths.alignments(dataset_id, system_id), alignments)
    write_confusions(paths.confusions(dataset_id, system_id), confusions)


if __name__ == "__main__":
    run_stage(main)

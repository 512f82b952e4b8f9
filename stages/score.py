"""score: counts of every metric for one system on one data set, and the alignments and confusions behind them."""

from misread import paths
from misread.console import run_stage
from misread.files import read_normalized, write_alignments, write_confusions, write_scores
from misread.metrics import crosscheck, explain, not_applicable_scores, nothing_to_explain, score
from misread.params import load_params


def main(dataset_id: str, system_id: str) -> None:
    params = load_params()
    texts = read_normalized(paths.normalized(dataset_id, system_id))
    metrics = params.metrics()
    if texts.origin.not_applicable:
        scores = not_applicable_scores(texts)
        alignments, confusions = nothing_to_explain(texts)
    else:
        scores = score(texts, metrics, missing=params.missing)
        crosscheck(scores, texts, metrics, params.crosscheck())
        alignments, confusions = explain(texts, metrics, missing=params.missing)
    write_scores(paths.scores(dataset_id, system_id), scores, {metric.id: metric.columns for metric in metrics})
    write_alignments(paths.alignments(dataset_id, system_id), alignments)
    write_confusions(paths.confusions(dataset_id, system_id), confusions)


if __name__ == "__main__":
    run_stage(main)

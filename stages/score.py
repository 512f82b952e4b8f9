"""score: counts of every metric for one system on one data set."""

from misread import paths
from misread.console import run_stage
from misread.files import read_normalized, write_scores
from misread.metrics import crosscheck, not_applicable_scores, score
from misread.params import load_params


def main(dataset_id: str, system_id: str) -> None:
    params = load_params()
    texts = read_normalized(paths.normalized(dataset_id, system_id))
    metrics = params.metrics()
    if texts.origin.not_applicable:
        scores = not_applicable_scores(texts)
    else:
        operations = "mapsswe" in params.statistics().tests
        scores = score(texts, metrics, missing=params.missing, operations=operations)
        crosscheck(scores, texts, metrics, params.crosscheck())
    write_scores(paths.scores(dataset_id, system_id), scores, {metric.id: metric.columns for metric in metrics})


if __name__ == "__main__":
    run_stage(main)

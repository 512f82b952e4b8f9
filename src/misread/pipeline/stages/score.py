"""score: counts of every metric for all systems of one data set, and the alignments and confusions behind them.

Whether outputs belong to their references is looked at once they are counted.
"""

from contextlib import ExitStack
from itertools import chain, islice

from misread.pipeline import paths
from misread.pipeline.guarded_pairing import guard_stored_pairing
from misread.pipeline.params import load_params
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts
from misread.pipeline.system_tasks import results_of
from misread.storage import making_parts


def main(dataset_id: str) -> None:
    params = load_params()
    inputs = {system_id: paths.normalized(dataset_id, system_id) for system_id in params.systems}
    metrics, checked = params.metrics(dataset_id), params.crosscheck().segments
    with ExitStack() as made:
        folders = {
            system_id: made.enter_context(making_parts(paths.confusions(dataset_id, system_id))) for system_id in inputs
        }
        plans = {
            system_id: plan_parts(path, metrics, folders[system_id], missing=params.missing, checked=checked)
            for system_id, path in inputs.items()
        }
        tasks = list(chain.from_iterable(plans.values()))
        parts = results_of(score_part, tasks, inputs.values(), params.executor(), f"scoring {dataset_id}")
        # Of all systems together only a few parts are under way at a time.
        for system_id, plan in plans.items():
            write_parts(
                islice(parts, len(plan)),
                scores=paths.scores(dataset_id, system_id),
                alignments=paths.alignments(dataset_id, system_id),
                confusions=paths.confusions(dataset_id, system_id),
            )
    guard_stored_pairing(inputs, {system_id: paths.scores(dataset_id, system_id) for system_id in inputs}, metrics)

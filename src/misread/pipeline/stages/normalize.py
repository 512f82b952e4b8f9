"""normalize: normalized references and hypotheses of all systems on one data set, and what each step changed."""

from contextlib import ExitStack
from itertools import chain, islice

from misread.io import write_record
from misread.pipeline import paths
from misread.pipeline.normalized_parts import normalize_part, plan_parts, write_parts
from misread.pipeline.params import load_params
from misread.pipeline.paths import remove_leftovers
from misread.pipeline.system_tasks import results_of
from misread.storage import making_parts


def main(dataset_id: str) -> None:
    params = load_params()
    normalizer = params.normalizer()
    remove_leftovers(paths.captures(dataset_id), params.systems)
    inputs = {system_id: paths.capture(dataset_id, system_id) for system_id in params.systems}
    with ExitStack() as made:
        plans = {
            system_id: plan_parts(
                path, normalizer, made.enter_context(making_parts(paths.normalized(dataset_id, system_id)))
            )
            for system_id, path in inputs.items()
        }
        tasks = list(chain.from_iterable(plans.values()))
        parts = results_of(normalize_part, tasks, inputs.values(), params.executor(), f"normalizing {dataset_id}")
        for system_id, plan in plans.items():
            tally = write_parts(
                islice(parts, len(plan)), paths.normalized(dataset_id, system_id), normalizer, inputs[system_id]
            )
            steps = {"steps": [step.as_record() for by_step in tally.changes.values() for step in by_step.values()]}
            write_record(paths.step_changes(dataset_id, system_id), steps, kind="changes")

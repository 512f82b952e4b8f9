"""normalize: normalized references and hypotheses of all systems on one data set, and what each step changed."""

from dataclasses import asdict

from misread.files import making_parts, write_json
from misread.normalize.parts import normalize_part, plan_parts, write_parts
from misread.pipeline import paths
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import load_params
from misread.pipeline.processes import for_each_system


def main(dataset_id: str) -> None:
    systems = load_params().systems
    remove_leftovers(paths.captures(dataset_id), systems)
    for_each_system(normalize_system, dataset_id, systems, paths.capture)


def normalize_system(dataset_id: str, system_id: str) -> None:
    """Normalize the texts of one system, of which only a part is in memory at a time."""
    normalizer = load_params().normalizer()
    path = paths.normalized(dataset_id, system_id)
    with making_parts(path) as folder:
        tasks = plan_parts(paths.capture(dataset_id, system_id), normalizer, folder)
        changes = write_parts(map(normalize_part, tasks), path, normalizer)
    write_json(paths.step_changes(dataset_id, system_id), [asdict(step) for step in changes])

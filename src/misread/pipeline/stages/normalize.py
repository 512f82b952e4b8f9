"""normalize: normalized references and hypotheses of all systems on one data set, and what each step changed."""

from dataclasses import asdict

from misread.files import read_capture, write_json, write_normalized
from misread.normalize import count_changes, normalize
from misread.pipeline import paths
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import load_params
from misread.pipeline.system_tasks import for_each_system


def main(dataset_id: str) -> None:
    params = load_params()
    remove_leftovers(paths.captures(dataset_id), params.systems)
    for_each_system(normalize_system, dataset_id, params.systems, paths.capture, params.executor())


def normalize_system(dataset_id: str, system_id: str) -> None:
    """Normalize the texts of one system."""
    capture = read_capture(paths.capture(dataset_id, system_id))
    normalizer = load_params().normalizer()
    write_normalized(paths.normalized(dataset_id, system_id), normalize(capture, normalizer))
    changes = [asdict(step) for step in count_changes(capture, normalizer)]
    write_json(paths.step_changes(dataset_id, system_id), changes)

"""normalize: normalized references and hypotheses of all systems on one data set."""

from misread.files import read_capture, write_normalized
from misread.normalize import normalize
from misread.pipeline import paths
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import load_params
from misread.pipeline.processes import for_each_system


def main(dataset_id: str) -> None:
    systems = load_params().systems
    remove_leftovers(paths.captures(dataset_id), systems)
    for_each_system(normalize_system, dataset_id, systems)


def normalize_system(dataset_id: str, system_id: str) -> None:
    """Normalize the texts of one system."""
    capture = read_capture(paths.capture(dataset_id, system_id))
    write_normalized(paths.normalized(dataset_id, system_id), normalize(capture, load_params().normalizer()))

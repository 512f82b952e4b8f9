"""ablate: rates of all systems on one data set under every normalizer."""

from misread.files import read_capture, write_record
from misread.pipeline import paths
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import load_params
from misread.pipeline.processes import for_each_system
from misread.scoring import ablate


def main(dataset_id: str) -> None:
    systems = load_params().systems
    remove_leftovers(paths.captures(dataset_id), systems)
    for_each_system(ablate_system, dataset_id, systems, paths.capture)


def ablate_system(dataset_id: str, system_id: str) -> None:
    """Score one system under every normalizer."""
    params = load_params()
    capture = read_capture(paths.capture(dataset_id, system_id))
    result = ablate(capture, params.ablation(), missing=params.missing)
    write_record(paths.ablation(dataset_id, system_id), result, kind="ablation")

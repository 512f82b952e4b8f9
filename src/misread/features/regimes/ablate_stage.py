"""ablate: rates of all systems on one data set under every normalizer."""

from misread.features.regimes.ablation import ablate
from misread.io import write_record
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.paths import remove_leftovers
from misread.pipeline.system_tasks import for_each_system
from misread.storage import read_capture_parts


def main(dataset_id: str) -> None:
    params = load_params()
    remove_leftovers(paths.captures(dataset_id), params.systems)
    for_each_system(ablate_system, dataset_id, params.systems, paths.capture, params.executor())


def ablate_system(dataset_id: str, system_id: str) -> None:
    """Score one system under every normalizer."""
    params = load_params()
    parts = read_capture_parts(paths.capture(dataset_id, system_id))
    result = ablate(parts, params.ablation(), missing=params.missing)
    write_record(paths.ablation(dataset_id, system_id), result, kind="ablation")

"""ablate: rates of one system on one data set under every normalizer."""

from misread.files import read_capture, write_json
from misread.pipeline import paths
from misread.pipeline.console import run_stage
from misread.pipeline.params import load_params
from misread.scoring import ablate


def main(dataset_id: str, system_id: str) -> None:
    params = load_params()
    capture = read_capture(paths.capture(dataset_id, system_id))
    write_json(paths.ablation(dataset_id, system_id), ablate(capture, params.ablation(), missing=params.missing))


if __name__ == "__main__":
    run_stage(main)

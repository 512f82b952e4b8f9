"""ablate: rates of one system on one data set under every normalizer."""

from misread import paths
from misread.console import run_stage
from misread.files import read_capture, write_json
from misread.metrics import ablate
from misread.params import load_params


def main(dataset_id: str, system_id: str) -> None:
    params = load_params()
    capture = read_capture(paths.capture(dataset_id, system_id))
    write_json(paths.ablation(dataset_id, system_id), ablate(capture, params.ablation(), missing=params.missing))


if __name__ == "__main__":
    run_stage(main)

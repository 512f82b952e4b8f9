"""normalize: normalized references and hypotheses of one system on one data set."""

from misread.files import read_capture, write_normalized
from misread.normalize import normalize
from misread.pipeline import paths
from misread.pipeline.console import run_stage
from misread.pipeline.params import load_params


def main(dataset_id: str, system_id: str) -> None:
    params = load_params()
    capture = read_capture(paths.capture(dataset_id, system_id))
    write_normalized(paths.normalized(dataset_id, system_id), normalize(capture, params.normalizer()))


if __name__ == "__main__":
    run_stage(main)

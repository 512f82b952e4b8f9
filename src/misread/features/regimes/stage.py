"""regimes: rates, ranks and verdicts of all systems on one data set under every regime."""

from misread.features.regimes.comparison import compare_regimes
from misread.io import write_record
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.pipeline.paths import remove_leftovers
from misread.storage import read_capture


def main(dataset_id: str) -> None:
    params = load_params()
    remove_leftovers(paths.captures(dataset_id), params.systems)
    regimes = params.regimes()
    # Without a regime nothing looks at the texts.
    read = params.systems if regimes else []
    captures = {system_id: read_capture(paths.capture(dataset_id, system_id)) for system_id in read}
    result = compare_regimes(captures, regimes, params.statistics(), dataset=dataset_id, baseline=params.baseline)
    write_record(paths.regimes(dataset_id), result, kind="regimes")

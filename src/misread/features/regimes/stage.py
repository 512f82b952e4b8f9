"""sensitivity: rates on one data set under every normalizer, and rates, ranks and verdicts under every regime."""

from functools import partial

from misread.features.regimes.ablation import AblationSection, ablate
from misread.features.regimes.comparison import compare_regimes
from misread.features.regimes.regime import RegimeSection
from misread.io import write_record
from misread.pipeline import paths
from misread.pipeline.normalized_parts import fit_to_file
from misread.pipeline.params import load_params
from misread.pipeline.paths import remove_leftovers
from misread.pipeline.system_tasks import results_of
from misread.storage import read_capture, read_capture_parts


def main(dataset_id: str) -> None:
    params = load_params()
    remove_leftovers(paths.captures(dataset_id), params.systems)
    inputs, work = [paths.capture(dataset_id, system) for system in params.systems], partial(ablate_system, dataset_id)
    for _ in results_of(work, params.systems, inputs, params.executor(), f"normalizers of {dataset_id}"):
        pass
    regimes = RegimeSection().read(params)
    for regime in regimes:
        # Results of a study do not depend on installed packages: this raises if one is missing.
        _ = regime.chosen
    # Without a regime nothing looks at the texts.
    systems = params.systems if regimes else []
    captures = {system_id: read_capture(paths.capture(dataset_id, system_id)) for system_id in systems}
    result = compare_regimes(captures, regimes, params.statistics(), dataset=dataset_id, baseline=params.baseline)
    write_record(paths.regimes(dataset_id), result, kind="regimes")


def ablate_system(dataset_id: str, system_id: str) -> None:
    """Score one system under every normalizer."""
    params = load_params()
    path, settings = paths.capture(dataset_id, system_id), AblationSection().read(params)
    fitted = {normalizer.name: fit_to_file(normalizer, path) for normalizer in settings.normalizers}
    result = ablate(read_capture_parts(path), settings, missing=params.missing, fitted=fitted)
    write_record(paths.ablation(dataset_id, system_id), result, kind="ablation")

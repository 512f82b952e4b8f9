"""check: end the run where something is not as the results would say, and note what the other stages run with."""

from dataclasses import asdict
from pathlib import Path

from misread.errors import ConfigurationError, InputFileError
from misread.io import write_json, write_text
from misread.io.console import warn
from misread.io.yaml_files import read_yaml
from misread.pipeline import paths
from misread.pipeline.composition import require_composed
from misread.pipeline.configuration_check import check_readers, check_sections, check_watched
from misread.pipeline.params import Params, load_params
from misread.pipeline.paths import PIPELINE
from misread.pipeline.prices import read_prices
from misread.provenance.plugins import PROGRAMS, STUDY, digest_code, digest_plugin
from misread.version import __version__


def main() -> None:
    require_composed()
    params = load_params()
    # `dvc exp run -S` composes without `misread compose`, and this stage comes before the hours that systems take.
    check_sections(params)
    check_readers(params)
    check_watched(params)
    for dataset_id in params.datasets:
        if changed := params.data_changes(dataset_id):
            raise InputFileError(changed)
        _warn_of_key(params, dataset_id)
    write_text(paths.CHECK, describe_code(params))
    # In a file of their own, since the report alone depends on them, and a study may have none.
    write_json(paths.PRICES, {system: asdict(price) for system, price in read_prices(params).items()})


def _warn_of_key(params: Params, dataset_id: str) -> None:
    """Say that counts would get other pseudonyms than those that Git has."""
    has_counts = any((paths.COUNTS / dataset_id).glob("*.csv"))
    if has_counts and params.counts_settings(dataset_id).pseudonyms and not paths.PSEUDONYM_KEY.is_file():
        warn(
            f"{paths.COUNTS / dataset_id} has pseudonyms, and there is no {paths.PSEUDONYM_KEY} here: new counts "
            "get others, and earlier commits cannot be compared with them; copy the key from where these were made."
        )


def describe_code(params: Params) -> str:
    """What all other stages run with, one a line: the version of misread, and digests of code.

    Code is that of installed plug-ins, of the study, of programs that systems run, and of packages of misread that
    dvc.yaml names as dependencies of this stage.
    """
    stage = read_yaml(PIPELINE)["stages"]["check"]
    installed = [name for name in params.plugins if name != STUDY.name]
    if installed and not stage.get("always_changed"):
        raise ConfigurationError(
            f"plugins: {installed[0]} is an installed package, in which no stage would notice a change; set "
            f"`always_changed: true` in the stage `check` of {PIPELINE}."
        )
    packages = [*(Path(name) for name in stage["deps"] if name.startswith("src/")), PROGRAMS]
    digests = {name: digest_plugin(name) for name in installed} | {str(path): digest_code(path) for path in packages}
    return "".join([f"misread {__version__}\n", *(f"{name} {digest}\n" for name, digest in digests.items())])

"""codebase: the code behind every other stage, as a list of files with digests, so that DVC sees a change of any."""

from collections.abc import Mapping
from typing import NamedTuple

from misread.files import write_text
from misread.pipeline import paths
from misread.pipeline.configuration_check import check_readers
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import Params, load_params
from misread.provenance.programs import list_programs
from misread.provenance.stage_code import Sources, list_code

_STAGES = "misread.pipeline.stages"
_VERSION = "misread/version.py"


class Named(NamedTuple):
    """What params.yaml may name to a stage: no import leads there."""

    packages: tuple[str, ...]  # of misread
    sections: tuple[str, ...]  # those that may name classes and functions of plug-ins


NAMED_IN_PARAMS: Mapping[str, Named] = {
    "segments": Named(("misread.datasets",), ("datasets",)),
    "capture": Named(("misread.engines",), ("systems",)),
    "normalize": Named(("misread.normalize",), ("normalizer",)),
    "judge": Named(("misread.engines",), ("judges",)),
    "score": Named(("misread.metrics",), ("configured_metrics",)),
    "ablate": Named(("misread.metrics", "misread.normalize"), ("ablation", "configured_metrics")),
    "regimes": Named(("misread.metrics", "misread.normalize", "misread.stats"), ("regime", "statistics")),
    "compare": Named(("misread.metrics", "misread.stats"), ("configured_metrics", "statistics")),
    "report": Named(("misread.metrics", "misread.report"), ("configured_metrics", "report")),
}
# They write no signature: another version whose code for them is the same makes none of them run again.
WITHOUT_VERSION = ("segments", "capture", "normalize", "judge")


def main() -> None:
    params = load_params()
    # `dvc exp run -S` composes without `misread compose`, and this stage comes before the hours that systems take.
    check_readers(params)
    remove_leftovers(paths.PLUGINS, params.plugins)
    for stage in NAMED_IN_PARAMS:
        write_text(paths.code(stage), list_stage_code(stage, params))


def list_stage_code(stage: str, params: Params) -> str:
    """List the files of misread and of the study's modules that a stage can run, and the other plug-ins."""
    packages, sections = NAMED_IN_PARAMS[stage]
    code = list_code([f"{_STAGES}.{stage}", *packages])
    if stage in WITHOUT_VERSION:
        code = "".join(line for line in code.splitlines(keepends=True) if not line.endswith(f"  {_VERSION}\n"))
    own = params.study_modules(sections)
    for package, modules in own.items():
        code += list_code(modules, Sources(params.root.resolve(), package)) if modules else ""
    installed = (package for package in params.plugins if package not in own)
    if stage == "capture":
        code += list_programs()
    return code + "".join(f"{paths.plugin(each).read_text().strip()}  plug-in {each}\n" for each in installed)

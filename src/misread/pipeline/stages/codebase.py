"""codebase: the code behind every other stage, as a list of files with digests, so that DVC sees a change of any."""

from collections.abc import Mapping
from typing import NamedTuple

from misread.io import write_text
from misread.pipeline import paths
from misread.pipeline.composition import require_composed
from misread.pipeline.configuration_check import check_readers
from misread.pipeline.params import Params, load_params
from misread.pipeline.paths import remove_leftovers
from misread.pipeline.stages import STAGES
from misread.provenance.digests import digest_file
from misread.provenance.plugins import list_programs
from misread.provenance.stage_code import Sources, list_code

_VERSION = "misread/version.py"


_METRICS = (
    "misread.metrics",
    "misread.sockets.metric_names",
    "misread.features.answers",
    "misread.features.confidence.metric",
    "misread.features.corrections.metric",
    "misread.features.judges.judged",
    "misread.features.made_up_text.flag_rates",
    "misread.features.punctuation.metric",
    "misread.features.speakers",
    "misread.features.token_costs",
    "misread.features.word_classes.metric",
)


class Named(NamedTuple):
    """What params.yaml may name to a stage: no import leads there."""

    packages: tuple[str, ...]  # of misread
    sections: tuple[str, ...]  # those that may name classes and functions of plug-ins


NAMED_IN_PARAMS: Mapping[str, Named] = {
    "segments": Named(("misread.data",), ("datasets",)),
    "capture": Named(("misread.engines",), ("systems",)),
    "normalize": Named(("misread.normalize",), ("normalizer",)),
    "judge": Named(("misread.features.judges.openai_judge", "misread.features.judges.decision_files"), ("judges",)),
    "score": Named(_METRICS, ("metrics",)),
    "sensitivity": Named(
        (*_METRICS, "misread.normalize", "misread.stats", "misread.features.regimes.ablation"),
        ("ablation", "metrics", "regime", "statistics"),
    ),
    "compare": Named((*_METRICS, "misread.stats"), ("metrics", "statistics")),
    "report": Named((*_METRICS, "misread.report", "misread.tables.settings"), ("metrics", "report", "statistics")),
}
# They write no signature: another version whose code for them is the same makes none of them run again.
WITHOUT_VERSION = ("segments", "capture", "normalize", "judge")


def main() -> None:
    require_composed()
    params = load_params()
    # `dvc exp run -S` composes without `misread compose`, and this stage comes before the hours that systems take.
    check_readers(params)
    remove_leftovers(paths.PLUGINS, params.plugins)
    for stage in NAMED_IN_PARAMS:
        write_text(paths.code(stage), list_stage_code(stage, params))


def list_stage_code(stage: str, params: Params) -> str:
    """List the files of misread and of the study's modules that a stage can run, and the other plug-ins."""
    packages, sections = NAMED_IN_PARAMS[stage]
    code = list_code([STAGES[stage], *packages])
    if stage in WITHOUT_VERSION:
        code = "".join(line for line in code.splitlines(keepends=True) if not line.endswith(f"  {_VERSION}\n"))
    own = params.study_modules(sections)
    for package, modules in own.items():
        code += list_code(modules, Sources(params.root.resolve(), package)) if modules else ""
    installed = (package for package in params.plugins if package not in own)
    if stage == "capture":
        code += list_programs()
    if "metrics" in sections:
        code += "".join(f"{digest_file(path)}  {path.as_posix()}\n" for path in sorted({*params.metric_files()}))
    return code + "".join(f"{paths.plugin(package).read_text().strip()}  plug-in {package}\n" for package in installed)

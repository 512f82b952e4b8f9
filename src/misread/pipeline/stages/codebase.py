"""codebase: the code behind every other stage, as a list of files with digests, so that DVC sees a change of any."""

from collections.abc import Mapping

from misread.files import write_text
from misread.pipeline import paths
from misread.pipeline.leftovers import remove_leftovers
from misread.pipeline.params import load_params
from misread.provenance.programs import list_programs
from misread.provenance.stage_code import list_code

_STAGES = "misread.pipeline.stages"

# Packages whose classes params.yaml may name to a stage: no import leads to these.
NAMED_IN_PARAMS: Mapping[str, tuple[str, ...]] = {
    "segments": ("misread.datasets",),
    "capture": ("misread.engines",),
    "normalize": ("misread.normalize",),
    "score": ("misread.metrics",),
    "ablate": ("misread.metrics", "misread.normalize"),
    "compare": ("misread.metrics", "misread.stats"),
    "report": ("misread.metrics", "misread.report"),
}


def main() -> None:
    params = load_params()
    remove_leftovers(paths.PLUGINS, params.plugins)
    plugins = "".join(f"{paths.plugin(package).read_text().strip()}  plug-in {package}\n" for package in params.plugins)
    for stage, packages in NAMED_IN_PARAMS.items():
        programs = list_programs() if stage == "capture" else ""
        write_text(paths.code(stage), list_code([f"{_STAGES}.{stage}", *packages]) + plugins + programs)

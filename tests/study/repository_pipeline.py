"""The repository's own dvc.yaml: that of a study, whose code lies beside it as packages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import yaml
from tests.import_closure import reached_packages

from misread.pipeline.stages import STAGES
from misread.sockets.metrics import NAMES
from misread.sockets.plug import Plug
from misread.sockets.sections import REPORTS, SECTIONS, STAGE_RESULTS
from misread.sockets.views import VIEWS


def _modules(*lists: Mapping[str, Plug]) -> list[str]:
    return sorted({plug.module for listed in lists for plug in listed.values()})


# Modules that no import leads to: params.yaml may name what is in them to a stage.
_METRICS = ("misread.metrics", "misread.sockets.metric_names", *_modules(NAMES))
_SHOWN = _modules(VIEWS, SECTIONS, STAGE_RESULTS, REPORTS)
NAMED_IN_PARAMS = {
    "segments": ("misread.data",),
    "capture": ("misread.engines",),
    "normalize": ("misread.normalize",),
    "judge": ("misread.features.judges.openai_judge", "misread.features.judges.decision_files"),
    "score": _METRICS,
    "sensitivity": (*_METRICS, "misread.normalize", "misread.stats", "misread.features.regimes.ablation"),
    "compare": (*_METRICS, "misread.stats", *_modules(SECTIONS)),
    "report": (*_METRICS, *_SHOWN, "misread.report", "misread.tables"),
}


def packages_of_stages() -> dict[str, list[str]]:
    """Folders and files of misread that each stage runs; those of all of them are dependencies of `check`."""
    reached = {stage: reached_packages([STAGES[stage], *named]) for stage, named in NAMED_IN_PARAMS.items()}
    shared = set.intersection(*reached.values())
    own = {stage: packages - shared for stage, packages in reached.items()}
    return {
        stage: [f"src/misread/{name}" for name in sorted(names)] for stage, names in {"check": shared, **own}.items()
    }


def of_repository(template: str) -> str:
    """A study's dvc.yaml as the repository has it: stages are scripts, and depend on the packages that they run."""
    text = re.sub(r"misread stage (\w+)", r"python stages/\1.py", template)
    text = re.sub(r"(?m)^ +# .*\n +always_changed: true\n", "", text)
    packages = packages_of_stages()
    for stage in yaml.safe_load(template)["stages"]:
        text = re.sub(
            rf"(?ms)(^  {stage}:\n.*?\n)( +)deps:\n(.*?)(?=^\2\w)",
            lambda match: (
                f"{match[1]}{match[2]}deps:\n{match[3]}{_lines(match[2], packages[match[0].split(':')[0].strip()])}"
            ),
            text,
            count=1,
        )
    return text


def _lines(indent: str, names: Iterable[str]) -> str:
    return "".join(f"{indent}  - {name}\n" for name in names)

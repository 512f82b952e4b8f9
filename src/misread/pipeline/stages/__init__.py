"""One function `main` per stage, which `stages/` and `misread stage` run; stages exchange files only."""

from typing import Final

STAGES: Final = {
    "check": "misread.pipeline.stages.check",
    "segments": "misread.pipeline.stages.segments",
    "capture": "misread.pipeline.stages.capture",
    "normalize": "misread.pipeline.stages.normalize",
    "judge": "misread.features.judges.stage",
    "score": "misread.pipeline.stages.score",
    "sensitivity": "misread.features.regimes.stage",
    "compare": "misread.pipeline.stages.compare",
    "report": "misread.pipeline.stages.report",
    "all": "misread.pipeline.whole_study",
}
"""Name of each stage, and the module whose function `main` it is."""

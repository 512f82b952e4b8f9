"""Settings of judges in a study."""

from reprlib import repr as shortened
from typing import Any

from misread.errors import ConfigurationError
from misread.features.judges.decision_files import Judge, JudgeSettings
from misread.io.checks.choices import check_choice
from misread.pipeline.params import Params


def read_judge(params: Params, judge_id: str) -> Judge:
    """Make the judge of this id; raises ConfigurationError, and UnknownNameError where there is none."""
    section = judge_settings(params, judge_id)
    judge: Judge = params.make_target(Judge, section, f"judges.{judge_id}", without=[JudgeSettings])
    return judge


def judge_entries(params: Params) -> dict[str, Any]:
    """Settings by the id of the judge; raises ConfigurationError."""
    return params.entries("judges", "settings by judge", optional=True)


def judge_settings(params: Params, judge_id: str) -> Any:
    """Settings of a judge; raises UnknownNameError where there is none, and ConfigurationError."""
    section = judge_entries(params)
    check_choice("judge", judge_id, section, where=f"{params.path} (judges)")
    settings = section[judge_id]
    if not isinstance(settings, dict):
        raise ConfigurationError(f"{params.path}: judges.{judge_id} is {shortened(settings)}, expected settings.")
    return settings

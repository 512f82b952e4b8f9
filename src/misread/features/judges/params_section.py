"""The section `judges` of params.yaml, and the metrics that judges are."""

from misread.errors import ConfigurationError
from misread.features.judges import paths
from misread.features.judges.decision_files import Judge, JudgeSettings
from misread.features.judges.judged import RecordedJudge
from misread.features.judges.settings import judge_entries, judge_settings, read_judge
from misread.io.console import warn
from misread.pipeline.params import Params
from misread.pipeline.paths import card
from misread.pipeline.settings_section import SettingsSection
from misread.sockets.metrics import NAMES


class JudgesSection(SettingsSection):
    """Judges by their ids, each a class with its settings."""

    needed = False

    def read(self, params: Params) -> dict[str, Judge]:
        """Judges by id; their own settings are checked, too."""
        for judge_id in judge_entries(params):
            self.metric(params, judge_id, None)
        return {judge_id: read_judge(params, judge_id) for judge_id in judge_entries(params)}

    def check(self, params: Params) -> None:
        """Refuse ids that metrics have, and data sets without a folder for decisions; warn of what no metric shows."""
        judges = self.read(params)
        if taken := sorted(judges.keys() & NAMES.keys()):
            raise ConfigurationError(
                f"{params.path}: judges.{taken[0]} has the id of a metric; give the judge another one."
            )
        shown = {metric.id for metric in params.metrics()}
        for judge_id in judges:
            if judge_id not in shown:
                warn(f"{params.path}: no metric shows what judges.{judge_id} decides; name the judge in `metrics`.")
        for dataset_id in params.datasets if judges else ():
            if not card(dataset_id).is_dir():
                raise ConfigurationError(
                    f"data set {dataset_id!r} has no folder {card(dataset_id)}, where judges look for decisions; "
                    "make it, with a README.md that says what the data is."
                )

    def metric(self, params: Params, entry_id: str, dataset_id: str | None) -> RecordedJudge:
        """The metric of a judge's decisions on a data set; without one it is of no decisions."""
        own = params.make_own(JudgeSettings, f"judges.{entry_id}", judge_settings(params, entry_id))
        file = str(paths.decisions(dataset_id, entry_id)) if dataset_id else ""
        settings = {"id": entry_id, "file": file, "undecided": own.undecided}
        return params.make(RecordedJudge, settings, f"judges.{entry_id}")

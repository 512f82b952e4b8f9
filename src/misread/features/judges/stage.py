"""judge: decisions of one judge on what the systems read of one data set; old decisions are kept."""

from misread.errors import ConfigurationError
from misread.features.judges import paths
from misread.features.judges.decision_files import Decisions, RecordedDecisions, read_decisions, write_decisions
from misread.features.judges.judging import Pair, ask_judge, pairs_to_judge, take_decisions
from misread.features.judges.openai_judge import OpenAIJudge
from misread.features.judges.settings import read_judge
from misread.io.console import warn
from misread.pipeline.capture_tally import CaptureTally, reading_progress
from misread.pipeline.params import load_params
from misread.pipeline.paths import card, normalized
from misread.storage import read_normalized


def main(dataset_id: str, judge_id: str) -> None:
    params = load_params()
    judge = read_judge(params, judge_id)
    texts = (read_normalized(normalized(dataset_id, system)) for system in params.systems)
    pairs = pairs_to_judge(texts)
    path = paths.decisions(dataset_id, judge_id)
    if isinstance(judge, RecordedDecisions):
        file = card(dataset_id) / judge.file
        decisions = take_decisions(read_decisions(file), pairs, file=file)
    elif isinstance(judge, OpenAIJudge):
        decisions = _ask(judge, pairs, dataset_id, judge_id)
    else:
        raise ConfigurationError(f"judges.{judge_id}: {type(judge).__name__} is neither asked nor recorded.")
    write_decisions(path, decisions)
    if undecided := sum(pair not in decisions.by_texts or decisions.by_texts[pair].same is None for pair in pairs):
        warn(
            f"{judge_id} has not decided {undecided:,} of {len(pairs):,} pairs of {dataset_id}; judges.{judge_id}."
            "undecided says what becomes of them."
        )


def _ask(judge: OpenAIJudge, pairs: list[Pair], dataset_id: str, judge_id: str) -> Decisions:
    path = paths.decisions(dataset_id, judge_id)
    earlier = read_decisions(path) if path.is_file() else None
    with reading_progress(CaptureTally(f"{judge_id} judges {dataset_id}"), len(pairs)) as listeners:
        return ask_judge(
            judge, pairs, paths.journal(dataset_id, judge_id), earlier=earlier, on_reading=listeners.on_reading
        )

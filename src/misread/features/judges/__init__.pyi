"""Every name of misread.features.judges, once, with its home."""

from .judged import RecordedJudge as RecordedJudge
from .openai_judge import OpenAIJudge as OpenAIJudge
from .recorded_decisions import RecordedDecisions as RecordedDecisions

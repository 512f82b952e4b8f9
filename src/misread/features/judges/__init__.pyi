"""Every name of misread.features.judges, once, with its home."""

from .decision_files import RecordedDecisions as RecordedDecisions
from .judged import RecordedJudge as RecordedJudge
from .openai_judge import OpenAIJudge as OpenAIJudge

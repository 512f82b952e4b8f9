"""Every name of misread.features.punctuation, once, with its home."""

from .metric import CaseErrorRate as CaseErrorRate
from .metric import PlainErrorRate as PlainErrorRate
from .metric import PunctuationMatch as PunctuationMatch

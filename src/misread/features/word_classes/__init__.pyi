"""Every name of misread.features.word_classes, once, with its home."""

from .metric import BiasingErrorRate as BiasingErrorRate
from .metric import EntityErrorRate as EntityErrorRate
from .metric import FrequencyErrorRate as FrequencyErrorRate

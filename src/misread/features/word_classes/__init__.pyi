"""Every name of misread.features.word_classes, once, with its home."""

from .items import KeyTermErrorRate as KeyTermErrorRate
from .items import KeyTermMatch as KeyTermMatch
from .items import NumberErrorRate as NumberErrorRate
from .metric import BiasingErrorRate as BiasingErrorRate
from .metric import EntityErrorRate as EntityErrorRate
from .metric import FrequencyErrorRate as FrequencyErrorRate

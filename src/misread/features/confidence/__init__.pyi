"""Every name of misread.features.confidence, once, with its home."""

from .metric import Calibration as Calibration
from .metric import ReviewShare as ReviewShare
from .metric import confidence_scores as confidence_scores

"""Every name of misread.features.confidence, once, with its home."""

from .metric import Calibration as Calibration
from .metric import ConfidenceScores as ConfidenceScores
from .metric import ReviewShare as ReviewShare
from .metric import confidence_scores as confidence_scores
from .table import draw_reliability as draw_reliability
from .table import draw_review as draw_review

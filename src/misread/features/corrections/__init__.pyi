"""Every name of misread.features.corrections, once, with its home."""

from .metric import CorrectionBalance as CorrectionBalance

"""Every name of misread.evaluation, once, with its home."""

from .texts import evaluate_table as evaluate_table
from .texts import score_captures as score_captures

"""Every name of misread.evaluation, once, with its home."""

from .evaluation import Evaluation as Evaluation
from .texts import evaluate as evaluate
from .texts import evaluate_table as evaluate_table
from .texts import score_captures as score_captures

"""Every name of misread.metrics, once, with its home."""

from .bands import BENCHMARK_STANDARDS as BENCHMARK_STANDARDS
from .bands import PARITY as PARITY
from .bands import QUALITY as QUALITY
from .base import Direction as Direction
from .base import Kind as Kind
from .base import Metric as Metric
from .base import ScoredText as ScoredText
from .error_rate import ErrorRate as ErrorRate
from .error_rate import MatchRate as MatchRate
from .group_fairness import Fairness as Fairness
from .group_fairness import fairness as fairness
from .mixed import MixedErrorRate as MixedErrorRate
from .oracle import OracleErrorRate as OracleErrorRate
from .prediction_evaluation import PredictionEvaluation as PredictionEvaluation
from .prediction_evaluation import evaluations_csv as evaluations_csv
from .summary import Spread as Spread
from .summary import describe_spread as describe_spread
from .summary import summarize as summarize
from .tokens import OrderErrorRate as OrderErrorRate

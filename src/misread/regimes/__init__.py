"""Regimes: all choices behind a published rate under one id, and what they do to rates and ranks."""

from misread.regimes.changes import describe_changes as describe_changes
from misread.regimes.changes import describe_winners as describe_winners
from misread.regimes.changes import title_of as title_of
from misread.regimes.comparison import compare_regimes as compare_regimes
from misread.regimes.regime import Regime as Regime
from misread.regimes.schema import PairVerdict as PairVerdict
from misread.regimes.schema import RegimeScore as RegimeScore
from misread.regimes.schema import RegimesResult as RegimesResult
from misread.regimes.schema import SystemScore as SystemScore

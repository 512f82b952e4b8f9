"""Every name of misread.normalize, once, with its home."""

from .captures import normalize as normalize
from .captures import signature_of as signature_of
from .linter import LintResult as LintResult
from .linter import lint as lint
from .normalizer import Normalizer as Normalizer
from .normalizer import NormalizerByColumn as NormalizerByColumn
from .normalizer import get_normalizer as get_normalizer
from .profiles import PROFILES as PROFILES

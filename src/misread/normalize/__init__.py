"""Normalizers: changes made to references and hypotheses alike before comparison."""

from misread.normalize.normalizer import Normalizer as Normalizer
from misread.normalize.normalizer import get_normalizer as get_normalizer
from misread.normalize.normalizer import normalize as normalize
from misread.normalize.normalizer import signature_of as signature_of
from misread.normalize.profiles import PROFILES as PROFILES
from misread.normalize.steps import STEPS as STEPS

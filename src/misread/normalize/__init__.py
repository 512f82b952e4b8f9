"""Normalizers: changes made to references and hypotheses alike before comparison."""

from misread.normalize.by_column import NormalizerByColumn as NormalizerByColumn
from misread.normalize.captures import StepChanges as StepChanges
from misread.normalize.captures import count_changes as count_changes
from misread.normalize.captures import normalize as normalize
from misread.normalize.captures import signature_of as signature_of
from misread.normalize.linter import LintResult as LintResult
from misread.normalize.linter import LintSettings as LintSettings
from misread.normalize.linter import lint as lint
from misread.normalize.normalizer import Normalizer as Normalizer
from misread.normalize.normalizer import get_normalizer as get_normalizer
from misread.normalize.profiles import PROFILES as PROFILES
from misread.normalize.steps import STEPS as STEPS

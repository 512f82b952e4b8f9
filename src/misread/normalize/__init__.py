"""Normalizers: changes made to references and hypotheses alike before comparison."""

from misread.normalize.normalizer import NORMALIZERS, Normalizer, get_normalizer, normalize, signature_of
from misread.normalize.steps import STEPS

__all__ = ["NORMALIZERS", "STEPS", "Normalizer", "get_normalizer", "normalize", "signature_of"]

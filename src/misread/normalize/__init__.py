"""Normalizers: what is done to references and hypotheses alike before they are compared."""

from misread.normalize.normalizer import NORMALIZERS, Normalizer, get_normalizer, normalize, signature_of
from misread.normalize.steps import STEPS

__all__ = ["NORMALIZERS", "STEPS", "Normalizer", "get_normalizer", "normalize", "signature_of"]

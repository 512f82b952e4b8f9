"""Every name of misread.features.disputes.agreement, once, with its home."""

from .api import draw_order as draw_order
from .api import predict_by_agreement as predict_by_agreement
from .estimator import AgreedRate as AgreedRate
from .predict import AgreedResult as AgreedResult

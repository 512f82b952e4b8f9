"""Every name of misread.features.planning.prediction, once, with its home."""

from .prediction import Prediction as Prediction
from .prediction import predict_rest as predict_rest

"""Every name of misread.features.prediction, once, with its home."""

from .prediction import Prediction as Prediction
from .prediction import predict_rest as predict_rest

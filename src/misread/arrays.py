"""Names for the arrays that cross modules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Operations = NDArray[np.uint8]
"""An alignment: one ASCII letter an operation, C (correct), S, D or I, in reading order."""

"""Types of the arrays that the kernels share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.unsignedinteger[Any]]
"""Units as integers of 8, 16 or 32 bits, whichever holds the widest; both sides of a corpus have the same."""

Units = NDArray[np.uint32]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

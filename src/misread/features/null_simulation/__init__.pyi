"""Every name of misread.features.null_simulation, once, with its home."""

from .null_simulation import NullSimulation as NullSimulation
from .null_simulation import simulate_null as simulate_null

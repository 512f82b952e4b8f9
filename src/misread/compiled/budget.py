"""Small work is done in NumPy and plain Python: to load machine code would take longer, and to make it much longer."""

from contextlib import AbstractContextManager, nullcontext
from typing import Final

from misread.compiled.jit import interpreted

LOADING_SECONDS: Final = 0.4
"""About what Numba and the kernels of a command take to load, where their machine code is at hand."""

_KERNEL_SECONDS: Final = 0.02
"""About what the kernels for one purpose take to load."""


class Budget:
    """Time that a process may spend without machine code; what is beyond it is worth loading for.

    Work is charged by its size and not by a clock, so that the same calls always go the same way. Whoever does one
    small thing after the other thus pays for loading twice at most.
    """

    def __init__(self, seconds: float = LOADING_SECONDS) -> None:
        self.seconds = seconds

    def covers(self, seconds: float, *, at_hand: bool = False) -> bool:
        """Whether there is time for work that takes so long; if not, there is none for any from then on.

        `at_hand` says that Numba is loaded, and need not compile: little is saved then.
        """
        if at_hand:
            seconds *= LOADING_SECONDS / _KERNEL_SECONDS
        self.seconds = self.seconds - seconds if seconds <= self.seconds else 0.0
        return self.seconds > 0


ALIGNING: Final = Budget()
DRAWING: Final = Budget()
ALIGNING_LONG: Final = Budget()
"""For long pairs among many short ones; the code for these takes longer to compile than all else."""
READING: Final = Budget()
"""For files whose bytes are gone through before they are parsed."""

BUDGETS: Final = (ALIGNING, DRAWING, ALIGNING_LONG, READING)


def loaded_above(budget: Budget, seconds: float) -> AbstractContextManager[None]:
    """Run kernels without machine code within, if the budget covers the time that this takes."""
    return interpreted() if budget.covers(seconds) else nullcontext()


def use_machine_code() -> None:
    """Leave nothing to NumPy from now on."""
    for budget in BUDGETS:
        budget.seconds = 0.0

"""Budgets of work done without machine code: loading it would take longer than small work, compiling it much longer."""

from contextlib import AbstractContextManager, nullcontext
from typing import Final

from misread.compiled.jit import interpreted

LOADING_SECONDS: Final = 0.4
"""Approximate time to load Numba and the kernels of a command, if their machine code is at hand."""


class Budget:
    """Time that a process may spend without machine code; beyond it, loading pays.

    Work is charged by its size and not by a clock, so that the same calls always go the same way. Many small calls thus
    cost at most twice the time of loading.
    """

    def __init__(self, seconds: float = LOADING_SECONDS) -> None:
        self.seconds = seconds

    def covers(self, seconds: float) -> bool:
        """Whether there is time for work that takes `seconds`; if not, there is none for any later work either."""
        self.seconds = self.seconds - seconds if seconds <= self.seconds else 0.0
        return self.seconds > 0


ALIGNING: Final = Budget()
DRAWING: Final = Budget()
BUDGETS: Final = (ALIGNING, DRAWING)


def loaded_above(budget: Budget, seconds: float) -> AbstractContextManager[None]:
    """Run kernels inside the block without machine code, if the budget covers the time that this takes."""
    return interpreted() if budget.covers(seconds) else nullcontext()


def use_machine_code() -> None:
    """Use machine code for all work from now on."""
    for budget in BUDGETS:
        budget.seconds = 0.0

"""Budgets of work done without machine code: loading it would take longer than small work, compiling it much longer."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from misread.compiled.jit import interpreted

LOADING_SECONDS: Final = 0.4
"""Approximate time to load Numba and the kernels of a command, if their machine code is at hand."""

COMPILING_SECONDS: Final = 2.0
"""Approximate time to compile a large kernel."""


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


class FirstRunBudget(Budget):
    """Time for work whose kernel has yet to be compiled, while the code of others is loaded."""

    def __init__(self, seconds: float = COMPILING_SECONDS) -> None:
        super().__init__(seconds)

    def covers_first_run(self, seconds: float, is_at_hand: Callable[[], bool]) -> bool:
        """Whether there is time for such work; once its machine code is at hand, there is none."""
        # When nothing is left, asking for machine code would take longer than little work.
        if self.seconds and is_at_hand():
            self.seconds = 0.0
        return self.covers(seconds)


ALIGNING: Final = Budget()
DRAWING: Final = Budget()
ALIGNING_LONG: Final = FirstRunBudget()
"""For long pairs among many short ones."""
NUMBERING_WORDS: Final = FirstRunBudget()

BUDGETS: Final = (ALIGNING, DRAWING, ALIGNING_LONG, NUMBERING_WORDS)


def loaded_above(budget: Budget, seconds: float) -> AbstractContextManager[None]:
    """Run kernels inside the block without machine code, if the budget covers the time that this takes."""
    return interpreted() if budget.covers(seconds) else nullcontext()


def use_machine_code() -> None:
    """Use machine code for all work from now on."""
    for budget in BUDGETS:
        budget.seconds = 0.0

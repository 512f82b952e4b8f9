"""Differences of per-segment rates, some of which may be undefined."""

import numpy as np

from misread.errors import UndefinedResultError
from misread.io.checks.numbers import check_row
from misread.types import FloatArray


def take_defined(differences: FloatArray, unit: str) -> tuple[FloatArray, int]:
    """Those that are not NaN, of which there has to be one, and the number of the others."""
    row = check_row("differences", differences)
    defined = row[~np.isnan(row)]
    if len(defined) == 0:
        raise UndefinedResultError(f"no {unit} has a defined difference among {len(row)}.")
    return defined, len(row) - len(defined)


def note_undefined(undefined: int, unit: str) -> list[str]:
    """The note that differences were dropped, where there were any."""
    return [f"Dropped because a rate is undefined: {undefined} ({unit})."] if undefined else []

"""Answers in JSON as values."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def parse_json(text: str) -> Any:
    """Parse JSON as the standard has it: NaN and Infinity are refused.

    Parameters
    ----------
    text : str
        The answer.

    Returns
    -------
    object

    Raises
    ------
    ValueError
        If it is no JSON, or nested too deeply to be read; says where.

    References
    ----------
    RFC 8259.

    Examples
    --------
    >>> parse_json('{"total": 5}')
    {'total': 5}
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")

"""Timings for tests: what is not named was not measured."""

from __future__ import annotations

import numpy as np

from misread.data.segment_table import Origin
from misread.engines.timing import Timings

MEASURES = ("start_up_seconds", "first_byte_seconds", "input_tokens", "output_tokens", "attempts")


def make_timings(origin: Origin, *seconds: float, memory: float = 1.0, **measured: list[float]) -> Timings:
    unknown = [np.nan] * len(seconds)
    return Timings(
        origin,
        np.array(seconds),
        np.full(len(seconds), memory),
        segment_id=[f"s{number}" for number in range(len(seconds))],
        warm_up=np.array(measured.get("warm_up", [False] * len(seconds)), dtype=bool),
        **{name: np.array(measured.get(name, unknown), dtype=float) for name in MEASURES},
    )

"""Prices of tokens of language models, with the day and the source of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from misread.errors import ConfigurationError


@dataclass(frozen=True)
class ModelPrice:
    """Price of the input of one model.

    Parameters
    ----------
    encoding : str
        Encoding by which its tokens are counted.
    usd_per_1000_tokens : float
        US dollars, 0 or more.
    date : str
        Day of the price.
    source : str
        Where it is published.

    Raises
    ------
    ConfigurationError
        If the price is negative or not a number.
    """

    encoding: str
    usd_per_1000_tokens: float
    date: str
    source: str

    def __post_init__(self) -> None:
        if not self.usd_per_1000_tokens >= 0:
            raise ConfigurationError(f"usd_per_1000_tokens is {self.usd_per_1000_tokens}, expected 0 or more.")


PRICES: Final[Mapping[str, ModelPrice]] = {
    "gpt-4": ModelPrice(
        "cl100k_base", 0.01, "2025-11-30", "OCR Benchmarking Metrics Specification 2.0, section 2.3 (example price)"
    ),
    "gpt-4o": ModelPrice(
        "o200k_base", 0.0025, "2026-05-31", "OpenAI API pricing, as quoted by aimodelcalc.pages.dev in June 2026"
    ),
    "gpt-4o-mini": ModelPrice(
        "o200k_base", 0.00015, "2026-05-31", "OpenAI API pricing, as quoted by aimodelcalc.pages.dev in June 2026"
    ),
}
"""Prices known without a configuration; conf/prices/ spells out the same. They change: look at the date."""

"""Prices of language models and other services, each with its date and source."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError
from misread.io.yaml_files import read_yaml

PRICED_TOKENS: Final = 1000
"""Number of tokens that a price is for."""


@dataclass(frozen=True, kw_only=True)
class ModelPrice:
    """Price of a language model, or of a service billed per segment.

    Parameters
    ----------
    encoding : str
        Encoding by which its tokens are counted.
    usd_per_1000_tokens : float
        US dollars for tokens of the input, 0 or more.
    usd_per_1000_output_tokens : float, optional
        US dollars for tokens of the answer; by default it is not known.
    usd_per_segment : float
        US dollars for a segment, regardless of its content.
    tokens_per_image : int
        Tokens of the input that an image counts for, for estimates.
    date : str
        Day of the price.
    source : str
        Where it is published.

    Raises
    ------
    ConfigurationError
        If a price is negative or not a number.
    """

    encoding: str = ""
    usd_per_1000_tokens: float = 0.0
    usd_per_1000_output_tokens: float | None = None
    usd_per_segment: float = 0.0
    tokens_per_image: int = 0
    date: str
    source: str

    def __post_init__(self) -> None:
        for name in ("usd_per_1000_tokens", "usd_per_1000_output_tokens", "usd_per_segment", "tokens_per_image"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise ConfigurationError(f"{name} is {value}, expected 0 or more.")

    def cost(self, *, segments: int, input_tokens: float, output_tokens: float) -> float:
        """US dollars for these numbers of segments and tokens; NaN if tokens of the answer have no price."""
        per_output = self.usd_per_1000_output_tokens
        if per_output is None:
            # Models billed per segment have no token cost.
            per_output = math.nan if self.usd_per_1000_tokens and output_tokens else 0.0
        tokens = input_tokens * self.usd_per_1000_tokens + output_tokens * per_output
        return segments * self.usd_per_segment + tokens / PRICED_TOKENS


_STORED: Final = read_yaml(Path(__file__).with_suffix(".yaml"))
PRICES: Final[Mapping[str, ModelPrice]] = {model: ModelPrice(**price) for model, price in _STORED.items()}
"""Prices by model, from prices.yaml in this folder. Prices change: check the date."""

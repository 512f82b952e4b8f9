"""Prices of tokens of language models, with the day and the source of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError
from misread.files.yaml_files import read_yaml


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


class _StoredPrices(Mapping[str, ModelPrice]):
    """Read when a price is asked for: most commands ask for none."""

    @cached_property
    def _prices(self) -> dict[str, ModelPrice]:
        stored = read_yaml(Path(__file__).with_suffix(".yaml"))
        return {model: ModelPrice(**price) for model, price in stored.items()}

    def __getitem__(self, model: str) -> ModelPrice:
        return self._prices[model]

    def __iter__(self) -> Iterator[str]:
        return iter(self._prices)

    def __len__(self) -> int:
        return len(self._prices)


PRICES: Final[Mapping[str, ModelPrice]] = _StoredPrices()
"""Prices by model, from prices.yaml beside this file. They change: look at the date."""

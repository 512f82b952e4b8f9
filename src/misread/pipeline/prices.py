"""Prices of readings: the section `prices` of params.yaml."""

from misread.engines.prices import ModelPrice
from misread.pipeline.params import Params
from misread.pipeline.settings_section import SettingsSection


class PricesSection(SettingsSection):
    """A price by the id of a system; the report alone depends on it."""

    needed = False

    def read(self, params: Params) -> dict[str, ModelPrice]:
        """Prices by id of the system."""
        return {
            system_id: params.make(ModelPrice, price, f"prices.{system_id}")
            for system_id, price in params.entries("prices", "a price by system", optional=True).items()
        }


def read_prices(params: Params) -> dict[str, ModelPrice]:
    """Prices by id of the system; raises ConfigurationError for one that does not fit."""
    return PricesSection().read(params)

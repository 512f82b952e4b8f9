"""Sections of params.yaml that features read: what each holds, and how it is checked."""

from collections.abc import Mapping
from typing import Final

from misread.sockets.plug import Plug

SETTINGS: Final[Mapping[str, Plug]] = {
    "ablation": Plug("misread.features.regimes.ablation", "AblationSection"),
    "judges": Plug("misread.features.judges.params_section", "JudgesSection"),
    "prices": Plug("misread.pipeline.prices", "PricesSection"),
    "regime": Plug("misread.features.regimes.regime", "RegimeSection"),
}
"""Classes of `misread.pipeline.settings_section.SettingsSection` by the name of the section."""

METRIC_SECTIONS: Final = ("judges",)
"""Sections whose entries are metrics, too, which stages declare with `metrics`."""

"""How messages call the settings that data sets and commands share."""

from __future__ import annotations

from typing import Final, NamedTuple


class SettingNames(NamedTuple):
    """Names of settings in messages; a command has those of its options."""

    cluster: str = "setting cluster"
    groups: str = "setting groups"
    level: str = "setting level"


SETTINGS: Final = SettingNames()

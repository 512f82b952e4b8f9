"""Regimes that misread brings: the files of the group `regime`, read without a project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from misread.io.checks.choices import check_choice
from misread.io.yaml_files import read_yaml
from misread.pipeline.params import Params
from misread.pipeline.paths import SHIPPED_CONF

if TYPE_CHECKING:
    from misread.features.regimes.regime import Regime

_FOLDER = SHIPPED_CONF / "regime"
DEFAULT = "misread"


def regime_names() -> list[str]:
    """Ids of all regimes that misread brings, its own first."""
    return sorted((file.stem for file in _FOLDER.glob("*.yaml")), key=lambda name: (name != DEFAULT, name))


def read_regimes(names: Sequence[str]) -> list[Regime]:
    """Make regimes of their files; UnknownNameError lists those that there are."""
    for name in names:
        check_choice("regime", name, regime_names())
    return [regime for name in names for regime in _read(_FOLDER / f"{name}.yaml")]


def _read(file: Path) -> list[Regime]:
    return Params({"regime": read_yaml(file)}, file).regimes()

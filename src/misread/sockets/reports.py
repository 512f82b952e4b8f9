"""Reports that stand below the rates of `misread score --report`, each by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from misread.sockets.plug import Plug

REPORTS: Final[Mapping[str, Plug]] = {"sc_stats": Plug("misread.features.sclite", "report_like_sc_stats")}
"""Functions (scored systems by id, baseline) -> (what JSON has, text for a terminal)."""

"""What looks at a system before it is captured; apart from all else, as no stage depends on it."""

from __future__ import annotations

from typing import Final

from misread.sockets.plug import Plug

PROBE_CONDITIONS: Final = Plug("misread.features.conditions.command", "probe_conditions")
"""Function (params, dataset id, system id, settings of the probe) that asks a sample at several concurrencies, and
prints whether answers depend on them."""

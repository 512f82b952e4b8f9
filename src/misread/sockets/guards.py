"""What looks at scored texts before rates are believed."""

from __future__ import annotations

from typing import Final

from misread.sockets.plug import Plug

GUARD_PAIRING: Final = Plug("misread.features.pairing.guard", "guard_pairing")
"""Function (scored system) -> faults in its pairing, each with a `sentence` and a `doubt`.

Raises PairingError for what cannot be believed.
"""

PAIRING_FAULT: Final = Plug("misread.features.pairing.findings", "Mispairing")
"""Class of these faults, which their records are read as."""

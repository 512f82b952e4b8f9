"""The line that identifies a system's answers: engine, settings and versions."""

import json
from collections.abc import Mapping
from typing import Any

from misread.engines.base import OPERATING
from misread.provenance.signature import Signature


def sign_system(asked: Mapping[str, Any]) -> Signature:
    """Sign the settings of a system as `Journal` compares them, without those that change no answer.

    It has no version of misread, whose change asks nothing again; `revision` is that of the engine's adapter.
    """
    settings = {name: value for name, value in asked.items() if name not in OPERATING}
    versions = settings.pop("versions", {})
    target = settings.pop("_target_", "")
    facts = {**settings, **{f"version {name}": value for name, value in versions.items()}}
    return Signature(str(target), {name: _written(value) for name, value in facts.items()})


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)

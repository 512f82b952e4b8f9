"""Profiles and steps of normalizers, and metrics of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any, Final

from misread.normalize import PROFILES, Normalizer, get_normalizer
from misread.normalize.steps import STEPS
from tools.fuzz.targets import SAMPLES, Target, samples_of, text_targets

_SETTINGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "apply_glm": {"file": str(SAMPLES / "glm.glm")},
    "replace_pattern": {"pattern": r"(\w+)\s+(\w+)", "replacement": r"\2 \1"},
    "unify_equivalents": {"sets": [["going to", "gonna"]]},
    "replace_texts": {"table": {"a": "b"}},
    "merge_compounds": {"compounds": ["over joyed"]},
    "spell_numbers": {"language": "tr"},
    "spell_currency": {"language": "en"},
    "spell_units": {"language": "en"},
    "remove_fillers": {"language": "en"},
}


def targets() -> Iterator[Target]:
    """Every step with its settings as they are where it needs none, then every profile."""
    steps = {f"step {name}": partial(_apply, name, is_step=True) for name in STEPS}
    profiles = {f"profile {name}": partial(_apply, name, is_step=False) for name in PROFILES}
    yield from text_targets({**steps, **profiles}, samples_of("text"))


def _apply(name: str, text: str, *, is_step: bool) -> None:
    normalizer = _normalizer(name, is_step)
    if not isinstance(normalizer(text), str) or not isinstance(normalizer.by_line(text), str):
        raise AssertionError("a normalizer gave what is not text")  # noqa: TRY004  a finding


@cache
def _normalizer(name: str, is_step: bool) -> Normalizer:
    """A normalizer, made once: some settings take long to check."""
    return Normalizer("fuzz", [{"step": name, **_SETTINGS.get(name, {})}]) if is_step else get_normalizer(name)

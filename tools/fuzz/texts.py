"""Profiles and steps of normalizers, and metrics of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from misread.normalize import PROFILES, Normalizer, get_normalizer
from misread.normalize.steps import STEPS
from tools.fuzz.targets import SAMPLES, Target, samples_of, text_target

GROUP: Final = "normalizers"
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
    samples = samples_of("text")
    for name in STEPS:
        yield text_target(f"step {name}", GROUP, _normalizer(name), samples)
    for name in PROFILES:
        yield text_target(f"profile {name}", GROUP, partial(_apply, lambda name=name: get_normalizer(name)), samples)


def _normalizer(name: str) -> Callable[[str], object]:
    return partial(_apply, lambda: Normalizer("fuzz", [{"step": name, **_SETTINGS.get(name, {})}]))


def _apply(make: Callable[[], Normalizer], text: str) -> None:
    normalizer = _made(make)
    if not isinstance(normalizer(text), str) or not isinstance(normalizer.by_line(text), str):
        raise AssertionError("a normalizer gave what is not text")  # noqa: TRY004  a finding


_cache: dict[Callable[[], Normalizer], Normalizer] = {}


def _made(make: Callable[[], Normalizer]) -> Normalizer:
    """A normalizer is made once: with settings that take long to check."""
    if make not in _cache:
        _cache[make] = make()
    return _cache[make]

"""Engines with which `misread init` can begin a study of images."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from misread.errors import ConfigurationError

_PACKAGES: Final = {"tesseract": "tesserocr", "rapidocr": "rapidocr"}


def installed_engines() -> list[str]:
    """Engines that can read images here; raises ConfigurationError, which says how to get one, if there is none."""
    engines = [engine for engine, package in _PACKAGES.items() if find_spec(package)]
    if not engines:
        raise ConfigurationError("no engine is installed that could read images: pip install 'misread[tesseract]'.")
    return engines

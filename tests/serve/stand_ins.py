"""An engine for tests of the worker itself. Its processes find it by this module's name."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from misread.data.segment_table import Source
from misread.engines import Answer
from misread.engines.loading import load_image
from misread.errors import InputFileError


@dataclass
class Width:
    """Reads the width of an image; 13 crashes its process, 60 takes a minute. Without `model`, it cannot be opened."""

    model: Path | None = None
    reads: frozenset[str] = frozenset({"page_image"})
    revision: int = 1

    def versions(self) -> dict[str, str]:
        return {"width": "1"}

    def open(self) -> Width:
        if self.model and not self.model.exists():
            raise InputFileError(f"there is no model {self.model}.")
        return self

    def read(self, source: Source) -> Answer:
        width = load_image(source).width
        if width == 13:
            os._exit(3)
        if width == 60:
            time.sleep(60)
        if width == 17:
            raise ValueError(f"no luck with {source.media}")
        return Answer(str(width), confidence=0.5)

    def close(self) -> None:
        pass

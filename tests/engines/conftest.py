"""Images of printed lines, drawn where a test needs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import pytest
from PIL import Image, ImageDraw, ImageFont

from misread.data.segment_table import Source

FONT = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"

DrawLines = Callable[..., Source]


def drawing(*lines: str) -> Image.Image:
    """Lines of black print on white paper, one below the other."""
    font = ImageFont.truetype(str(FONT), 40)
    image = Image.new("L", (60 + max(int(font.getlength(line)) for line in lines), 20 + 70 * len(lines)), 255)
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((30, 15 + 70 * row), line, 0, font=font)
    return image


@pytest.fixture(scope="session")
def draw() -> Callable[..., Image.Image]:
    """Draw lines of print."""
    return drawing


@pytest.fixture
def line_source(tmp_path: Path) -> DrawLines:
    """Draw lines of print into a PNG file, give it as a source."""

    def make(*lines: str, name: str = "line.png") -> Source:
        drawing(*lines).save(tmp_path / name)
        return Source(Path(name).stem, tmp_path / name)

    return make

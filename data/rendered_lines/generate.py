"""Makes rendered_lines from sentences.txt: 120 line images in three levels of degradation, and lines.csv.

Run it without arguments: `python data/rendered_lines/generate.py`. The same versions of Pillow, numpy and matplotlib
(which brings the fonts) give the same bytes on every run.
"""

from __future__ import annotations

import csv
import io
import zlib
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FOLDER = Path(__file__).resolve().parent
SEED = 20417
MARGIN = 8  # pixels around the text
PAPER, INK = 255, 0
GREY_LEVELS = 16  # a coarse scanner; with all 256 levels the noise would make the files 2.6 times as large


class Degradation(NamedTuple):
    """How one level spoils a line.

    Attributes
    ----------
    blur : float
        Radius of the Gaussian blur, in pixels.
    noise : float
        Standard deviation of the grey noise laid over the blurred line, in grey values of 255.
    skew : float
        Largest rotation to either side, in degrees; each line draws its own.
    contrast : float
        Distance of ink from paper that is left, as a fraction.
    """

    blur: float
    noise: float
    skew: float
    contrast: float


LEVELS = {
    "clean": Degradation(blur=0.0, noise=0.0, skew=0.0, contrast=1.0),
    "light": Degradation(blur=2.75, noise=3.0, skew=0.5, contrast=0.85),
    "heavy": Degradation(blur=3.2, noise=4.0, skew=1.0, contrast=0.75),
}


class Typeface(NamedTuple):
    """A font file of matplotlib and its size in pixels an em."""

    file: str
    size: int


SANS = Typeface("DejaVuSans", 28)
SERIF = Typeface("DejaVuSerif", 28)
SERIF_ITALIC = Typeface("DejaVuSerif-Italic", 28)
MONO = Typeface("DejaVuSansMono", 28)
STIX = Typeface("STIXGeneral", 33)
STIX_ITALIC = Typeface("STIXGeneralItalic", 33)

TYPEFACES = {
    "ships_log": STIX_ITALIC,
    "bakery_invoice": MONO,
    "family_letter": SERIF_ITALIC,
    "weather_report": SANS,
    "parish_register": STIX_ITALIC,
    "soup_recipe": SERIF,
    "laboratory_notebook": SERIF_ITALIC,
    "railway_notice": SANS,
    "auction_list": SERIF,
    "garden_diary": STIX,
    "court_summary": MONO,
    "field_guide": STIX,
}


class Line(NamedTuple):
    """One row of lines.csv."""

    segment_id: str
    document: str
    line: int
    degradation: str
    font: str
    image: str
    text: str


def main() -> None:
    """Write every image and the table, beside this script."""
    lines = read_lines()
    (FOLDER / "images").mkdir(exist_ok=True)
    for line in lines:
        (FOLDER / line.image).write_bytes(png(line))
    with (FOLDER / "lines.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(Line._fields)
        table.writerows(lines)


def read_lines() -> list[Line]:
    """Lines of sentences.txt, where [name] opens a document; levels take turns, so that each gets equally many."""
    lines: list[Line] = []
    document, documents, number = "", 0, 0
    for text in (FOLDER / "sentences.txt").read_text(encoding="utf-8").splitlines():
        if text.startswith("["):
            document, documents, number = text.strip("[]"), documents + 1, 0
        elif text:
            number += 1
            segment_id = f"{document}-{number:02d}"
            level = list(LEVELS)[(documents + number) % len(LEVELS)]
            font = TYPEFACES[document].file
            lines.append(Line(segment_id, document, number, level, font, f"images/{segment_id}.png", text))
    return lines


def png(line: Line) -> bytes:
    """Image file of a line: 8-bit greyscale."""
    # A line's own seed: its skew and noise stay the same when other lines come or go.
    random = np.random.default_rng([SEED, zlib.crc32(line.segment_id.encode())])
    image = degrade(render(line.text, TYPEFACES[line.document]), LEVELS[line.degradation], random)
    file = io.BytesIO()
    image.save(file, format="PNG", optimize=True)
    return file.getvalue()


def render(text: str, typeface: Typeface) -> Image.Image:
    """Black text on white paper, as high as the font's tallest letters."""
    path = Path(mpl.get_data_path()) / "fonts" / "ttf" / f"{typeface.file}.ttf"
    # The basic layout is in every build of Pillow, the complex one is not.
    font = ImageFont.truetype(path, typeface.size, layout_engine=ImageFont.Layout.BASIC)
    left, _, right, _ = font.getbbox(text, anchor="ls")
    _, top, _, bottom = font.getbbox("Éjgq|", anchor="ls")
    size = (round(right - left) + 2 * MARGIN, round(bottom - top) + 2 * MARGIN)
    image = Image.new("L", size, PAPER)
    ImageDraw.Draw(image).text((MARGIN - left, MARGIN - top), text, fill=INK, font=font, anchor="ls")
    return image


def degrade(image: Image.Image, level: Degradation, random: np.random.Generator) -> Image.Image:
    """Skew, blur, fade, then add noise, in the order of paper, lens and sensor; the result has GREY_LEVELS levels."""
    angle = random.uniform(-level.skew, level.skew)
    skewed = image.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=PAPER)
    blurred = skewed.filter(ImageFilter.GaussianBlur(level.blur))
    grey = PAPER - level.contrast * (PAPER - np.asarray(blurred, dtype=np.float64))
    # Paper below full white leaves room for noise on both sides.
    noisy = grey - 2 * level.noise + random.normal(0.0, level.noise, grey.shape)
    step = PAPER // (GREY_LEVELS - 1)
    return Image.fromarray((np.rint(np.clip(noisy, INK, PAPER) / step) * step).astype(np.uint8))


if __name__ == "__main__":
    main()

"""Files of OCR programs: `python -m tools.zoo.pages tests/zoo`.

Environment: tesseract-ocr and fonts-dejavu-core of Debian 12, Pillow; hocr-tools and lxml.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont

from tools.zoo.content import PRINTED, Zoo

_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
_HOCR = {
    "plain": [],
    "char_boxes": ["-c", "hocr_char_boxes=1"],
    "font_info": ["-c", "hocr_font_info=1"],
    "choices1": ["-c", "lstm_choice_mode=1"],
    "choices2": ["-c", "lstm_choice_mode=2"],
    "all": ["-c", "lstm_choice_mode=2", "-c", "hocr_char_boxes=1", "-c", "hocr_font_info=1"],
}


def draw_page(path: Path, paragraphs: list[list[str]]) -> None:
    """Draw paragraphs as a page in black on white."""
    image = Image.new("L", (1000, 700), 255)
    draw, font, top = ImageDraw.Draw(image), ImageFont.truetype(_FONT, 36), 60
    for lines in paragraphs:
        for line in lines:
            draw.text((60, top), line, font=font, fill=0)
            top += 56
        top += 80
    image.save(path, dpi=(300, 300))


def tesseract(zoo: Zoo) -> None:
    """Tesseract: all outputs of a page of two paragraphs, hOCR with its options, and several pages as text."""
    said = subprocess.run(["tesseract", "--version"], capture_output=True, text=True, check=True).stdout
    version = said.split()[1]
    lines = [line for paragraph in PRINTED for line in paragraph]
    words = [word for line in lines for word in line.split()]
    levels = {"region": ["\n".join(paragraph) for paragraph in PRINTED], "line": lines, "word": words}
    outputs = {
        **{f"{name}.hocr": ("hocr", "hocr", [*options]) for name, options in _HOCR.items()},
        "page.xml": ("alto", "alto", []),
        "page.tsv": ("tsv", "tesseract_tsv", []),
        "page.txt": ("txt", "text", []),
        "letters.box": ("makebox", "tesseract_box", []),
        "lstm.box": ("lstmbox", "tesseract_box", []),
        "words.box": ("wordstrbox", "tesseract_box", []),
    }
    with TemporaryDirectory() as folder:
        picture, second = Path(folder, "page.png"), Path(folder, "second.png")
        draw_page(picture, PRINTED)
        draw_page(second, PRINTED[::-1])
        pages = Path(folder, "pages.lst")
        pages.write_text(f"{picture}\n{second}\n", "utf-8")
        for name, (config, form, options) in outputs.items():
            written = _recognise(picture, [*options, config])
            zoo.path(f"tesseract/{name}").write_text(written.replace(str(picture), "page.png"), "utf-8")
            # A box of a letter does not say where words end.
            texts = {"page": [("" if name == "letters.box" else " ").join(words)]}
            if form in {"hocr", "alto", "tesseract_tsv"}:
                texts |= levels
            zoo.add(f"tesseract/{name}", "tesseract", form, texts, version)
        written = _recognise(pages, ["txt"])
        zoo.path("tesseract/two_pages.txt").write_text(written, "utf-8")
        twice = [
            " ".join(word for paragraph in [*PRINTED, *PRINTED[::-1]] for line in paragraph for word in line.split())
        ]
        zoo.add("tesseract/two_pages.txt", "tesseract", "text", {"page": twice}, version)


def _recognise(picture: Path, arguments: list[str]) -> str:
    command = ["tesseract", str(picture), "-", "-l", "eng", "--psm", "3", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def hocr_tools(zoo: Zoo) -> None:
    """hocr-tools: two pages of Tesseract in one file."""
    sources = [str(zoo.path(f"tesseract/{name}.hocr")) for name in ("plain", "font_info")]
    command = [str(Path(sys.executable).with_name("hocr-combine")), *sources]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    zoo.path("hocr_tools/combined.hocr").write_text(written, "utf-8")
    lines = [line for paragraph in PRINTED for line in paragraph] * 2
    zoo.add("hocr_tools/combined.hocr", "hocr-tools", "hocr", {"line": lines}, refused="Attribute xmlns redefined")


if __name__ == "__main__":
    place = Zoo(Path(sys.argv[1]))
    tesseract(place)
    hocr_tools(place)
    place.save()

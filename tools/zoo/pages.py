"""Files of OCR programs: `python -m tools.zoo.pages tests/zoo`.

Environment: tesseract-ocr, poppler-utils and fonts-dejavu-core of Debian 12, Pillow; hocr-tools, lxml and pdfminer.six.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont

from tools.zoo.content import PRINTED, Zoo

_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif{}.ttf"
_WRITTEN = {"hocr": ("hocr", "hocr"), "xml": ("alto", "alto"), "tsv": ("tsv", "tesseract_tsv"), "txt": ("txt", "text")}
_HOCR = {
    **{"plain": [], "char_boxes": ["-c", "hocr_char_boxes=1"], "font_info": ["-c", "hocr_font_info=1"]},
    **{f"choices{mode}": ["-c", f"lstm_choice_mode={mode}"] for mode in (1, 2)},
    "all": ["-c", "lstm_choice_mode=2", "-c", "hocr_char_boxes=1", "-c", "hocr_font_info=1"],
}


def draw_page(path: Path, paragraphs: list[list[str]]) -> None:
    """Draw paragraphs as a page in black on white, every second one in bold."""
    image = Image.new("L", (1000, 700), 255)
    draw, top = ImageDraw.Draw(image), 60
    for number, lines in enumerate(paragraphs):
        font = ImageFont.truetype(_FONT.format("-Bold" if number % 2 else ""), 36)
        for line in lines:
            draw.text((60, top), line, font=font, fill=0)
            top += 56
        top += 80
    image.save(path, dpi=(300, 300))


def tesseract(zoo: Zoo) -> None:
    """Tesseract: all outputs of a page of two paragraphs, hOCR with its options, several pages, a blank one."""
    version = _run("tesseract", "--version").split()[1]
    outputs = {
        **{f"{name}.hocr": ("hocr", "hocr", [*options]) for name, options in _HOCR.items()},
        **{f"page.{ending}": (*written, []) for ending, written in _WRITTEN.items() if ending != "hocr"},
        "letters.box": ("makebox", "tesseract_box", []),
        "lstm.box": ("lstmbox", "tesseract_box", []),
        "words.box": ("wordstrbox", "tesseract_box", []),
    }
    with TemporaryDirectory() as folder:
        first, second, blank, pages = (Path(folder, name) for name in ("page.png", "2.png", "blank.png", "pages.lst"))
        for picture, paragraphs in ((first, PRINTED), (second, PRINTED[::-1]), (blank, [])):
            draw_page(picture, paragraphs)
        pages.write_text(f"{first}\n{second}\n", "utf-8")
        twice = [*PRINTED, *PRINTED[::-1]]
        jobs = [(first, name, *output, PRINTED) for name, output in outputs.items()]
        for ending, written in _WRITTEN.items():
            jobs += [(pages, f"two_pages.{ending}", *written, [], twice), (blank, f"blank.{ending}", *written, [], [])]
        jobs += [(pages, "two_pages.box", "lstmbox", "tesseract_box", [], twice)]
        for source, name, config, form, options, paragraphs in jobs:
            written = _run("tesseract", source, "-", "-l", "eng", "--psm", "3", *options, config)
            for picture in (first, second, blank):
                written = written.replace(str(picture), picture.name)
            zoo.write(f"tesseract/{name}", written, "tesseract", form, _levels(form, name, paragraphs), version)
        pages.write_text(f"{first}\n{first}\n", "utf-8")
        subprocess.run(["tesseract", str(pages), f"{folder}/pages", "pdf"], capture_output=True, check=True)
        poppler(zoo, Path(folder, "pages.pdf"), [*PRINTED, *PRINTED])


def _levels(form: str, name: str, paragraphs: list[list[str]]) -> dict[str, list[str]]:
    lines = [line for paragraph in paragraphs for line in paragraph]
    words = [word for line in lines for word in line.split()]
    # A box of a letter does not say where words end.
    texts = {"page": [("" if name == "letters.box" else " ").join(words)]}
    if form in {"hocr", "alto", "tesseract_tsv"} and words:
        texts |= {"region": ["\n".join(paragraph) for paragraph in paragraphs], "line": lines, "word": words}
    return texts


def poppler(zoo: Zoo, pdf: Path, paragraphs: list[list[str]]) -> None:
    """Pdftotext of poppler: text with form feeds, and TSV, of the PDF of Tesseract; its hOCR by pdfminer.six."""
    written = _run(Path(sys.executable).with_name("pdf2txt.py"), "-t", "hocr", pdf)
    zoo.write("pdfminer/pages.hocr", written, "pdfminer.six", "hocr", _levels("", "", paragraphs))
    said = subprocess.run(["pdftotext", "-v"], capture_output=True, text=True, check=True).stderr
    for name, form, options in (("pages.txt", "text", []), ("pages.tsv", "tesseract_tsv", ["-tsv"])):
        written, levels = _run("pdftotext", *options, pdf, "-"), _levels("", name, paragraphs)
        refused = "columns of Tesseract's TSV" if options else ""
        zoo.write(f"poppler/{name}", written, "pdftotext", form, levels, said.split()[2], refused)


def _run(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def hocr_tools(zoo: Zoo) -> None:
    """hocr-tools: two pages of Tesseract in one file."""
    sources = [zoo.path(f"tesseract/{name}.hocr") for name in ("plain", "font_info")]
    written = _run(Path(sys.executable).with_name("hocr-combine"), *sources)
    levels = {"line": [line for paragraph in PRINTED for line in paragraph] * 2}
    zoo.write("hocr_tools/combined.hocr", written, "hocr-tools", "hocr", levels, "", "Attribute xmlns redefined")


if __name__ == "__main__":
    place = Zoo(Path(sys.argv[1]))
    tesseract(place)
    hocr_tools(place)
    place.save()

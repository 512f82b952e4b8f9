"""Makes invoices: three pages as images, their texts and fields, in the layout of document benchmarks.

Run it without arguments: `python data/invoices/generate.py`. The same versions of Pillow and matplotlib (which brings
the font) give the same bytes on every run.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import matplotlib as mpl
from PIL import Image, ImageDraw, ImageFont

from misread.data import BenchmarkDocument, write_benchmark_folder

FOLDER = Path(__file__).resolve().parent
MARGIN, SIZE, LEADING = 40, 28, 44  # pixels

METADATA = {
    "name": "invoices",
    "description": "three invented invoices, rendered: whole texts and fields",
    "language": "en",
    "licence": "Apache-2.0",
    "documents": 3,
}


def document(name: str, number: str, date: str, total: str, *items: str) -> BenchmarkDocument:
    """Text and fields of one invoice."""
    lines = ["INVOICE", name, f"Invoice Number: {number}", f"Date: {date}", *items, f"Total: {total}"]
    fields = {"vendor": name, "invoice_number": number, "date": date, "total": total}
    return BenchmarkDocument("\n".join(lines), fields)


DOCUMENTS = {
    "doc_001.png": document("Acme Corp", "INV-2024-001", "2024-03-15", "$150.00"),
    "doc_002.png": document("Oak & Iron Ltd", "OI-7710", "2024-11-02", "£1,018.50", "12 oak boards", "40 iron nails"),
    "doc_003.png": document(
        "Lighthouse Bakery", "B0812-I", "2025-01-31", "€88.10", "100 rye rolls 61.10", "Milk 27.00"
    ),
}


def main() -> None:
    """Write images, metadata.json and ground_truth.json, beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        images = {name: Path(folder) / name for name in DOCUMENTS}
        for name, path in images.items():
            path.write_bytes(png(DOCUMENTS[name].full_text))
        write_benchmark_folder(FOLDER, DOCUMENTS, images, metadata=METADATA)


def png(text: str) -> bytes:
    """Image file of a page: black on white, 8-bit greyscale."""
    path = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    # The basic layout is in every build of Pillow, the complex one is not.
    font = ImageFont.truetype(path, SIZE, layout_engine=ImageFont.Layout.BASIC)
    lines = text.split("\n")
    width = max(round(font.getlength(line)) for line in lines)
    page = Image.new("L", (width + 2 * MARGIN, LEADING * len(lines) + 2 * MARGIN), 255)
    pen = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        pen.text((MARGIN, MARGIN + LEADING * number), line, fill=0, font=font)
    file = io.BytesIO()
    page.save(file, format="PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    main()

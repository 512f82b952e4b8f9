"""Cut lines of the source repository's pages: `python convert.py SOURCE TARGET`, or `misread data fetch timeus`.

The image of a line is the bounding box of its polygon in PAGE-XML, in grey. Of each of twelve pages the first six lines
are taken that have a text and are at least 150 pixels wide. Six of the pages are there as a whole, too.
"""

import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from PIL import Image

REGISTER = "data/cph_paris_tissage_1858"
PAGE = "{http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15}"
WHOLE = ("1", "17", "27", "39", "50", "60")
OTHERS = ("72", "84", "531 b", "546 a", "559", "570 b")
LINES_PER_PAGE = 6
NARROWEST = 150  # pixels


def main(source: Path, target: Path) -> None:
    """Write all files of the data set."""
    register = source / REGISTER
    for name in ("LICENSE", "README.md"):
        shutil.copyfile(source / name, target / name)
    for folder in ("alto_xml", "lines", "page_xml", "pages"):
        (target / folder).mkdir()
    for number in WHOLE:
        page = f"PH 1858-{number}"
        shutil.copyfile(register / f"alto/{page}.xml", target / f"alto_xml/{page}.xml")
        shutil.copyfile(register / f"page/{page}.xml", target / f"page_xml/{page}.xml")
        shutil.copyfile(register / f"{page}.jpg", target / f"pages/{page}.jpg")
    for number in (*WHOLE, *OTHERS):
        cut_lines(register, f"PH 1858-{number}", target / "lines")


def cut_lines(register: Path, page: str, target: Path) -> None:
    """Write image and text of the first lines of a page."""
    with Image.open(register / f"{page}.jpg") as image:
        grey = image.convert("L")
    tree = ET.parse(register / f"page/{page}.xml")  # noqa: S314  of a known commit
    written = 0
    for line in tree.iter(f"{PAGE}TextLine"):
        text = line.findtext(f"{PAGE}TextEquiv/{PAGE}Unicode") or ""
        corners = [tuple(map(int, point.split(","))) for point in line.find(f"{PAGE}Coords").get("points").split()]
        across, down = [x for x, _ in corners], [y for _, y in corners]
        if not text.strip() or max(across) - min(across) < NARROWEST:
            continue
        written += 1
        name = f"{page}_l{written:02}"
        grey.crop((min(across), min(down), max(across), max(down))).save(target / f"{name}.png", optimize=True)
        (target / f"{name}.gt.txt").write_text(f"{text}\n", encoding="utf-8", newline="\n")
        if written == LINES_PER_PAGE:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

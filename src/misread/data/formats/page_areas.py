"""Places of regions and lines on the image of a page, from PAGE-XML and ALTO."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.layout import Region
from misread.data.formats.page_xml import read_page_xml
from misread.data.formats.xml_files import read_root
from misread.data.segment_table import Area
from misread.errors import InputFileError

Unit = Literal["page", "region", "line"]
"""Unit of a segment."""

_ROOTS: Final = ("PcGts", "alto")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_SEPARATORS: Final = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Part:
    """A region or a line; places are in the file's own unit of length, and a page has none."""

    name: str
    text: str | None  # None where nobody wrote it down
    points: Sequence[tuple[float, float]]
    at: int  # line in the file


@dataclass(frozen=True)
class PageAreas:
    """Parts of one page, and what its file says of its image."""

    path: Path
    image: str
    size: tuple[float, float] | None  # width and height in the file's unit of length
    is_in_pixels: bool
    parts: Sequence[Part]

    def area(self, part: Part, image_size: tuple[int, int]) -> Area:
        """Place of a part on the image of this size; an image may be smaller or larger than the one that was marked.

        Raises InputFileError if the shape of the page is another one, or its size is needed and not given.
        """
        if self.size is None or 0 in self.size:
            if not self.is_in_pixels:
                raise InputFileError(f"{self.path}: the page has no WIDTH and HEIGHT, which say what a pixel is.")
            across = down = 1.0
        else:
            across, down = (pixels / length for pixels, length in zip(image_size, self.size, strict=True))
        if abs(across / down - 1) > 0.01:
            width, height = self.size or (0, 0)
            raise InputFileError(
                f"{self.path}: the page is {width:g} x {height:g} and its image {image_size[0]} x {image_size[1]}, "
                "which is another shape; is it the image of another page?"
            )
        return tuple((round(x * across), round(y * down)) for x, y in part.points)


def read_page_areas(path: Path, unit: Unit) -> PageAreas:
    """Read the parts of a page in reading order, with their texts as `read_page_xml` and `read_alto_xml` give them.

    Raises InputFileError, with file and line, if the file is not PAGE-XML or ALTO of one page, declares a document
    type, or a part has no id or no place.
    """
    root = read_root(path)
    name = _name(root)
    if name not in _ROOTS:
        raise InputFileError(f"{path} is neither PAGE-XML nor ALTO: its root is <{name}>.")
    layout = (read_page_xml if name == "PcGts" else read_alto_xml)(path, root=root)
    page = _only_page(path, root)
    if unit == "page":
        has_text = any(region.content is not None for region in layout.regions)
        parts = [Part("", layout.text if has_text else None, (), page.sourceline)]
    else:
        elements: dict[tuple[str, int], Any] = {}
        for element in page.iter("{*}*"):
            elements.setdefault((_id(element), element.sourceline), element)
        pieces = layout.parts(unit)
        texts = [piece.content if isinstance(piece, Region) else piece.text for piece in pieces]
        parts = [
            _part(path, elements.get((piece.name, piece.at)), text, piece.at)
            for piece, text in zip(pieces, texts, strict=True)
        ]
    if name == "PcGts":
        size = _size(page, "imageWidth", "imageHeight")
        return PageAreas(path, page.get("imageFilename", ""), size, is_in_pixels=True, parts=parts)
    measured = (root.findtext(".//{*}MeasurementUnit") or "pixel").strip()
    image = (root.findtext(".//{*}sourceImageInformation/{*}fileName") or "").strip()
    return PageAreas(path, image, _size(page, "WIDTH", "HEIGHT"), is_in_pixels=measured == "pixel", parts=parts)


def _only_page(path: Path, root: Any) -> Any:
    pages = list(root.iter("{*}Page"))
    if len(pages) != 1:
        raise InputFileError(f"{path} has {len(pages)} pages, expected one; write each into a file of its own.")
    return pages[0]


def _part(path: Path, element: Any, text: str | None, line: int) -> Part:
    """A part of the page; None as element where the text has a part that is not one of its own."""
    if element is None:
        raise InputFileError(f"{path}, line {line}: a part of the page is not an element of its own with an id.")
    name = _id(element)
    if not name.strip():
        raise InputFileError(f"{path}, line {element.sourceline}: <{_name(element)}> has no id.")
    points = list(_points(element))
    if len(points) < 3:
        raise InputFileError(
            f"{path}, line {element.sourceline}: {name!r} has no place, expected a polygon of three points or more, or "
            "HPOS, VPOS, WIDTH and HEIGHT."
        )
    return Part(name, text, points, element.sourceline)


def _points(element: Any) -> Iterator[tuple[float, float]]:
    """Corners of the element's own polygon, else of its box."""
    polygon = element.find("{*}Coords")
    written = polygon.get("points", "") if polygon is not None else ""
    if polygon is None:
        polygon = element.find("{*}Shape/{*}Polygon")
        written = polygon.get("POINTS", "") if polygon is not None else ""
    if polygon is not None:
        numbers = [] if _SEPARATORS.sub("", _NUMBER.sub("", written)) else list(map(float, _NUMBER.findall(written)))
        yield from zip(numbers[::2], numbers[1::2], strict=False)
        return
    box = [element.get(name, "") for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")]
    if all(_NUMBER.fullmatch(length) for length in box):
        left, upper, width, height = map(float, box)
        yield from ((left, upper), (left + width, upper), (left + width, upper + height), (left, upper + height))


def _size(page: Any, width: str, height: str) -> tuple[float, float] | None:
    lengths = [page.get(name, "") for name in (width, height)]
    return (float(lengths[0]), float(lengths[1])) if all(map(_NUMBER.fullmatch, lengths)) else None


def _id(element: Any) -> str:
    return str(element.get("id") or element.get("ID") or "")


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]

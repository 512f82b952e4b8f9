"""Places of regions and lines on the image of a page, from PAGE-XML and ALTO."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from misread.errors import InputFileError
from misread.extras import needed_for
from misread.records import Area

Unit = Literal["page", "region", "line"]
"""What a segment is."""

_ELEMENTS: Final = {
    "PcGts": {"region": "TextRegion", "line": "TextLine"},
    "alto": {"region": "TextBlock", "line": "TextLine"},
}
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_SEPARATORS: Final = re.compile(r"[\s,]*")
# Nothing is expanded or fetched, and depth and size are those that libxml2 takes by default.
_CLOSED: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


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
    """Read the parts of a page, in the order of the file; those with an own text, or with lines, have one.

    Raises InputFileError, with file and line, if the file is not PAGE-XML or ALTO of one page, declares a document
    type, or a part has no id or no place.
    """
    root = _parse(path)
    name = _name(root)
    page = _only_page(path, root)
    parts = [] if unit == "page" else [_part(path, each) for each in page.iter(f"{{*}}{_ELEMENTS[name][unit]}")]
    if unit == "page":
        texts = [text for line in page.iter("{*}TextLine") if (text := _text(line)) is not None]
        parts = [Part("", "\n".join(texts) if texts else None, (), page.sourceline)]
    if name == "PcGts":
        size = _size(page, "imageWidth", "imageHeight")
        return PageAreas(path, page.get("imageFilename", ""), size, is_in_pixels=True, parts=parts)
    measured = (root.findtext(".//{*}MeasurementUnit") or "pixel").strip()
    image = (root.findtext(".//{*}sourceImageInformation/{*}fileName") or "").strip()
    return PageAreas(path, image, _size(page, "WIDTH", "HEIGHT"), is_in_pixels=measured == "pixel", parts=parts)


def _parse(path: Path) -> Any:
    with needed_for("PAGE-XML and ALTO need", "lxml", "structured"):
        from lxml import etree
    try:
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(remove_comments=True, remove_pis=True, **_CLOSED))
    except etree.XMLSyntaxError as error:
        raise InputFileError(f"{path}, line {error.lineno or 1}: not well-formed XML ({error.msg}).") from None
    if root.getroottree().docinfo.doctype:
        raise InputFileError(f"{path} declares a document type, which could name entities; remove the line.")
    if _name(root) not in _ELEMENTS:
        raise InputFileError(f"{path} is neither PAGE-XML nor ALTO: its root is <{_name(root)}>.")
    return root


def _only_page(path: Path, root: Any) -> Any:
    pages = list(root.iter("{*}Page"))
    if len(pages) != 1:
        raise InputFileError(f"{path} has {len(pages)} pages, expected one; write each into a file of its own.")
    return pages[0]


def _part(path: Path, element: Any) -> Part:
    name = element.get("id") or element.get("ID") or ""
    if not name.strip():
        raise InputFileError(f"{path}, line {element.sourceline}: <{_name(element)}> has no id.")
    points = list(_points(element))
    if len(points) < 3:
        raise InputFileError(
            f"{path}, line {element.sourceline}: {name!r} has no place, expected a polygon of three points or more, or "
            "HPOS, VPOS, WIDTH and HEIGHT."
        )
    return Part(name, _text(element), points, element.sourceline)


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


def _text(element: Any) -> str | None:
    """Text of the element itself, else of its lines."""
    if equivalents := element.findall("{*}TextEquiv"):
        first = min(equivalents, key=lambda each: int(index) if (index := each.get("index", "0")).isdecimal() else 0)
        return first.findtext("{*}Unicode") or ""
    if strings := [each for each in element if _name(each) in {"String", "SP", "HYP"}]:
        return "".join(" " if _name(each) == "SP" else each.get("CONTENT", "") for each in _spaced(strings))
    texts = [text for line in element.findall("{*}TextLine") if (text := _text(line)) is not None]
    return "\n".join(texts) if texts else None


def _spaced(strings: Sequence[Any]) -> Iterator[Any]:
    """Strings with a space between two that stand side by side; some writers leave spaces out."""
    before = None
    for each in strings:
        if before is not None and _name(before) == _name(each) == "String":
            yield each.makeelement("SP")
        yield each
        before = each


def _size(page: Any, width: str, height: str) -> tuple[float, float] | None:
    lengths = [page.get(name, "") for name in (width, height)]
    return (float(lengths[0]), float(lengths[1])) if all(map(_NUMBER.fullmatch, lengths)) else None


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]

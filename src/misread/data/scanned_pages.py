"""Images of pages with PAGE-XML or ALTO: whole, or cut into regions or lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from misread.data.base import below, digest_segments, matching_files, require_distinct
from misread.data.formats.account import with_accounts
from misread.data.formats.page_areas import PageAreas, Unit, read_page_areas
from misread.data.segment_table import Area, SegmentTable, TextFacts
from misread.errors import InputFileError, needed_for
from misread.io.checks.choices import check_choices
from misread.io.image_files import EXPECTED_FORMATS, open_image, seen_size
from misread.io.pointers import pointer_at

_ENDINGS: Final = (".png", ".jpg", ".jpeg", ".tif", ".tiff")


@dataclass(frozen=True)
class ScannedPages:
    """Data set of scanned pages whose regions, lines and texts are in PAGE-XML or ALTO.

    Parameters
    ----------
    root : str
        Folder of the data set.
    pages : list of str
        Glob patterns of the XML files, relative to `root`; each is a cluster of segments.
    unit : {"page", "region", "line"}
        What a segment is: the whole image, or the part of it within the polygon of a region or a line, on white.
    images : str
        Folder of the images, relative to `root`; by default that of the XML file. An image has the name given in
        the file, or that of the file with another ending.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    UnknownNameError
        If there is no such unit; lists them.

    References
    ----------
    Pletschacher and Antonacopoulos, "The PAGE (Page Analysis and Ground-truth Elements) Format Framework", 2010;
    ALTO 4.
    """

    root: str
    pages: Sequence[str]
    unit: Unit = "line"
    images: str = ""
    provenance: str = ""

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({"line_image" if self.unit == "line" else "page_image"})

    @with_accounts
    def segments(self) -> SegmentTable:
        """Read all pages, sorted by file name; a segment id is the stem of the file, and the id of the part.

        Parts without a text are left out, with a note. Raises InputFileError if there is no page, a file is not
        PAGE-XML or ALTO, its image is missing or of another shape, or two segments have one id.
        """
        root = Path(self.root)
        files = matching_files(root, self.pages, "pages", "file")
        ids: list[str] = []
        texts: list[str] = []
        areas: list[Area] = []
        media: list[Path] = []
        clusters: list[str] = []
        locations: list[str] = []
        without: list[str] = []
        for path in files:
            page = read_page_areas(path, self.unit)
            image = self._find_image(page)
            size = _size_of(image) if self.unit != "page" else (0, 0)
            for part in page.parts:
                location = f"{path}, line {part.at}"
                if part.text is None:
                    without.append(location)
                    continue
                ids.append(f"{path.stem}_{part.name}" if part.name else path.stem)
                texts.append(part.text)
                media.append(image)
                clusters.append(path.stem)
                locations.append(location)
                if self.unit != "page":
                    areas.append(page.area(part, size))
        if not ids:
            raise InputFileError(f"no {self.unit} of the {len(files)} files in {root} has a text.")
        require_distinct(ids, locations)
        return SegmentTable(
            name=root.name,
            digest=digest_segments(ids, texts),
            segment_id=ids,
            references=texts,
            cluster=None if self.unit == "page" else clusters,
            cluster_name="" if self.unit == "page" else "page",
            media=media,
            areas=areas or None,
            facts=TextFacts(
                notes=[f"{len(without):,} {self.unit}s without a text are left out, the first at {without[0]}."]
                if without
                else []
            ),
        )

    def _find_image(self, page: PageAreas) -> Path:
        """Image of a page; only its name is taken from the file, not the folder it was in."""
        root = Path(self.root)
        folder = root / self.images if self.images else page.path.parent
        image_name = re.split(r"[/\\]", page.image)[-1]
        stems = dict.fromkeys(filter(None, [page.path.stem, page.path.name.split(".")[0], Path(image_name).stem]))
        names = [*filter(None, [image_name]), *(f"{stem}{ending}" for stem in stems for ending in _ENDINGS)]
        for name in names:
            path = below(root, str((folder / name).relative_to(root)), str(page.path))
            if path.is_file():
                return path
        raise InputFileError(f"{page.path}: there is no image {names[0]} in {folder}, nor one of the file's own name.")


def _size_of(path: Path) -> tuple[int, int]:
    with needed_for("cutting images needs", "Pillow", "report"):
        from PIL import Image, UnidentifiedImageError
    try:
        with open_image(path) as image:
            return seen_size(image)
    except UnidentifiedImageError:
        wrong = pointer_at(path) or f"not a readable image to cut lines out of: {EXPECTED_FORMATS}"
        raise InputFileError(f"{path} is {wrong}.") from None
    except (Image.DecompressionBombError, OSError, SyntaxError) as error:
        raise InputFileError(f"{path} is not a readable image to cut lines out of: {error}.") from None

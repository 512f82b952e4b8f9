"""Folders of images, each with its transcription in a file of the same stem."""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from misread.data.base import below, digest_segments, matching_files, require_distinct
from misread.data.formats import find_format
from misread.data.formats.account import collecting_accounts, refuse_unknown, with_accounts
from misread.data.formats.base import Format
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.text_folder import name_first
from misread.data.recorded_texts import check_sources, read_recorded
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError, setting
from misread.io.checks.choices import check_choices
from misread.text.patterns import compile_pattern, take_group

_CLUSTER: Final = setting("cluster")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ImageFolder:
    """Data set of images, each with a transcription in the same folder or another.

    Most ground truth has this layout: lines with `.gt.txt` (Kraken, Calamari, the training of Tesseract), and pages
    with PAGE-XML or ALTO. So have receipts of SROIE (`img`, `box`, `entities`), forms of FUNSD (`images`,
    `annotations`), and the contests of ICDAR on scene text.

    Parameters
    ----------
    root : str
        Folder of the data set.
    images : list of str
        Glob patterns of image files, relative to `root`.
    medium : {"line_image", "page_image"}
        Content of the images.
    transcription : list of str
        Suffixes of transcription files, tried in this order on the image's stem.
    transcription_folder : str
        Folder of transcriptions, in place of the first folder in the path of an image; else that of the image.
    transcription_prefix : str
        What their names begin with before the image's stem, such as "gt_".
    format : str or Format
        Format of transcriptions, one of pages with its settings, as `misread score --format` calls it, or your own; the
        reference of an image is the text of its whole file, in reading order or, where there are only boxes, in the
        order of these.
    cluster : str
        Regular expression searched in the image's stem; its one group is the cluster.
    cluster_name : str
        Name of a cluster (page, writer).
    without_transcription : {"error", "leave_out"}
        What to do with images without one; "leave_out" names them in a warning.
    recorded : mapping of str to str
        Outputs of systems that ran elsewhere: an ending for each image (".one.txt"), a folder of text files named as
        the images, or a .json file of texts by image name; relative to `root`.
    verbatim : bool
        Whether recorded texts may look like a format other than plain text; of transcriptions
        `format: text(verbatim=true)` says so.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    UnknownNameError
        If `medium`, `format` or another setting is not one of its choices; lists them.
    ConfigurationError
        If the cluster pattern is not a regular expression, or a place of recorded outputs is that of transcriptions.
    """

    root: str
    images: list[str]
    medium: Literal["line_image", "page_image"]
    transcription: Sequence[str] = (".gt.txt",)
    transcription_folder: str = ""
    transcription_prefix: str = ""
    format: str | Format = "text"
    cluster: str = ""
    cluster_name: str = ""
    without_transcription: Literal["error", "leave_out"] = "error"
    recorded: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False
    provenance: str = ""

    def __post_init__(self) -> None:
        check_choices(self, f"the data set in {self.root}")
        where = f"the data set in {self.root}"
        form = find_format(self.format, kinds=["pages"], where=where)
        if form.level != "page":
            raise ConfigurationError(f"{where}: the reference of an image is a whole file; leave level out of {form}.")
        check_sources(self.recorded, transcription=self.transcription)
        if self.cluster:
            compile_pattern(self.cluster, name=_CLUSTER)

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({self.medium, *(f"recorded:{name}" for name in self.recorded)})

    @with_accounts
    def segments(self) -> SegmentTable:
        """Pair images and transcriptions, sorted by file name; the segment id is the image's stem.

        Raises InputFileError if there is no image, a transcription is missing, not UTF-8 or not plain text, two images
        share a stem, a recorded output is for none of them, or a pattern or ending leads out of the data set's folder,
        and ConfigurationError if the cluster pattern does not match an image's name.
        """
        root = Path(self.root)
        images = matching_files(root, self.images, "images", "image")
        transcriptions = {image: self._transcription_of(image) for image in images}
        self._report_missing([image for image, text in transcriptions.items() if text is None])
        paired = [(image, text) for image, text in transcriptions.items() if text is not None]
        media = [image for image, _ in paired]
        ids = [image.stem for image in media]
        require_distinct(ids, map(str, media))
        references = [self._read(text) for _, text in paired]
        return SegmentTable(
            name=root.name,
            digest=digest_segments(ids, references),
            segment_id=ids,
            references=references,
            cluster=take_group(self.cluster, ids, name=_CLUSTER, what="cluster")[1] if self.cluster else None,
            cluster_name=self.cluster_name,
            media=media,
            hypotheses=read_recorded(root, self.recorded, media, verbatim=self.verbatim),
        )

    def _read(self, path: Path) -> str:
        form = find_format(self.format, kinds=["pages"])
        with collecting_accounts() as accounts:
            text = LayoutReader(format=form).read(path)[0][""] or ""
        if not text:
            refuse_unknown(accounts, path)
        return text

    def _transcription_of(self, image: Path) -> Path | None:
        root = Path(os.path.normpath(self.root))
        folder = image.parent.relative_to(root)
        if self.transcription_folder:
            folder = Path(self.transcription_folder, *folder.parts[1:])
        stem = f"{self.transcription_prefix}{image.stem}"
        names = [str(folder / f"{stem}{ending}") for ending in self.transcription]
        candidates = [below(root, name, setting("transcription")) for name in names]
        return next((path for path in candidates if path.is_file()), None)

    def _report_missing(self, images: Sequence[Path]) -> None:
        if not images:
            return
        names = name_first([image.name for image in images])
        beginning = f"{self.transcription_folder}/" * bool(self.transcription_folder) + self.transcription_prefix
        endings = " or ".join(f"{beginning}*{ending}" if beginning else ending for ending in self.transcription)
        counted, have = ("1 image", "has") if len(images) == 1 else (f"{len(images):,} images", "have")
        if self.without_transcription == "error":
            raise InputFileError(
                f"{counted} in {self.root} {have} no transcription ({endings}): {names}. "
                f"Add them, or set {setting('without_transcription', 'leave_out')}."
            )
        left_out = "is left out" if len(images) == 1 else "are left out"
        _log.warning("%s %s no transcription (%s) and %s: %s", counted, have, endings, left_out, names)

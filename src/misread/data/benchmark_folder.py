"""Folders of documents with metadata.json, images/ and ground_truth.json (texts and fields by image)."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from misread.data.base import below, digest_segments, path_below
from misread.data.recorded_texts import check_sources, read_recorded
from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choice
from misread.io.json_files import decode_json, write_json
from misread.io.text import read_text

IMAGES = "images"
METADATA = "metadata.json"
TRUTH = "ground_truth.json"

ReferenceKind = Literal["full_text", "fields"]


@dataclass(frozen=True, slots=True)
class BenchmarkDocument:
    """Ground truth of one document: its whole text, and its fields by name."""

    full_text: str  # empty where only fields are known
    fields: Mapping[str, object]


@dataclass(frozen=True)
class BenchmarkFolder:
    """Data set of page images in the folder layout of document benchmarks.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : {"full_text", "fields"}
        Whether the reference of a document is its text, or its fields as a JSON object.
    recorded : mapping of str to str
        Outputs of systems that ran elsewhere: a folder of text files named as the images, or a .json file of texts by
        image name; relative to `root`.
    verbatim : bool
        Whether to accept recorded texts that look like a format other than plain text; of fields they are JSON anyway.
    provenance : str
        Source of the data and its licence.

    Raises
    ------
    UnknownNameError
        If there is no such reference.
    ConfigurationError
        If a place of recorded outputs is neither.

    References
    ----------
    OCR Benchmarking Metrics Specification, "Dataset Structure" and "Ground Truth Format".
    """

    root: str
    reference: ReferenceKind = "full_text"
    recorded: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False
    provenance: str = ""

    def __post_init__(self) -> None:
        check_sources(self.recorded, transcription=None)
        check_choice("reference", self.reference, ReferenceKind, where="a benchmark folder")

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({"page_image", *(f"recorded:{name}" for name in self.recorded)})

    def segments(self) -> SegmentTable:
        """Read all documents, in the order of the ground truth; the segment id is the image's file name.

        Raises InputFileError if a file is missing or broken, image and ground truth lack each other, or a recorded
        output is for none of them; names both.
        """
        documents = self.documents()
        location = str(Path(self.root) / TRUTH)
        images = below(Path(self.root), IMAGES, location)
        media = [path_below(images, name, location) for name in documents]
        unknown = sorted(path.name for path in images.iterdir() if path.name not in documents)
        if unknown:
            raise InputFileError(f"{location} has no entry for {', '.join(unknown)} in {images}.")
        ids, references = list(documents), [self._reference(document) for document in documents.values()]
        return SegmentTable(
            name=Path(self.root).name,
            digest=digest_segments(ids, references),
            segment_id=ids,
            references=references,
            media=media,
            hypotheses=read_recorded(
                Path(self.root), self.recorded, media, verbatim=self.verbatim or self.reference == "fields"
            ),
        )

    def documents(self) -> dict[str, BenchmarkDocument]:
        """Ground truth of every document, by the name of its image; where fields are compared, a text may be missing.

        Raises
        ------
        InputFileError
            If the ground truth is missing, empty, or not in its format; names the image.
        """
        path = Path(self.root) / TRUTH
        entries = _read_object(path)
        if not entries:
            raise InputFileError(f"{path} contains no document.")
        return {name: _document(content, f"{path}: {name!r}", self.reference) for name, content in entries.items()}

    def metadata(self) -> dict[str, Any]:
        """Metadata of the data set.

        Raises
        ------
        InputFileError
            If the file is missing or not a JSON object.
        """
        return _read_object(Path(self.root) / METADATA)

    def _reference(self, document: BenchmarkDocument) -> str:
        if self.reference == "full_text":
            return document.full_text
        return json.dumps(document.fields, ensure_ascii=False, sort_keys=True)


def write_benchmark_folder(
    folder: Path,
    documents: Mapping[str, BenchmarkDocument],
    images: Mapping[str, Path],
    *,
    metadata: Mapping[str, object],
) -> None:
    """Write a data set that `BenchmarkFolder` reads.

    Parameters
    ----------
    folder : Path
        Output folder, created if needed.
    documents : mapping of image name to BenchmarkDocument
        Ground truth of at least one document.
    images : mapping of image name to Path
        Files to copy, one per document.
    metadata : mapping of str to object
        Facts on the data set: name, description, licence.

    Raises
    ------
    ConfigurationError
        If there is no document, documents and images do not match, or a name is not a plain file name.
    """
    if not documents:
        raise ConfigurationError("there is no document to write.")
    alone = sorted(documents.keys() ^ images.keys())
    if alone:
        raise ConfigurationError(f"{', '.join(alone)}: every document needs an image, and every image a document.")
    for name in documents:
        if Path(name).name != name:
            raise ConfigurationError(f"{name!r} is not the name of a file; all images lie in one folder.")
    (folder / IMAGES).mkdir(parents=True, exist_ok=True)
    for name, image in images.items():
        if image.resolve() != (folder / IMAGES / name).resolve():
            shutil.copyfile(image, folder / IMAGES / name)
    write_json(folder / METADATA, dict(metadata))
    write_json(
        folder / TRUTH,
        {
            name: {"full_text": document.full_text, "fields": dict(document.fields)}
            for name, document in documents.items()
        },
    )


def _document(content: object, location: str, reference: ReferenceKind) -> BenchmarkDocument:
    # Fields alone are enough if they are compared.
    text = content.get("full_text", "" if reference in content else None) if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(text, str):
        raise InputFileError(f"{location} has no text under 'full_text'.")
    fields = content.get("fields", {})
    if not isinstance(fields, dict):
        raise InputFileError(f"{location}: 'fields' is of type {type(fields).__name__}, expected values by field name.")
    return BenchmarkDocument(text, fields)


def _read_object(path: Path) -> dict[str, Any]:
    content = decode_json(read_text(path), path)
    if not isinstance(content, dict):
        raise InputFileError(f"{path} is of type {type(content).__name__}, expected a JSON object.")
    return content

"""Data sets in data/datasets, in the layout of the specification."""

from pathlib import Path

from misread.data import BenchmarkFolder
from misread.data.segment_table import SegmentTable
from misread.errors import MissingDataError


def load_dataset(data: Path, name: str) -> tuple[SegmentTable | None, SegmentTable | None]:
    """Images with their texts, and with their fields as JSON objects; None for what a document has none of.

    Raises MissingDataError, which names the data sets there are, and InputFileError for a document with neither.
    """
    folder = data / "datasets" / name
    if not folder.is_dir():
        there = ", ".join(sorted(path.parent.name for path in (data / "datasets").glob("*/ground_truth.json")))
        raise MissingDataError(f"there is no data set {folder}; there are: {there or 'none'}.")
    texts, fields = BenchmarkFolder(str(folder)), BenchmarkFolder(str(folder), reference="fields")
    documents = fields.documents().values()
    if not all(document.fields for document in documents):
        return texts.segments(), None
    return texts.segments() if all(document.full_text for document in documents) else None, fields.segments()

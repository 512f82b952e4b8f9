"""Data sets in data/datasets, in the layout of the specification."""

from pathlib import Path

from misread.data import BenchmarkFolder
from misread.data.segment_table import SegmentTable
from misread.errors import MissingDataError


def load_dataset(data: Path, name: str) -> SegmentTable:
    """Images with their ground truth; raises MissingDataError, which names the data sets there are."""
    folder = data / "datasets" / name
    if not folder.is_dir():
        there = ", ".join(sorted(path.parent.name for path in (data / "datasets").glob("*/ground_truth.json")))
        raise MissingDataError(f"there is no data set {folder}; there are: {there or 'none'}.")
    return BenchmarkFolder(str(folder)).segments()


def load_fields(data: Path, name: str) -> SegmentTable | None:
    """The same images with their fields as JSON objects; None if a document has none."""
    root = str(data / "datasets" / name)
    documents = BenchmarkFolder(root).documents().values()
    return BenchmarkFolder(root, reference="fields").segments() if all(entry.fields for entry in documents) else None

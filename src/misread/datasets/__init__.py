"""Readers of data sets, one format per file."""

from misread.datasets.base import Dataset
from misread.datasets.benchmark_folder import BenchmarkDocument, BenchmarkFolder, write_benchmark_folder
from misread.datasets.formats.tables import Rows, read_rows
from misread.datasets.image_folder import ImageFolder
from misread.datasets.pinned import locate, pin
from misread.datasets.table import Table
from misread.datasets.transcripts import NlpFolders, TrnFiles

__all__ = [
    "BenchmarkDocument",
    "BenchmarkFolder",
    "Dataset",
    "ImageFolder",
    "NlpFolders",
    "Rows",
    "Table",
    "TrnFiles",
    "locate",
    "pin",
    "read_rows",
    "write_benchmark_folder",
]

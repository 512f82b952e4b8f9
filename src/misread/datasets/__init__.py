"""Readers of data sets: every format gives a `SegmentTable`, and a data set is the settings of a reader."""

from misread.datasets.base import Dataset
from misread.datasets.benchmark_folder import BenchmarkDocument, BenchmarkFolder, write_benchmark_folder
from misread.datasets.conversion import convert
from misread.datasets.folders import read_folders
from misread.datasets.formats.annotations import annotate
from misread.datasets.formats.paired_files import FolderOptions
from misread.datasets.iam_folder import IamFolder
from misread.datasets.ids_table import with_labels
from misread.datasets.image_folder import ImageFolder
from misread.datasets.in_memory import from_columns, from_frame, with_annotations
from misread.datasets.pinned import locate, pin
from misread.datasets.runs import RunColumns, gather_runs
from misread.datasets.scanned_pages import ScannedPages
from misread.datasets.segment_files import SegmentFiles, read_segment_files
from misread.datasets.sessions import Sessions, read_sessions
from misread.datasets.slices import Slice, note_alike_ids
from misread.datasets.table import Table, read_table
from misread.datasets.text_files import read_files
from misread.datasets.text_folders import TextFolders
from misread.datasets.transcripts import NlpFolders, TrnFiles, read_nlp_files, read_timed_files, read_trn_files

__all__ = [
    "BenchmarkDocument",
    "BenchmarkFolder",
    "Dataset",
    "FolderOptions",
    "IamFolder",
    "ImageFolder",
    "NlpFolders",
    "RunColumns",
    "ScannedPages",
    "SegmentFiles",
    "Sessions",
    "Slice",
    "Table",
    "TextFolders",
    "TrnFiles",
    "annotate",
    "convert",
    "from_columns",
    "from_frame",
    "gather_runs",
    "locate",
    "note_alike_ids",
    "pin",
    "read_files",
    "read_folders",
    "read_nlp_files",
    "read_segment_files",
    "read_sessions",
    "read_table",
    "read_timed_files",
    "read_trn_files",
    "with_annotations",
    "with_labels",
    "write_benchmark_folder",
]
